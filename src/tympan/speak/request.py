"""What a caller asks of the speaking job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tympan.speak.voices import VoiceMix


@dataclass(frozen=True, slots=True)
class SpeakRequest:
    """A text to speak. `speed` is 0.25 to 4, 1 being the voice's own."""

    text: str
    voice: VoiceMix
    model: str = "kokoro"
    speed: float = 1.0
