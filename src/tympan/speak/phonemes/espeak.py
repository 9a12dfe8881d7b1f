"""The espeak-ng library: spelling to IPA.

It keeps one global state (voice, clause, buffers), and calls from several threads corrupt each other, so every use
of it in the process goes through one lock. Library and data come inside a wheel; espeak-ng is GPL-3.0-or-later.
"""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING, Any, Final

import espeakng_loader

from tympan.errors import EngineUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

TIE: Final = "^"  # joins the letters of one phoneme, so that "tʃ" is told from "t" before "ʃ"

_AUDIO_OUTPUT_SYNCHRONOUS: Final = 2  # no sound device is opened
_DO_NOT_EXIT: Final = 0x8000  # report a missing data folder instead of ending the process
_UTF8: Final = 1
_AS_IPA: Final = 0x02
_TIED: Final = 0x80
_PHONEME_MODE: Final = _AS_IPA | _TIED | ord(TIE) << 8


class _Library:
    """The loaded library and the voice that is set in it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.loaded: Any = None
        self.voice = ""


_library = _Library()


def ipa(texts: Iterable[str], voice: str) -> list[str]:
    """Return each text in IPA with stress marks, its words parted by spaces, in espeak's own `voice` ("pt-br").

    Raises `EngineUnavailable` when the library cannot be loaded or does not have the voice.
    """
    with _library.lock:
        library = _load()
        if _library.voice != voice:
            if library.espeak_SetVoiceByName(voice.encode()) != 0:
                _library.voice = ""
                raise EngineUnavailable("espeak-ng", f"it has no voice '{voice}'")
            _library.voice = voice
        return [_phonemes(library, text) for text in texts]


def _phonemes(library: Any, text: str) -> str:
    buffer = ctypes.create_string_buffer(text.replace("\0", " ").encode())
    pointer = ctypes.c_void_p(ctypes.addressof(buffer))
    clauses = []
    while pointer.value:  # one call reads one clause and moves the pointer behind it
        answer = library.espeak_TextToPhonemes(ctypes.byref(pointer), _UTF8, _PHONEME_MODE)
        if answer:
            clauses.append(answer.decode("utf-8", "replace").strip())
    return " ".join(filter(None, clauses))


def _load() -> Any:
    if _library.loaded is not None:
        return _library.loaded
    try:
        library = ctypes.CDLL(espeakng_loader.get_library_path())
    except OSError as error:
        raise EngineUnavailable("espeak-ng", str(error)) from error
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_int]
    library.espeak_SetVoiceByName.argtypes = [ctypes.c_char_p]
    library.espeak_Initialize.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
    data = espeakng_loader.get_data_path().encode()
    if library.espeak_Initialize(_AUDIO_OUTPUT_SYNCHRONOUS, 0, data, _DO_NOT_EXIT) <= 0:
        raise EngineUnavailable("espeak-ng", "its data cannot be read")
    _library.loaded = library
    return library
