import pytest
from tests.speak.normalize.saying import said, sentences

AMERICAN = {
    # money
    "$3.50": "three dollars and fifty cents",
    "$1": "one dollar",
    "$0.99": "ninety nine cents",
    "$1,200": "one thousand two hundred dollars",
    "$5k": "five thousand dollars",
    "$10-20": "ten to twenty dollars",
    "$1 billion": "one billion dollars",
    "£1.5 million": "one point five million pounds",
    "€20": "twenty euros",
    "¥500": "five hundred yen",
    "3 USD": "three U S dollars",
    # numbers
    "3,497": "three thousand four hundred ninety seven",
    "1,234,567.89": "one million two hundred thirty four thousand five hundred sixty seven point eight nine",
    "3.14": "three point one four",
    "007": "zero zero seven",
    "-5": "minus five",
    "1st 2nd 23rd": "first second twenty third",
    "90%": "ninety percent",
    "1/2": "one half",
    "3/4": "three quarters",
    "2 1/2": "two and a half",
    "2½": "two and a half",
    "7/23": "seven over twenty three",
    "50/50": "fifty fifty",
    "24/7": "twenty four seven",
    "16:9": "sixteen to nine",
    "3-2": "three to two",
    "10–20": "ten to twenty",
    "x^2": "x squared",
    "2*3=6": "two times three equals six",
    "10x": "ten times",
    "4x6": "four by six",
    "4K": "four K",
    "12345678901234567": "one two three four five six seven eight nine zero one two three four five six seven",
    # dates and times
    "12/25/2025": "December twenty fifth twenty twenty five",
    "24.12.2024": "December twenty fourth twenty twenty four",
    "2026-11-30": "November thirtieth twenty twenty six",
    "March 3, 2024": "March third twenty twenty four",
    "3rd of May 1999": "the third of May nineteen ninety nine",
    "Jan. 5": "January fifth",
    "the 1990s": "the nineteen nineties",
    "in 2005": "in two thousand five",
    "in 1905": "in nineteen oh five",
    "44 BC": "forty four B C",
    "9:30PM": "nine thirty P M",
    "10:30am": "ten thirty A M",
    "5 a.m.": "five A M",
    "14:05": "fourteen oh five",
    "9:00": "nine o'clock",
    # quantities
    "5 kg": "five kilograms",
    "1 kg": "one kilogram",
    "100 km/h": "one hundred kilometers per hour",
    "10-20 km": "ten to twenty kilometers",
    "-5°C": "minus five degrees Celsius",
    "16GB": "sixteen gigabytes",
    "3.5GHz": "three point five gigahertz",
    "5'10\"": "five feet ten inches",
    # names
    "Dr. Smith vs. Mr. Jones": "Doctor Smith versus Mister Jones",
    "on St. James St.": "on Saint James Street",
    "No. 5": "Number five",
    "e.g. this": "for example this",
    "Elizabeth II": "Elizabeth the second",
    "Chapter IV": "Chapter four",
    "I mix it": "I mix it",
    "J. R. R. Tolkien": "J R R Tolkien",
    "AT&T": "A T and T",
    "GPT-4o": "G P T four o",
    "H2O": "H two O",
    "C++": "C plus plus",
    "B-52s": "B fifty two s",
    "3,497 · $1.50 · 90%": "three thousand four hundred ninety seven one dollar and fifty cents ninety percent",
    "R&D": "R and D",
    # the web
    "https://example.com/a_b?x=1": "example dot com slash a underscore b question mark x equals one",
    "bob.smith@mail.co.uk": "bob dot smith at mail dot co dot uk",
    "v1.2.3": "version one dot two dot three",
    "192.168.1.1": "one hundred ninety two dot one hundred sixty eight dot one dot one",
    "config.json": "config dot json",
    "/usr/bin/python": "slash usr slash bin slash python",
    "@user": "at user",
    "#tag": "hash tag",
    # telephones
    "+1 (555) 123-4567": "plus one five five five one two three four five six seven",
    "555-1234": "five five five one two three four",
    # marks and pictures
    "It’s **bold** 😀": "It's bold",
    "x &amp; y": "x and y",
    "α and π": "alpha and pi",
}


@pytest.mark.parametrize(("text", "words"), AMERICAN.items())
def test_american_english_says(text, words):
    assert said(text, "en-us") == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("12/10/2025", "the twelfth of October twenty twenty five"),
        ("350", "three hundred and fifty"),
        ("£9.99", "nine pounds and ninety nine pence"),
        ("£0.01", "one penny"),
    ],
)
def test_british_english_says(text, words):
    assert said(text, "en-gb") == words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He left etc. Then she came.", ["He left et cetera.", "Then she came."]),
        ("The U.S. Army. It is big.", ["The U S Army.", "It is big."]),
        ("We live in the U.S. It is big.", ["We live in the U S.", "It is big."]),
        ("About approx. five.", ["About approximately five."]),
        ("“Go!” she said.", ["“Go!”", "she said."]),
        ("Wait... what?", ["Wait… what?"]),
        ("We met at 7 p.m. They left.", ["We met at seven P M.", "They left."]),
        ("We met at 7 p.m. on Monday.", ["We met at seven P M on Monday."]),
        ("Apple Inc. (AAPL) fell.", ["Apple Incorporated (AAPL) fell."]),
        ("Really?! Yes.", ["Really?", "Yes."]),
        ("# Title\nText follows here.", ["Title.", "Text follows here."]),
        ("- one\n- two\n3. three", ["one.", "two.", "three, three"]),
        (
            "A line that was broken by hand because the page is narrow\nand goes on.",
            [
                "A line that was broken by hand because the page is narrow and goes on.",
            ],
        ),
        ("First line\nSecond line", ["First line.", "Second line"]),
        ("only a small group)—and at the same time", ["only a small group)— and at the same time"]),
    ],
)
def test_sentences_end_where_they_do(text, expected):
    assert sentences(text, "en-us") == expected
