"""What bytes that are no readable audio most likely are, for a sentence that helps."""

from __future__ import annotations

HEAD_BYTES = 4096  # enough for every signature here, and for a text to look like one
TEXT_SHARE = 0.95  # printable characters among those read, above which bytes that are UTF-8 are a text

_ANYWHERE_ELSE: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "it is a ZIP archive"),
    (b"\x1f\x8b", "it is a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive"),
    (b"Rar!\x1a\x07", "it is a RAR archive"),
    (b"%PDF", "it is a PDF document"),
    (b"\x89PNG", "it is a PNG image"),
    (b"\xff\xd8\xff", "it is a JPEG image"),
    (b"GIF8", "it is a GIF image"),
    (b"\x7fELF", "it is a program"),
    (b"\x1f\x43\xb6\x75", "it is a piece of a WebM recording without the header that its first piece holds"),
    (b"\x1a\x45\xdf\xa3", "it is a WebM or Matroska file without readable content"),
)
_PLAYLISTS = ("#extm3u", "ffconcat", "[playlist]", "<asx", "<smil", "<mpd")


def describe(head: bytes) -> str | None:
    """Say what a file is that could not be read as audio, from its first `HEAD_BYTES`; None when unknown."""
    for signature, sentence in _ANYWHERE_ELSE:
        if head.startswith(signature):
            return sentence
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "it is a WebP image"
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "its WAV header cannot be read"
    if head[4:8] == b"ftyp":
        return "it is an MP4 file without a readable index (moov): its recording or its upload was cut off"
    return _describe_text(head)


def _describe_text(head: bytes) -> str | None:
    # The last character may be cut in two, so its bytes are dropped rather than held against the text.
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="ignore").strip()
    printable = sum(character.isprintable() or character.isspace() for character in text)
    if not text or len(text.encode()) < TEXT_SHARE * len(head.strip()) or printable < TEXT_SHARE * len(text):
        return None
    lower = text[:200].lower()
    if any(mark in lower for mark in _PLAYLISTS):
        return "it is a playlist; send the audio that it names"
    if lower.startswith(("<!doctype html", "<html")):
        return "it is an HTML page"
    if lower.startswith(("{", "[")):
        return "it is JSON"
    if lower.startswith("<"):
        return "it is XML"
    return "it is text"
