"""What the benchmarks count as an error."""

import pytest
from benchmarks.wer import Score, align, is_loop, score, units


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Hello, World!", "hello world"),
        ("en", "  an  «odd» — dash… ", "an odd dash"),
        ("en", "Don't; the dogs' bowls", "don't the dogs bowls"),
        ("en", "Don\u2019t", "don't"),
        ("en", "forty-two lines", "forty two lines"),
        ("en", "42 lines", "forty two lines"),
        ("en", "1,234 men", "one thousand two hundred thirty four men"),
        ("en", "in 1455, and 1900, and 1905", "in fourteen fifty five and nineteen hundred and nineteen oh five"),
        ("en", "the 1st, 12th, 20th and 23rd", "the first twelfth twentieth and twenty third"),
        ("en", "50% of R&D", "fifty percent of r and d"),
        (
            "en",
            "0, 7, 100 and 999999",
            "zero seven one hundred and nine hundred ninety nine thousand nine hundred ninety nine",
        ),
        ("en", "12345678 is left alone", "12345678 is left alone"),
        ("en", "Mr. Dashwood", "mister dashwood"),
        ("fr", "L'été, à Paris: 3 ÉCOLES", "l'été à paris trois écoles"),
        ("es", "1, 2 y 10", "uno dos y diez"),
        ("hi", "मेरा नाम राहुल है।", "मेरा नाम राहुल है"),
        ("pl", "Pięć, 6", "pięć sześć"),
        ("sv", "3 hus", "3 hus"),
    ],
)
def test_case_punctuation_and_numbers_are_no_errors(language: str, text: str, expected: str):
    assert units(text, language) == expected.split()


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("zh", "今天\uff0c天气 很好。", "今天天气很好"),
        ("ja", "京都へ 1 2 10", "京都へ一二十"),
        ("ko", "안녕 하세요.", "안녕하세요"),
        ("th", "สวัสดี ครับ", "สวัสดีครับ"),
    ],
)
def test_unspaced_languages_are_scored_by_character(language: str, text: str, expected: str):
    assert units(text, language) == list(expected)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "counts"),
    [
        ("a b c", "a b c", (0, 0, 0)),
        ("a b c", "a x c", (1, 0, 0)),
        ("a b c", "a c", (0, 1, 0)),
        ("a b c", "a b b c", (0, 0, 1)),
        ("", "a b", (0, 0, 2)),
        ("a b", "", (0, 2, 0)),
        ("a b c d", "b c d e", (0, 1, 1)),
    ],
)
def test_alignment_counts(reference: str, hypothesis: str, counts: tuple[int, int, int]):
    found = align(reference.split(), hypothesis.split())
    assert (found.substitutions, found.deletions, found.insertions) == counts
    assert found.errors == sum(counts)


def test_matches_pair_equal_units():
    assert align(list("ace"), list("xabce")).matches == ((0, 1), (1, 3), (2, 4))


def test_accents_are_errors():
    assert score("el niño", "el nino", "es") == Score(1, 2)


def test_scores_add_by_units_and_not_by_texts():
    total = score("a b c d e f g h", "a b c d e f g h", "en") + score("a b", "x y", "en")
    assert total.rate == pytest.approx(0.2)
    assert Score().rate == 0.0


def test_a_repeated_sentence_is_a_loop_and_a_wordy_one_is_not():
    assert is_loop("good morning", "good morning " * 20, "en")
    assert is_loop("今天天气很好", "今天天气很好" * 12, "zh")
    assert not is_loop("good morning", "a very good morning to you all", "en")
