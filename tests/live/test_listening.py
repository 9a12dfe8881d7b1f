"""What users of such servers report, against the real models."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from benchmarks.wer import align, score, units
from tests.live.conftest import SAMPLES, noise, wav_bytes

from tympan.cancel import Cancellation
from tympan.listen.request import ListenRequest
from tympan.sound.waveform import SAMPLE_RATE


def error_rate(text, heard, language):
    """Return the share of words (or characters) that are wrong."""
    return score(text, heard, language).rate


def quiet(seconds):
    return np.zeros(round(seconds * SAMPLE_RATE), np.float32)


def join(*pieces):
    return np.concatenate(pieces)


@pytest.mark.parametrize(
    ("name", "at_most"),
    [
        ("printing.flac", 0.02),
        ("two_speakers.flac", 0.0),
        ("fr.ogg", 0.0),
        ("es.ogg", 0.2),
        ("ja.ogg", 0.1),
        ("zh.ogg", 0.6),  # the base model writes traditional characters
    ],
)
def test_known_texts(hear, manifest, name, at_most):
    heard = hear(SAMPLES / name)
    assert heard.summary.language == manifest[name]["language"]
    assert error_rate(manifest[name]["text"], heard.text, manifest[name]["language"]) <= at_most
    assert heard.summary.duration == pytest.approx(manifest[name]["seconds"], abs=0.05)


@pytest.mark.parametrize(
    "audio",
    [
        quiet(10),
        noise(10, -45),
        noise(20, -20),
        noise(20, -60) + np.sin(np.arange(20 * SAMPLE_RATE) * 2 * np.pi * 50 / SAMPLE_RATE).astype(np.float32) * 0.05,
        quiet(0.1),
    ],
    ids=["zeros", "room tone", "loud noise", "hum", "a tenth of a second"],
)
def test_no_text_is_invented(hear, audio):
    heard = hear(audio)
    assert heard.text == ""
    assert heard.segments == ()


def test_a_beep_in_front_of_speech_is_no_word(hear, sound, manifest):
    t = np.arange(round(0.2 * SAMPLE_RATE)) / SAMPLE_RATE
    beep = (0.3 * np.sin(2 * np.pi * (380 * t + (1150 - 380) / 0.4 * t**2))).astype(np.float32)
    speech = sound("two_speakers.flac")
    assert hear(join(beep, quiet(3))).text == ""
    heard = hear(join(beep, quiet(1), speech), language="en")
    assert error_rate(manifest["two_speakers.flac"]["text"], heard.text, "en") == 0


def test_the_first_word_is_there_when_speech_begins_at_sample_0(hear, sound):
    speech = sound("printing.flac")
    onset = int(np.flatnonzero(np.abs(speech) > 0.02)[0])
    assert hear(speech[onset:], language="en").text.startswith("Printing")


def test_times_are_those_of_the_file(hear, sound):
    sentence = sound("two_speakers.flac")[: round(4.7 * SAMPLE_RATE)]
    onset = int(np.flatnonzero(np.abs(sentence) > 0.02)[0]) / SAMPLE_RATE
    heard = hear(join(quiet(60), sentence, quiet(60), sentence), words=True, language="en")
    goods = [word for segment in heard.segments for word in segment.words if word.text.strip() == "Good"]
    ats = [60 + onset, 120 + sentence.size / SAMPLE_RATE + onset]
    assert [word.start for word in goods] == [pytest.approx(at, abs=0.2) for at in ats]
    starts = [segment.start for segment in heard.segments]
    assert starts == sorted(starts)
    assert all(segment.end <= heard.summary.duration for segment in heard.segments)


def test_words_join_to_the_text_and_follow_each_other(hear):
    heard = hear(SAMPLES / "two_speakers.flac", words=True)
    words = [word for segment in heard.segments for word in segment.words]
    assert "".join(word.text for word in words).strip() == heard.text
    assert all(word.start <= word.end for word in words)
    assert [word.start for word in words] == sorted(word.start for word in words)
    assert all(0 < word.probability <= 1 for word in words)
    # the second speaker's turn is known to begin at 4.73 s
    almost = next(word for word in words if "Almost" in word.text)
    assert almost.start == pytest.approx(5.2, abs=0.5)


def test_speech_on_one_channel_only_is_heard_and_kept_apart(hear, sound):
    speech = sound("two_speakers.flac")
    turn = round(4.73 * SAMPLE_RATE)
    left = join(speech[:turn], quiet((speech.size - turn) / SAMPLE_RATE))
    right = join(quiet(turn / SAMPLE_RATE), speech[turn:])
    stereo = np.stack([left, right])
    mixed = hear(stereo, language="en").text
    assert "Good morning" in mixed
    assert "sales team" in mixed
    apart = hear(stereo, language="en", split_channels=True)
    by_channel = {channel: "".join(s.text for s in apart.segments if s.channel == channel) for channel in (0, 1)}
    assert "yesterday" in by_channel[0]
    assert "Almost" not in by_channel[0]
    assert "before noon" in by_channel[1]
    assert "morning" not in by_channel[1]


def test_opposite_phase_is_heard(hear, sound, manifest):
    speech = sound("two_speakers.flac")
    heard = hear(np.stack([speech, -speech]), language="en")
    assert error_rate(manifest["two_speakers.flac"]["text"], heard.text, "en") == 0


def test_speech_without_any_pause_loses_and_doubles_nothing_at_seams(hear, sound, manifest):
    """A minute of speech cut from its pauses: there is no place to cut at but inside it."""
    speech = sound("printing.flac")
    level = np.abs(speech[: speech.size // 160 * 160]).reshape(-1, 160).mean(axis=1)
    dense = speech[: level.size * 160].reshape(-1, 160)[level > 0.004].ravel()
    text = manifest["printing.flac"]["text"]
    heard = hear(np.tile(dense, 6), language="en").text
    alignment = align(units(" ".join([text] * 6), "en"), units(heard, "en"))
    assert alignment.insertions == 0  # nothing twice
    assert alignment.deletions <= 6  # "arts and crafts" without its pauses is "arson crafts", once in each reading
    assert alignment.substitutions <= 10  # how the model hears squeezed speech; seams lose or double


def test_a_sentence_that_is_said_again_and_again_is_written_as_often(hear, sound):
    speech = sound("printing.flac")
    phrase = speech[round(9.97 * SAMPLE_RATE) :]  # "in being comparatively modern."
    text = hear(np.tile(join(phrase, quiet(0.4)), 8), language="en").text.casefold()
    assert text.count("comparatively") == 8


def test_translation_gives_english(hear):
    heard = hear(SAMPLES / "fr.ogg", task="translate")
    assert "beach" in heard.text.casefold()
    assert heard.summary.language == "fr"


def test_candidates_restrict_the_language(hear):
    assert hear(SAMPLES / "es.ogg", candidates=("fr", "it")).summary.language in {"fr", "it"}


def test_keywords_and_prompt_spell_words(hear):
    assert "colors" in hear(SAMPLES / "colours.ogg", language="en").text
    assert "colours" in hear(SAMPLES / "colours.ogg", language="en", keywords=("colours",)).text
    assert "colours" in hear(SAMPLES / "colours.ogg", language="en", prompt="He painted in bright colours.").text


def test_logprobs_are_those_of_the_text(hear):
    heard = hear(SAMPLES / "two_speakers.flac", logprobs=True, readable=False)
    data = b"".join(bytes(entry.bytes) for segment in heard.segments for entry in segment.logprobs)
    assert data.decode().strip() == heard.text
    assert all(entry.logprob <= 0 for segment in heard.segments for entry in segment.logprobs)


def test_text_does_not_depend_on_who_else_is_served(house, hear, sound):
    speech = sound("printing.flac")
    clips = [speech[start : start + 5 * SAMPLE_RATE] for start in range(0, speech.size - 5 * SAMPLE_RATE, 9000)]
    alone = [hear(clip, language="en").text for clip in clips]
    together = [""] * len(clips)

    def run(place):
        request = ListenRequest(wav_bytes(clips[place]), language="en")
        together[place] = "".join(s.text for s in house.listener.transcribe(request, Cancellation())).strip()

    batches = house.listener.engines()[1].batches
    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(clips))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone
    assert house.listener.engines()[1].batches - batches < len(clips)  # they did share batches


def test_a_killed_engine_costs_nobody_anything(house, hear, manifest):
    results = []
    thread = threading.Thread(target=lambda: results.append(hear(SAMPLES / "printing.flac", language="en")))
    restarts = house.listener.engines()[1].restarts
    thread.start()
    deadline = time.monotonic() + 30
    while not house.listener.engines()[1].running:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(house.engine("whisper").pid, signal.SIGKILL)
    thread.join(60)
    assert error_rate(manifest["printing.flac"]["text"], results[0].text, "en") <= 0.02
    assert house.listener.engines()[1].restarts == restarts + 1
