import threading
from itertools import pairwise

import numpy as np
import pytest
from tests.standins import InlineRunner

from tympan.cancel import Cancellation
from tympan.engines.protocols import SAMPLES_PER_FRAME, Synthesis
from tympan.errors import Cancelled, EngineCrashed, NothingToSay, UnknownModel, UnreadableScript
from tympan.sound.waveform import SPEECH_RATE
from tympan.speak.reading import Chunk, WordTokens
from tympan.speak.request import SpeakRequest
from tympan.speak.speaker import KokoroSpeaker
from tympan.speak.voices import parse_voice

LEAD_FRAMES, TAIL_FRAMES, TOKEN_FRAMES = 12, 20, 4  # silence, silence, and 0.1 s for each letter


class Letters:
    """Reads each line as a chunk, each letter as a token."""

    def run(self, batch):
        return [tuple(self._chunks(item.text)) for item in batch]

    def probe(self):
        return None

    def _chunks(self, text):
        start = 0
        for line in text.splitlines(keepends=True):
            words: list[WordTokens] = []
            tokens: list[int] = []
            at = start
            for word in line.split():
                at = text.index(word, at)
                words.append(WordTokens(len(tokens), len(tokens) + len(word), at, at + len(word)))
                tokens += [min(177, ord(letter)) for letter in word]
                at += len(word)
            if tokens:
                yield Chunk(tuple(tokens), tuple(words), 0.25)
            start += len(line)


class Tones:
    """Speaks every token as a tone of 0.1 s, with silence around the chunk."""

    def run(self, batch):
        return [self._speak(chunk) for chunk in batch]

    def probe(self):
        return None

    def _speak(self, chunk):
        frames = (LEAD_FRAMES, *[TOKEN_FRAMES] * len(chunk.tokens), TAIL_FRAMES)
        sound = np.zeros(sum(frames) * SAMPLES_PER_FRAME, np.float32)
        first, last = LEAD_FRAMES * SAMPLES_PER_FRAME, sound.size - TAIL_FRAMES * SAMPLES_PER_FRAME
        sound[first:last] = 0.3 * np.sin(np.arange(last - first) * 0.1)
        return Synthesis(sound, frames)


def make(*, reader=None, synthesizer=None, ahead=3):
    reader = InlineRunner("reader", reader or Letters())
    synthesizer = InlineRunner("kokoro", synthesizer or Tones())
    return KokoroSpeaker(reader, synthesizer, ahead=ahead), synthesizer


def speak(text, *, voice="af_heart", speed=1.0, **engines):
    speaker, _ = make(**engines)
    speech = speaker.speak(SpeakRequest(text, parse_voice(voice), speed=speed), Cancellation())
    return list(speech), speech.summary


def test_chunks_become_one_stream_without_their_silence():
    pieces, summary = speak("abc def\nghi")
    samples = np.concatenate([piece.samples for piece in pieces])
    speech_s = (6 + 3) * TOKEN_FRAMES * SAMPLES_PER_FRAME / SPEECH_RATE
    assert summary.seconds == samples.size / SPEECH_RATE
    assert summary.seconds == pytest.approx(speech_s + 0.25 + 2 * 0.09, abs=0.03)  # margins of 40 and 50 ms stay
    assert (summary.chunks, summary.tokens, summary.characters) == (2, 9, 11)


@pytest.mark.parametrize("speed", [0.25, 0.5, 1.0, 1.7, 4.0])
def test_words_are_timed_where_they_sound_at_any_speed(speed):
    text = "abcd efgh\nij"
    pieces, summary = speak(text, speed=speed)
    words = [word for piece in pieces for word in piece.words]
    assert [text[word.text_start : word.text_end] for word in words] == ["abcd", "efgh", "ij"]
    step = TOKEN_FRAMES * SAMPLES_PER_FRAME / SPEECH_RATE / speed
    assert words[0].start == pytest.approx(0.04 / speed, abs=0.015 / speed)
    assert words[1].start - words[0].start == pytest.approx(4 * step, abs=0.002)
    assert words[2].start - words[1].end == pytest.approx((0.25 + 0.09) / speed, abs=0.03 / speed)
    assert words[-1].end <= summary.seconds + 0.001
    assert all(one.end <= other.start + 1e-6 for one, other in pairwise(words))


def test_speed_changes_the_length_accordingly():
    natural = speak("abcdef ghijkl")[1].seconds
    for speed in (0.25, 0.8, 1.25, 4.0):
        assert speak("abcdef ghijkl", speed=speed)[1].seconds == pytest.approx(natural / speed, rel=0.01)


def test_a_long_text_is_read_in_parts_and_its_spans_are_those_of_the_whole():
    text = "\n".join(f"line{n} word" for n in range(500))
    pieces, summary = speak(text)
    words = [text[word.text_start : word.text_end] for piece in pieces for word in piece.words]
    assert words == text.split()
    ends = [piece.text_end for piece in pieces]
    assert ends == sorted(ends)
    assert ends[-1] == summary.characters == len(text)


def test_pieces_come_before_the_text_is_spoken():
    speaker, synthesizer = make(ahead=2)
    text = "\n".join(["some words"] * 400)
    speech = iter(speaker.speak(SpeakRequest(text, parse_voice("af_heart")), Cancellation()))
    next(speech)
    assert len(synthesizer.items) == 2


def test_voices_and_weights_reach_the_engine():
    speaker, synthesizer = make()
    list(speaker.speak(SpeakRequest("abc", parse_voice("af_heart(3)+af_bella")), Cancellation()))
    assert synthesizer.items[0].voice == (("af_heart", 0.75), ("af_bella", 0.25))


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_to_say_is_said_at_once(text):
    with pytest.raises(NothingToSay):
        make()[0].speak(SpeakRequest(text, parse_voice("af_heart")), Cancellation())


def test_nothing_to_say_is_found_while_reading():
    class Mute(Letters):
        def run(self, batch):
            return [() for _ in batch]

    speaker, _ = make(reader=Mute())
    with pytest.raises(NothingToSay):
        list(speaker.speak(SpeakRequest("...", parse_voice("af_heart")), Cancellation()))


def test_a_script_that_the_voice_cannot_read_is_refused_before_anything_is_made():
    with pytest.raises(UnreadableScript):
        make()[0].speak(SpeakRequest("東京駅から新幹線に乗ります", parse_voice("af_heart")), Cancellation())


def test_an_engine_error_ends_the_speech():
    class Crashing(Tones):
        def run(self, *_):
            raise EngineCrashed("kokoro", "its process was ended by SIGSEGV")

    with pytest.raises(EngineCrashed):
        speak("abc", synthesizer=Crashing())


def test_a_listener_who_goes_away_stops_the_work_within_a_chunk():
    speaker, synthesizer = make(ahead=1)
    cancellation = Cancellation()
    text = "\n".join(["some words"] * 100)
    speech = iter(speaker.speak(SpeakRequest(text, parse_voice("af_heart")), cancellation))
    next(speech)
    threading.Thread(target=cancellation.cancel).start()
    cancellation.wait(5)
    with pytest.raises(Cancelled):
        next(speech)
    assert len(synthesizer.items) <= 2


def test_models():
    speaker, _ = make()
    assert {speaker.resolve(name) for name in ("kokoro", "tts-1", "tts-1-hd", "gpt-4o-mini-tts")} == {"kokoro"}
    with pytest.raises(UnknownModel):
        speaker.resolve("tts-9")
    assert [report.name for report in speaker.engines()] == ["reader", "kokoro"]
