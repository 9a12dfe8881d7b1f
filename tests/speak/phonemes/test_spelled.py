from concurrent.futures import ThreadPoolExecutor

import pytest

from tympan.errors import EngineUnavailable
from tympan.speak.phonemes.espeak import ipa
from tympan.speak.phonemes.spelled import EspeakPhonemizer, aligned
from tympan.speak.reading import SpokenWord, Stop

TEXTS = {
    "es": ("hola amigos", ["ˈola", "amˈiɣos"]),
    "fr": ("les amis vont bien", ["lez", "amˈi", "vˈɔ̃", "bjˈɛ̃"]),
    "it": ("l'uomo che va", ["lwˈɔmo", "ke", "vˈa"]),
    "pt-br": ("a casa da avó", ["a", "kˈazæ", "da", "avˈɔ"]),
    "hi": ("नमस्ते आप", ["nəmˈʌsteː", "ˌaːp"]),
}


def words(text, language):
    return [SpokenWord(word, 0, 1, language) for word in text.split()]


@pytest.mark.parametrize(("language", "text", "expected"), [(language, *case) for language, case in TEXTS.items()])
def test_reads(language, text, expected):
    said = EspeakPhonemizer(language).phonemize(words(text, language))
    assert said == expected


def test_words_that_are_joined_in_speech_keep_their_own_phonemes():
    said = EspeakPhonemizer("fr").phonemize(words("il y a une heure", "fr"))
    assert said == ["il", "i", "a", "yn", "ˈœʁ"]


def test_no_sound_binds_words_over_a_stop():
    bound = EspeakPhonemizer("fr").phonemize(words("vous avez", "fr"))
    stopped = EspeakPhonemizer("fr").phonemize(
        [SpokenWord("vous", 0, 1, "fr", after=",", stop=Stop.CLAUSE), SpokenWord("avez", 0, 1, "fr")]
    )
    assert bound[0].endswith("z")
    assert not stopped[0].endswith("z")


def test_alignment_loses_nothing_and_moves_stresses_to_what_follows():
    assert aligned(["ɪn", "ðə", "hˈaʊs"], "ɪnðəhˈaʊs") == ["ɪn", "ðə", "hˈaʊs"]
    assert aligned(["des", "ˈami"], "dezˈami") == ["dez", "ˈami"]
    assert "".join(aligned(["a", "b", "c"], "xyz")) == "xyz"
    assert aligned(["", "b"], "b") == ["", "b"]


def test_threads_do_not_corrupt_each_other():
    voices = ["es", "fr", "it", "pt-br"]
    text = "La casa es grande y bonita"
    alone = {voice: ipa([text], voice) for voice in voices}
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda number: (voices[number % 4], ipa([text], voices[number % 4])), range(200)))
    assert all(said == alone[voice] for voice, said in together)


def test_a_voice_that_espeak_does_not_have_is_an_error():
    with pytest.raises(EngineUnavailable, match="no voice 'xx-none'"):
        ipa(["a"], "xx-none")


def test_a_nul_does_not_end_the_text():
    assert ipa(["uno\0dos"], "es") == ipa(["uno dos"], "es")
