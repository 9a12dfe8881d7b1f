import pytest
from tests.speak.normalize.saying import said

CASES = {
    "es": {
        "3,50 €": "tres euros con cincuenta céntimos",
        "$1.500": "mil quinientos dólares",
        "21 euros": "veintiún euros",
        "£200": "doscientas libras",
        "1,5 millones de euros": "uno coma cinco millones de euros",
        "3 M€": "tres millones de euros",
        "24/12/2024": "veinticuatro de diciembre de dos mil veinticuatro",
        "a las 21:30": "a las veintiuna y treinta",
        "siglo XXI": "siglo veintiuno",
        "Felipe VI": "Felipe sexto",
        "90 %": "noventa por ciento",
        "2 1/2": "dos y medio",
        "3.497": "tres mil cuatrocientos noventa y siete",
        "1.234.567,89": "un millón doscientos treinta y cuatro mil quinientos sesenta y siete coma ochenta y nueve",
        "21 páginas": "veintiuna páginas",
        "1 libro": "un libro",
        "21 de marzo": "veintiuno de marzo",
        "Sr. García": "señor García",
        "EE. UU.": "Estados Unidos",
        "1.º y 2ª": "primero y segunda",
        "ana@correo.com": "ana arroba correo punto com",
        "DNI": "D N I",
    },
    "fr": {
        "3,50 €": "trois euros cinquante",
        "1 500 $": "mille cinq cents dollars",
        "Le 24/12/2024": "Le vingt quatre décembre deux mille vingt quatre",
        "21h30": "vingt et une heures trente",
        "XIXe siècle": "dix neuvième siècle",
        "Louis XIV": "Louis quatorze",
        "François Ier": "François premier",
        "3/4": "trois quarts",
        "3 497": "trois mille quatre cent quatre vingt dix sept",
        "M. Dupont": "monsieur Dupont",
        "1er mars": "premier mars",
        "2e étage": "deuxième étage",
        "06 12 34 56 78": "zéro six douze trente quatre cinquante six soixante dix huit",
        "-5 °C": "moins cinq degrés Celsius",
        "TGV": "T G V",
        "Qu'est-ce que c'est ?": "Qu'est-ce que c'est",
    },
    "it": {
        "3,50 €": "tre euro e cinquanta centesimi",
        "1 euro": "un euro",
        "24/12/2024 alle 21:30": "ventiquattro dicembre duemilaventiquattro alle ventuno e trenta",
        "XX secolo": "ventesimo secolo",
        "Giovanni XXIII": "Giovanni ventitreesimo",
        "Sig. Rossi": "signor Rossi",
        "1º maggio": "primo maggio",
        "5 km/h": "cinque chilometri all'ora",
        "1,5 milioni di euro": "uno virgola cinque milioni di euro",
        "cap. 3": "capitolo tre",
        "3.497": "tremilaquattrocentonovantasette",
    },
    "pt-br": {
        "R$ 3,50": "três reais e cinquenta centavos",
        "R$ 2 milhões": "dois milhões de reais",
        "24/12/2024 às 21h30": "vinte e quatro de dezembro de dois mil e vinte e quatro às vinte e uma e trinta",
        "século XXI": "século vinte e um",
        "Dom Pedro II": "Dom Pedro segundo",
        "1º de maio": "primeiro de maio",
        "2 casas": "duas casas",
        "21 livros": "vinte e um livros",
        "£200": "duzentas libras",
        "2 h": "duas horas",
    },
}


@pytest.mark.parametrize(
    ("language", "text", "words"), [(language, *case) for language, cases in CASES.items() for case in cases.items()]
)
def test_says(language, text, words):
    assert said(text, language) == words
