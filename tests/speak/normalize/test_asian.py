import pytest
from tests.speak.normalize.saying import said, sentences

from tympan.speak.cleaning import clean
from tympan.speak.normalize.languages import scanner_for

HINDI = {
    "₹1,50,000": "एक लाख पचास हज़ार रुपये",
    "24/12/2024": "चौबीस दिसंबर दो हज़ार चौबीस",
    "10:30 बजे": "दस बजकर तीस मिनट",
    "90%": "नब्बे प्रतिशत",
    "1/2": "आधा",
    "2½": "ढाई",
    "3,497": "तीन हज़ार चार सौ सत्तानवे",
    "१२३": "एक सौ तेईस",
    "1999": "उन्नीस सौ निन्यानवे",
    "3.5": "तीन दशमलव पाँच",
}
JAPANESE = {  # in katakana, as it is pronounced
    "1,500円": "センゴヒャクエン",
    "4円": "ヨエン",
    "2024年3月5日": "ニセンニジューヨネン サンガツ イツカ",
    "2024-03-05": "ニセンニジューヨネン サンガツ イツカ",
    "午後3時30分": "ゴゴ サンジ サンジュップン",
    "10:30": "ジュージ サンジュップン",
    "4時9分": "ヨジ キューフン",
    "90%": "キュージュッパーセント",
    "1/2": "ニブンノイチ",
    "3人": "サンニン",
    "1人と2人": "ヒトリ ト フタリ",
    "1本2本3本6本": "イッポン ニホン サンボン ロッポン",
    "300匹": "サンビャッピキ",
    "20歳": "ニジュッサイ",
    "3つ": "ミッツ",
    "1億2000万人": "イチオクニセンマンニン",
    "3.14": "サンテンイチヨン",
    "25°C": "ニジューゴド",
    "03-1234-5678": "ゼロサン イチニーサンヨン ゴーロクナナハチ",
}
JAPANESE_READINGS = {
    "今日は学校へ行きました": "キョー ワ ガッコー エ イキマシタ",
    "私は日本人の学生です": "ワタシ ワ ニホンジン ノ ガクセー デス",
    "明日の天気は雨でしょう": "アシタ ノ テンキ ワ アメ デショー",
    "大人一人": "オトナ ヒトリ",
    "東京都に住んでいます": "トーキョー ト ニ スン デ イマス",
    "お茶を飲みたいです": "オチャ オ ノミタイデス",
    "山田太郎": "ヤマダ タロー",
    "何ですか": "ナン デス カ",
    "一日中": "イチニチジュー",
}
CHINESE = {  # in pinyin
    "￥3.50": "san1dian3 wu3yuan2",
    "90%": "bai3fen1zhi1jiu3shi2",
    "2024年3月5日": "er4ling2 er4si4 nian2 san1 yue4 wu3 ri4",
    "3:30": "san1dian3 san1shi2fen1",
    "2个": "liang3 ge4",
    "1/2": "er4fen1zhi1yi1",
    "10000": "yi1wan4",
    "10010": "yi1wan4 ling2 yi1shi2",
    "-5°C": "ling2xia4 wu3 she4shi4du4",
}
CHINESE_READINGS = {
    "银行行长在重庆开会": "yin2hang2hang2zhang3zai4chong2qing4kai1hui4",
    "他长大了还想学习音乐": "ta1zhang3da4le5hai2xiang3xue2xi2yin1yue4",
    "这条路很长": "zhe4tiao2lu4hen3chang2",
    "我觉得应该睡觉": "wo3jue2de5ying1gai1shui4jiao4",
    "我得走了": "wo3dei3zou3le5",
    "慢慢地走": "man4man4de5zou3",
    "还书": "huan2shu1",
    "便宜又方便": "pian2yi5you4fang1bian4",
    "种树": "zhong4shu4",
    "调查和调整": "diao4cha2he2tiao2zheng3",
    "女儿": "nv3er2",
}


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        (language, *case)
        for language, table in (("hi", HINDI), ("ja", JAPANESE | JAPANESE_READINGS), ("zh", CHINESE))
        for case in table.items()
    ],
)
def test_says(language, text, words):
    assert said(text, language) == words


@pytest.mark.parametrize(("text", "pinyin"), CHINESE_READINGS.items())
def test_reads_chinese_characters(text, pinyin):
    assert said(text, "zh").replace(" ", "") == pinyin


def test_wide_punctuation_ends_sentences():
    assert sentences("「こんにちは」と言った。はい！", "ja") == ["“コンニチワ” ト イッタ.", "ハイ!"]
    assert sentences("你好，他说。", "zh") == ["ni3hao3, ta1 shuo1."]
    assert sentences("नमस्ते। हाँ।", "hi") == ["नमस्ते.", "हाँ."]


def test_foreign_words_in_a_text_are_marked_with_their_language():
    words = [word for s in scanner_for("en-us").sentences(clean("Say 東京, トヨタ and नमस्ते.")) for word in s]
    assert [(word.text, word.language) for word in words] == [
        ("Say", "en-us"),
        ("トーキョー", "ja"),
        ("トヨタ", "ja"),
        ("and", "en-us"),
        ("नमस्ते", "hi"),
    ]
