"""The voices: 54 of Kokoro v1.0, OpenAI's names for some of them, and mixes."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from tympan.errors import InvalidVoiceMix, UnknownVoice

if TYPE_CHECKING:
    from tympan.speak.reading import Language

Gender = Literal["female", "male"]

MAX_MIXED_VOICES = 8  # each is one more style table to add up; more are no longer heard apart
MAX_WEIGHT = 100.0

_LANGUAGES: Final[dict[str, Language]] = {
    "a": "en-us",
    "b": "en-gb",
    "e": "es",
    "f": "fr",
    "h": "hi",
    "i": "it",
    "j": "ja",
    "p": "pt-br",
    "z": "zh",
}
_GENDERS: Final[dict[str, Gender]] = {"f": "female", "m": "male"}
# Two letters, for language and gender, then the names: how the model's own voice files are called.
_NAMES: Final = {
    "af": "alloy aoede bella heart jessica kore nicole nova river sarah sky",
    "am": "adam echo eric fenrir liam michael onyx puck santa",
    "bf": "alice emma isabella lily",
    "bm": "daniel fable george lewis",
    "ef": "dora",
    "em": "alex santa",
    "ff": "siwis",
    "hf": "alpha beta",
    "hm": "omega psi",
    "if": "sara",
    "im": "nicola",
    "jf": "alpha gongitsune nezumi tebukuro",
    "jm": "kumo",
    "pf": "dora",
    "pm": "alex santa",
    "zf": "xiaobei xiaoni xiaoxiao xiaoyi",
    "zm": "yunjian yunxi yunxia yunyang",
}


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice: `id` as in "af_heart", `name` for people ("Heart")."""

    id: str
    name: str
    language: Language
    gender: Gender


@dataclass(frozen=True, slots=True)
class VoiceMix:
    """One voice or several: `parts` are voices with weights above 0 that add up to 1; they share a `language`."""

    name: str
    parts: tuple[tuple[Voice, float], ...]

    @property
    def language(self) -> Language:
        """What the mix reads: the language of its first, since all read the same script."""
        return self.parts[0][0].language


VOICES: Final[dict[str, Voice]] = {
    f"{prefix}_{name}": Voice(f"{prefix}_{name}", name.capitalize(), _LANGUAGES[prefix[0]], _GENDERS[prefix[1]])
    for prefix, names in _NAMES.items()
    for name in names.split()
}

# OpenAI's thirteen names. Where Kokoro has a voice of the same name, it is that one.
ALIASES: Final = {
    "alloy": "af_alloy",
    "ash": "am_michael",
    "ballad": "bm_george",
    "cedar": "am_fenrir",
    "coral": "af_sarah",
    "echo": "am_echo",
    "fable": "bm_fable",
    "marin": "af_heart",
    "nova": "af_nova",
    "onyx": "am_onyx",
    "sage": "af_kore",
    "shimmer": "af_bella",
    "verse": "am_puck",
}

_PART = re.compile(r"(?P<voice>[a-z_]{1,40})(?:\((?P<weight>\d{1,3}(?:\.\d{1,6})?)\))?", re.ASCII)


def parse_voice(name: str) -> VoiceMix:
    """Read a voice's id, one of OpenAI's names, or a mix such as "af_heart(2)+af_bella(1)".

    A part without a weight has weight 1; weights are relative; a voice named twice adds up. Raises `UnknownVoice`
    or `InvalidVoiceMix`.
    """
    weights: dict[str, float] = {}
    parts = [part.strip() for part in name.split("+")] if "(" in name or "+" in name else [name]
    if len(parts) > MAX_MIXED_VOICES:
        raise InvalidVoiceMix(name, f"at most {MAX_MIXED_VOICES} voices can be mixed")
    for part in parts:
        match = _PART.fullmatch(part)
        if match is None:
            if len(parts) == 1 and "(" not in name:
                raise UnknownVoice(name, valid_voices())
            raise InvalidVoiceMix(name, f"'{part[:40]}' is not a voice with a weight")
        voice = ALIASES.get(match["voice"], match["voice"])
        if voice not in VOICES:
            raise UnknownVoice(match["voice"], valid_voices())
        weight = float(match["weight"] or 1)
        if not 0 < weight <= MAX_WEIGHT:
            raise InvalidVoiceMix(name, f"weights are above 0 and at most {MAX_WEIGHT:g}")
        weights[voice] = weights.get(voice, 0.0) + weight
    if len({_script_of(VOICES[voice].language) for voice in weights}) > 1:
        languages = sorted({VOICES[voice].language for voice in weights})
        raise InvalidVoiceMix(name, f"its voices read different scripts ({', '.join(languages)})")
    total = math.fsum(weights.values())
    return VoiceMix(name, tuple((VOICES[voice], weight / total) for voice, weight in weights.items()))


def valid_voices() -> list[str]:
    """All names that `parse_voice` takes for a single voice, OpenAI's first."""
    return [*ALIASES, *VOICES]


def _script_of(language: Language) -> str:
    return language if language in {"hi", "ja", "zh"} else "latin"
