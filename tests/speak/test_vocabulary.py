import pytest

from tympan.speak.vocabulary import TOKEN_IDS, encode, known, sounds


def test_the_vocabulary_is_the_models():
    assert len(TOKEN_IDS) == len(set(TOKEN_IDS.values())) == 114
    assert (TOKEN_IDS[";"], TOKEN_IDS[" "], TOKEN_IDS["ˈ"], TOKEN_IDS["ᵻ"]) == (1, 16, 156, 177)
    assert 0 not in TOKEN_IDS.values()  # that is what stands at both ends


def test_unknown_symbols_are_dropped():
    assert known("bˈʌt\u0329ən") == "bˈʌtən"
    assert encode("a b") == (43, 16, 44)


@pytest.mark.parametrize(
    ("phonemes", "heard"), [("a", True), ("ˈ", False), ("...", False), ("", False), ("(ˌ)", False)]
)
def test_sounds(phonemes, heard):
    assert sounds(phonemes) is heard
