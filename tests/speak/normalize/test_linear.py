"""Reading time grows with the text, not with its square. Ratios are compared, not seconds."""

import time

import pytest

from tympan.speak.chunks import chunks
from tympan.speak.reader import read

# Four times the text: what is linear takes four times as long, a square sixteen times. A machine that stumbles once
# is asked again; a square is one each time.
MOST = 8
TRIES = 4
SEEDS = [
    *("1,", "1.", "1-", "1/", "1:", "$1", "1 ", "a.", "A.", "IV ", "@a", "+1 ", "x^", "1'", "(1", "read ", "Aa"),
    *("a|", "*a", "_a", "<a", "&a", "![](a", "~a", "#a", "http://a", "a", "Ab", "é", "漢ab ab "),
]


def seconds(text, language):
    """Return the processor time of reading a text into chunks."""
    begin = time.process_time()
    for _ in chunks(read(text, language, "v")):
        pass
    return time.process_time() - begin


def grows_linearly(small, large, language):
    """Whether four times the text takes less than eight times as long, in one of a few tries."""
    return any(seconds(large, language) < MOST * seconds(small, language) + 0.05 for _ in range(TRIES))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_could_be_read_again_and_again_is_not(seed):
    small, large = seed * (4_000 // len(seed)), seed * (16_000 // len(seed))
    seconds(small, "en-us")  # dictionaries are loaded, caches filled
    assert grows_linearly(small, large, "en-us")


@pytest.mark.parametrize("language", ["en-us", "en-gb", "es", "fr", "hi", "it", "ja", "pt-br", "zh"])
def test_100_kb_of_digits(language):
    seconds("7" * 100, language)
    assert grows_linearly("7" * 25_000, "7" * 100_000, language)
