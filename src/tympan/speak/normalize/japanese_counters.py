"""Japanese counters: how a number and what it counts change each other's sound."""

from __future__ import annotations

from typing import Final

_DAYS: Final = {
    1: "ツイタチ",
    2: "フツカ",
    3: "ミッカ",
    4: "ヨッカ",
    5: "イツカ",
    6: "ムイカ",
    7: "ナノカ",
    8: "ヨーカ",
    9: "ココノカ",
    10: "トーカ",
    14: "ジューヨッカ",
    20: "ハツカ",
    24: "ニジューヨッカ",
}
_THINGS: Final = {
    1: "ヒトツ",
    2: "フタツ",
    3: "ミッツ",
    4: "ヨッツ",
    5: "イツツ",
    6: "ムッツ",
    7: "ナナツ",
    8: "ヤッツ",
    9: "ココノツ",
}
_PEOPLE: Final = {1: "ヒトリ", 2: "フタリ"}

# What the counter sounds like, plain.
COUNTERS: Final = {
    "円": "エン",
    "年間": "ネンカン",
    "年": "ネン",
    "ヶ月": "カゲツ",
    "か月": "カゲツ",
    "カ月": "カゲツ",
    "ヵ月": "カゲツ",
    "ケ月": "カゲツ",
    "月": "ガツ",
    "日間": "ニチカン",
    "日": "ニチ",
    "時間": "ジカン",
    "時": "ジ",
    "分間": "フンカン",
    "分": "フン",
    "秒": "ビョー",
    "週間": "シューカン",
    "人": "ニン",
    "名": "メー",
    "つ": "ツ",
    "個": "コ",
    "本": "ホン",
    "匹": "ヒキ",
    "杯": "ハイ",
    "回": "カイ",
    "階": "カイ",
    "歳": "サイ",
    "才": "サイ",
    "冊": "サツ",
    "枚": "マイ",
    "台": "ダイ",
    "度": "ド",
    "番": "バン",
    "番目": "バンメ",
    "号": "ゴー",
    "倍": "バイ",
    "件": "ケン",
    "軒": "ケン",
    "点": "テン",
    "頭": "トー",
    "世紀": "セーキ",
    "章": "ショー",
    "億円": "オクエン",
    "ページ": "ページ",
    "キロ": "キロ",
    "メートル": "メートル",
    "グラム": "グラム",
    "パーセント": "パーセント",
    "ドル": "ドル",
}
# Numbers whose last digit has another name before the counter.
_FOUR_SEVEN_NINE: Final = {
    "円": {4: "ヨ"},
    "年": {4: "ヨ"},
    "年間": {4: "ヨ"},
    "時": {4: "ヨ", 7: "シチ", 9: "ク"},
    "時間": {4: "ヨ", 7: "シチ", 9: "ク"},
    "月": {4: "シ", 7: "シチ", 9: "ク"},
    "人": {4: "ヨ"},
}
_DIGITS: Final = ("", "イチ", "ニ", "サン", "ヨン", "ゴ", "ロク", "ナナ", "ハチ", "キュー")
_TO_P: Final = {"ハ": "パ", "ヒ": "ピ", "フ": "プ", "ヘ": "ペ", "ホ": "ポ"}
_TO_B: Final = {"ハ": "バ", "ヒ": "ビ", "フ": "ブ", "ヘ": "ベ", "ホ": "ボ"}
_HARD: Final = frozenset("カキクケコ")
_SIBILANT: Final = frozenset("サシスセソタチツテト")


def counted_in_japanese(said: str, number: int, counter: str) -> str:
    """Say a number, itself said as `said`, with a counter of `COUNTERS`."""
    for known, name, limit in ((_DAYS, "日", 31), (_THINGS, "つ", 9), (_PEOPLE, "人", 2)):
        if counter == name and number in known and number <= limit:
            return known[number]
    sound = COUNTERS[counter]
    digit = number % 10
    special = _FOUR_SEVEN_NINE.get(counter, {}).get(digit)
    if special:
        return said.removesuffix(_DIGITS[digit]) + special + sound
    if sound[0] in _HARD | _SIBILANT or sound[0] in _TO_P or sound[0] == "パ":
        short = _shortened(said, sound[0])
        if short != said and sound[0] in _TO_P:
            sound = _TO_P[sound[0]] + sound[1:]
        elif digit == 3 and sound[0] in _TO_P:  # noqa: PLR2004
            sound = (_TO_P if counter in {"分", "分間"} else _TO_B)[sound[0]] + sound[1:]
        elif digit == 4 and counter in {"分", "分間"}:  # noqa: PLR2004
            sound = "プ" + sound[1:]
        elif digit == 3 and counter == "階":  # noqa: PLR2004
            sound = "ガイ"
        return short + sound
    return said + sound


def _shortened(said: str, first: str) -> str:
    """Double the consonant after one, six, eight, ten and hundred."""
    for end, short in (("イチ", "イッ"), ("ハチ", "ハッ"), ("ジュー", "ジュッ")):
        if said.endswith(end):
            return said.removesuffix(end) + short
    if first not in _SIBILANT:
        for end, short in (("ロク", "ロッ"), ("ヒャク", "ヒャッ"), ("ビャク", "ビャッ"), ("ピャク", "ピャッ")):
            if said.endswith(end) and first != "パ":
                return said.removesuffix(end) + short
    return said
