import pytest

from tympan.speak.phonemes.kana import kana_phonemes


@pytest.mark.parametrize(
    ("kana", "phonemes"),
    [
        ("コンニチワ", "koɲɲiʨiβa"),
        ("ガッコー", "ɡaʔkoː"),
        ("シンブン", "ɕimbɯɴ"),
        ("キョー", "kʲoː"),
        ("ファイル", "ɸaiɾɯ"),
        ("ティーシャツ", "tʲiːɕaʦɨ"),
        ("センゴヒャクエン", "seŋɡoçakɯeɴ"),
        ("ヴァイオリン", "vaioɾʲiɴ"),
        ("チェック", "ʨeʔkɯ"),
        ("ジュース", "ʥɨːsɨ"),
        ("ウィンドウ", "βindoɯ"),
        ("サンタ", "santa"),
        ("ッ", ""),
        ("ー", ""),
        ("", ""),
        ("A漢", ""),
    ],
)
def test_kana(kana, phonemes):
    assert kana_phonemes(kana) == phonemes
