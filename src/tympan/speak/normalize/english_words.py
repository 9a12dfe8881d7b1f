"""The words of English grammar: tables for `english`."""

from __future__ import annotations

from typing import Final

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

SYMBOLS: Final = {
    "&": "and",
    "+": "plus",
    "=": "equals",
    "×": "times",
    "÷": "divided by",
    "±": "plus or minus",
    "%": "percent",
    "°": "degrees",
    "@": "at",
    "#": "number",
    "<": "less than",
    ">": "greater than",
    "≤": "less than or equal to",
    "≥": "greater than or equal to",
    "≠": "not equal to",
    "≈": "about",
    "√": "square root of",
    "∞": "infinity",
    "→": "to",
    "§": "section",
    "¶": "paragraph",
    "∑": "sum",
    "∆": "delta",
    "€": "euros",
    "£": "pounds",
    "$": "dollars",
}

WEB: Final = {
    ".": "dot",
    "/": "slash",
    "@": "at",
    "-": "dash",
    "_": "underscore",
    ":": "colon",
    "?": "question mark",
    "=": "equals",
    "&": "and",
    "#": "hash",
    "%": "percent",
    "+": "plus",
    "~": "tilde",
    "v": "version",
}

ABBREVIATIONS: Final = {
    "Dr.": "Doctor",
    "Dr": "Doctor",
    "Mr.": "Mister",
    "Mr": "Mister",
    "Mrs.": "Missus",
    "Mrs": "Missus",
    "Ms.": "Miz",
    "Ms": "Miz",
    "Prof.": "Professor",
    "Rev.": "Reverend",
    "Hon.": "Honorable",
    "Gen.": "General",
    "Col.": "Colonel",
    "Capt.": "Captain",
    "Lt.": "Lieutenant",
    "Sgt.": "Sergeant",
    "Sen.": "Senator",
    "Rep.": "Representative",
    "Gov.": "Governor",
    "Pres.": "President",
    "Jr.": "Junior",
    "Sr.": "Senior",
    "Inc.": "Incorporated",
    "Corp.": "Corporation",
    "Co.": "Company",
    "Ltd.": "Limited",
    "Bros.": "Brothers",
    "Dept.": "Department",
    "Univ.": "University",
    "Assn.": "Association",
    "Ave.": "Avenue",
    "Blvd.": "Boulevard",
    "Rd.": "Road",
    "Hwy.": "Highway",
    "St.": "Saint",
    "St": "Saint",
    "Mt.": "Mount",
    "Ft.": "Fort",
    "Apt.": "Apartment",
    "No.": "Number",
    "Nos.": "Numbers",
    "vs.": "versus",
    "vs": "versus",
    "v.": "versus",
    "etc.": "et cetera",
    "e.g.": "for example",
    "eg.": "for example",
    "i.e.": "that is",
    "ie.": "that is",
    "cf.": "compare",
    "et al.": "and others",
    "approx.": "approximately",
    "est.": "established",
    "ca.": "circa",
    "incl.": "including",
    "excl.": "excluding",
    "max.": "maximum",
    "min.": "minimum",
    "avg.": "average",
    "misc.": "miscellaneous",
    "dept.": "department",
    "ext.": "extension",
    "tel.": "telephone",
    "fig.": "figure",
    "figs.": "figures",
    "vol.": "volume",
    "ch.": "chapter",
    "sec.": "section",
    "eq.": "equation",
    "ed.": "edition",
    "pp.": "pages",
    "p.": "page",
    "w/": "with",
    "w/o": "without",
    "b/c": "because",
    "a.m.": "A M",
    "p.m.": "P M",
    "Ph.D.": "P H D",
    "PhD": "P H D",
    "Mon.": "Monday",
    "Tue.": "Tuesday",
    "Tues.": "Tuesday",
    "Wed.": "Wednesday",
    "Thu.": "Thursday",
    "Thurs.": "Thursday",
    "Fri.": "Friday",
    "Jan.": "January",
    "Feb.": "February",
    "Apr.": "April",
    "Aug.": "August",
    "Sept.": "September",
    "Sep.": "September",
    "Oct.": "October",
    "Nov.": "November",
    "Dec.": "December",
}
FINAL_ABBREVIATIONS: Final = frozenset(
    {"etc.", "a.m.", "p.m.", "inc.", "jr.", "sr.", "co.", "corp.", "ltd.", "ph.d.", "ave.", "blvd.", "rd.", "et al."}
)

BEFORE_NUMBERS: Final = frozenset(
    "No. Nos. p. pp. ch. Ch. fig. figs. Fig. Figs. vol. sec. eq. ed. min. max. est. ext. Ext. tel. ca.".split()
) - {"min.", "max.", "est."}
BEFORE_NAMES: Final = frozenset("St. St Mt. Ft. v. Gen. Col. Rep. Hon. Rev. Sen. Gov. Pres. Lt. Dr Mr Mrs Ms".split())
STARTERS: Final = frozenset(
    "The It He She We They I In This That But And A An As If When There These Those So Then You Our His Her Its My On"
    " At For However After Before".split()
)

SPELLED: Final = frozenset(
    "AI API ASAP AWS CEO CFO CIA COO CTO CPU DIY EU FAQ GPU IDE IO IP ISP IT KPI LLM OS PC PDF PR QA RSVP SUV TV UI UK"
    " UN URL US USA USB UX VAT VIP VPN AC DC".split()
) - {"ASAP"}
NUMBERED: Final = frozenset(
    "chapter part act scene volume vol. book section appendix phase type war bowl title class stage level article canto"
    " unit episode season tier mark figure table case game psalm".split()
)
REGNAL: Final = frozenset(
    "Elizabeth Henry Louis Charles George William Edward Richard James Mary Philip Francis Frederick Nicholas Catherine"
    " Alexander Peter Ivan Napoleon Leopold Albert Victor Ferdinand Alfonso Pius Benedict Paul John Gregory Leo Clement"
    " Urban Innocent Ramesses Ptolemy Cleopatra Harald Olaf Gustav Christian Wilhelm Rudolf Otto Joseph".split()
)
