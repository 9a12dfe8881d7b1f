import threading
import time
from concurrent.futures import Future
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.standins import AmplitudeDetector, ArrayDecoder, InlineRunner, ToneNamer, quiet, tone

from tympan.cancel import Cancellation
from tympan.engines.protocols import IdentifyItem, Recognition, Span, TokenLogprob
from tympan.errors import Busy, Cancelled, EngineCrashed, UnknownModel
from tympan.listen.listener import OPENAI_IDS, SpeechListener
from tympan.listen.request import Cutting, ListenRequest
from tympan.listen.results import Segment, Transcript, join_text
from tympan.listen.transcription import StreamingTranscription
from tympan.sound.waveform import SAMPLE_RATE


class Bench:
    """A listener made of stand-ins."""

    def __init__(self, *, channels=1, block=32_768, recognizer=None, ahead=4):
        self.decoder = ArrayDecoder(channels, block)
        self.voice = InlineRunner("voice", AmplitudeDetector())
        self.recognizer = recognizer or InlineRunner("whisper", ToneNamer())
        self.listener = SpeechListener(
            self.decoder, self.voice, {"whisper": self.recognizer}, default="whisper", ahead=ahead
        )

    def hear(self, samples, **fields):
        request = ListenRequest(np.asarray(samples, np.float32).tobytes(), **fields)
        transcription = self.listener.transcribe(request, Cancellation())
        segments = tuple(transcription)
        return Transcript(segments, transcription.summary)

    @property
    def spans(self):
        return [item for item in self.recognizer.items if isinstance(item, Span)]


def join(*pieces):
    return np.concatenate(pieces)


def numbered(count, *, sound=0.6, pause=0.0):
    return join(*[part for n in range(count) for part in (tone(n % 20, sound), quiet(pause))])


def test_text_and_times_in_the_files_clock():
    audio = join(quiet(60), tone(3, 2), quiet(60), tone(7, 2), quiet(5))
    heard = Bench().hear(audio, words=True)
    assert heard.text == "t3 t7"
    first, second = heard.segments
    assert first.start == pytest.approx(60, abs=0.05)
    assert first.end == pytest.approx(62, abs=0.05)
    assert second.start == pytest.approx(124 - 2, abs=0.05)
    assert [(segment.id, segment.seek) for segment in heard.segments] == [
        (0, int(first.start * 100)),
        (1, int(second.start * 100)),
    ]
    assert heard.summary.duration == 129
    assert heard.summary.speech == pytest.approx(4, abs=0.1)


def test_silence_is_no_text_and_never_reaches_the_recognizer():
    bench = Bench()
    heard = bench.hear(quiet(30))
    assert (heard.text, heard.segments, heard.summary.language) == ("", (), "")
    assert bench.recognizer.items == []


def test_speech_from_the_first_sample_is_decoded_with_a_lead_in():
    bench = Bench()
    heard = bench.hear(join(tone(5, 1), quiet(2)), words=True)
    assert heard.text == "t5"
    assert heard.segments[0].words[0].start == pytest.approx(0, abs=0.02)
    assert bench.spans[0].samples.size == pytest.approx(2 * SAMPLE_RATE, abs=512)


def test_speech_up_to_the_last_sample():
    heard = Bench().hear(join(quiet(1), tone(5, 1.01)))
    assert heard.text == "t5"
    assert heard.segments[-1].end <= heard.summary.duration


@pytest.mark.parametrize("pause", [0.0, 0.25, 0.7, 2.5])
def test_every_number_once_and_in_order(pause):
    count = 300
    heard = Bench().hear(numbered(count, pause=pause), words=True)
    assert heard.text.split() == [f"t{n % 20}" for n in range(count)]
    starts = [segment.start for segment in heard.segments]
    assert starts == sorted(starts)
    words = [word for segment in heard.segments for word in segment.words]
    for n, word in enumerate(words):
        assert word.start == pytest.approx(n * (0.6 + pause), abs=0.06)


def test_a_pause_exactly_where_blocks_meet():
    audio = join(tone(1, 32_768 / SAMPLE_RATE - 0.2), quiet(0.4), tone(2, 3))
    assert Bench().hear(audio).text == "t1 t2"


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 100_000), st.integers(0, 5))
def test_the_answer_does_not_depend_on_blocks(block, seed):
    rng = np.random.default_rng(seed)
    audio = join(*[part for n in range(8) for part in (tone(n, rng.uniform(0.2, 12)), quiet(rng.uniform(0, 3)))])
    expected = Bench().hear(audio, words=True)
    block = max(block, 500)
    assert Bench(block=block).hear(audio, words=True) == expected


def test_memory_does_not_grow_with_the_length():
    bench = Bench()
    audio = np.tile(join(tone(1, 5), quiet(3)), 100)
    largest = 0
    request = ListenRequest(audio.tobytes())
    transcription = bench.listener.transcribe(request, Cancellation())
    assert isinstance(transcription, StreamingTranscription)
    for _ in transcription:
        largest = max(largest, transcription._channels[0].cutter._held.size)
    assert largest < 40 * SAMPLE_RATE


def test_channels_apart():
    left = join(tone(1, 2), quiet(6), tone(2, 2), quiet(6))
    right = join(quiet(4), tone(11, 2), quiet(8), tone(12, 2))
    bench = Bench(channels=2)
    heard = bench.hear(np.stack([left, right]), split_channels=True)
    assert [(segment.channel, segment.text.strip()) for segment in heard.segments] == [
        (0, "t1"), (1, "t11"), (0, "t2"), (1, "t12")
    ]  # fmt: skip
    assert [segment.id for segment in heard.segments] == [0, 1, 2, 3]


def test_channels_apart_are_in_time_order_though_one_goes_on_for_long():
    left = numbered(40)  # 24 s without a pause
    right = join(quiet(3), tone(11, 1), quiet(5), tone(12, 1), quiet(14))
    heard = Bench(channels=2).hear(np.stack([left, right]), split_channels=True)
    starts = [segment.start for segment in heard.segments]
    assert starts == sorted(starts)
    assert {segment.channel for segment in heard.segments} == {0, 1}
    assert join_text(s for s in heard.segments if s.channel == 0).split() == [f"t{n % 20}" for n in range(40)]
    by_text = {segment.text.strip(): segment.start for segment in heard.segments if segment.channel == 1}
    assert by_text == {"t11": pytest.approx(3, abs=0.1), "t12": pytest.approx(9, abs=0.1)}


def test_segments_come_while_the_file_is_still_being_decoded():
    bench = Bench()
    audio = np.tile(join(tone(1, 5), quiet(3)), 50)
    transcription = bench.listener.transcribe(ListenRequest(audio.tobytes(), language="en"), Cancellation())
    next(iter(transcription))
    assert bench.decoder.opened[0].blocks_given < 8


def test_closing_early_stops_the_decoder_and_cancels_what_waits():
    bench = Bench()
    audio = np.tile(join(tone(1, 5), quiet(3)), 50)
    transcription = bench.listener.transcribe(ListenRequest(audio.tobytes(), language="en"), Cancellation())
    iterator = iter(transcription)
    next(iterator)
    transcription.close()
    with pytest.raises(Cancelled):
        next(iterator)
    assert bench.decoder.opened[0].closed
    with pytest.raises(RuntimeError):
        _ = transcription.summary


class Held:
    """A runner whose futures the test settles."""

    def __init__(self):
        self.items = []
        self.futures = []
        self.waits = []

    def submit(self, item, *, owner, cancellation, wait=False):
        del owner
        future: Future[Recognition] = Future()
        self.items.append(item)
        self.futures.append(future)
        self.waits.append(wait)
        cancellation.on_cancel(future.cancel)
        return future


def test_at_most_so_many_spans_wait_and_only_the_first_may_be_refused():
    held = Held()
    bench = Bench(recognizer=held, ahead=3)
    audio = np.tile(join(tone(1, 5), quiet(3)), 20)
    results: list[Segment] = []
    transcription = bench.listener.transcribe(ListenRequest(audio.tobytes(), language="en"), Cancellation())
    worker = threading.Thread(target=lambda: results.extend(transcription))
    worker.start()
    namer = ToneNamer()
    for n in range(20):
        deadline = time.monotonic() + 10
        while len(held.futures) <= n:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        assert len(held.futures) - n <= 3
        held.futures[n].set_result(namer.run([held.items[n]])[0])
    worker.join(10)
    assert len(results) == 20
    assert held.waits == [False] + [True] * 19


def test_a_cancelled_request_ends_while_it_waits_for_the_engine():
    bench = Bench(recognizer=Held())
    cancellation = Cancellation()
    request = ListenRequest(join(tone(1, 1), quiet(3)).tobytes(), language="en")
    transcription = bench.listener.transcribe(request, cancellation)
    threading.Timer(0.1, cancellation.cancel).start()
    with pytest.raises(Cancelled):
        list(transcription)


class Refusing(InlineRunner):
    def submit(self, *_, **__):
        raise Busy("whisper queue", 3)


def test_busy_reaches_the_caller():
    bench = Bench(recognizer=Refusing("whisper", ToneNamer()))
    with pytest.raises(Busy):
        bench.hear(join(tone(1, 1), quiet(1)))
    assert bench.decoder.opened[0].closed


class Crashing(ToneNamer):
    def run(self, *_):
        raise EngineCrashed("whisper", "its process was ended by SIGSEGV")


def test_an_engine_error_ends_the_request():
    bench = Bench(recognizer=InlineRunner("whisper", Crashing()))
    with pytest.raises(EngineCrashed):
        bench.hear(join(tone(1, 1), quiet(1)))


def test_a_blip_and_nothing_else_is_no_error():
    heard = Bench().hear(join(quiet(1), tone(3, 0.1), quiet(130), tone(4, 3), quiet(1)))
    assert heard.text.split()[-1] == "t4"
    no_pad = Cutting(pad_s=0.0)
    assert Bench().hear(join(quiet(1), tone(3, 0.1), quiet(1)), language="en", cutting=no_pad).segments is not None


@pytest.mark.parametrize("min_quiet_s", [0.3, 2.0, 8.0])
def test_nothing_is_lost_before_a_long_pause(min_quiet_s):
    heard = Bench().hear(join(numbered(43), quiet(30)), cutting=Cutting(min_quiet_s=min_quiet_s))
    assert heard.text.split() == [f"t{n % 20}" for n in range(43)]


def test_words_at_a_seam_do_not_overlap():
    heard = Bench().hear(numbered(300), words=True)
    words = [word for segment in heard.segments for word in segment.words]
    assert all(one.end <= other.start + 1e-9 for one, other in pairwise(words))


class Probable(ToneNamer):
    """Gives a token and its probability for each word."""

    def _name(self, span):
        recognition = super()._name(span)
        words = tuple(replace(word, tokens=(int(word.text[2:]),)) for word in recognition.words)
        logprobs = tuple(TokenLogprob(word.text, -0.1, tuple(word.text.encode())) for word in words)
        return replace(recognition, words=words, tokens=tuple(t for w in words for t in w.tokens), logprobs=logprobs)


def test_tokens_and_their_probabilities_are_those_of_the_text_also_at_seams():
    heard = Bench(recognizer=InlineRunner("whisper", Probable())).hear(numbered(100), readable=False, logprobs=True)
    assert "".join(entry.token for segment in heard.segments for entry in segment.logprobs).strip() == heard.text
    assert [token for segment in heard.segments for token in segment.tokens] == [n % 20 for n in range(100)]


class Forgetful(ToneNamer):
    """Writes a word only once, however often it is said."""

    def _name(self, span):
        recognition = super()._name(span)
        once = tuple({word.text: replace(word, tokens=(7,)) for word in reversed(recognition.words)}.values())
        tokens = tuple(token for word in once for token in word.tokens)
        return replace(recognition, words=once, text="".join(word.text for word in once), tokens=tokens)


def test_what_is_said_again_and_again_is_heard_from_pause_to_pause():
    bench = Bench(recognizer=InlineRunner("whisper", Forgetful()))
    heard = bench.hear(np.tile(join(tone(3, 1.9), quiet(0.5)), 8), language="en")
    assert heard.text.split() == ["t3"] * 8
    starts = [segment.start for segment in heard.segments]
    assert starts == pytest.approx([2.4 * n for n in range(8)], abs=0.06)


# -- language ---------------------------------------------------------------------------------------------------


def test_one_span_names_its_language_in_its_own_decode():
    bench = Bench()
    heard = bench.hear(join(tone(1, 2), quiet(1)), candidates=("de", "fr"))
    assert bench.spans[0].options.language is None
    assert bench.spans[0].options.candidates == ("de", "fr")
    assert len(bench.recognizer.items) == 1
    assert heard.summary.language == "de"


def test_several_spans_have_their_language_named_from_speech_alone():
    bench = Bench()
    heard = bench.hear(np.tile(join(tone(1, 4), quiet(4)), 5), candidates=("de", "fr"))
    identify, *spans = bench.recognizer.items
    assert isinstance(identify, IdentifyItem)
    assert identify.samples.size == 10 * SAMPLE_RATE
    assert np.abs(identify.samples.reshape(-1, 160)).mean(axis=1).min() > 0.01  # silences are cut
    assert {span.options.language for span in spans} == {"de"}
    assert heard.summary.language == "de"
    assert heard.summary.language_probability == pytest.approx(0.9)


def test_a_named_language_is_not_identified():
    bench = Bench()
    bench.hear(np.tile(join(tone(1, 4), quiet(4)), 5), language="pl")
    assert {span.options.language for span in bench.spans} == {"pl"}
    assert len(bench.spans) == len(bench.recognizer.items)


def test_options_reach_the_recognizer():
    bench = Bench()
    fields = {"task": "translate", "prompt": "before", "keywords": ("Ollama",), "temperature": 0.4, "logprobs": True}
    bench.hear(join(tone(1, 1), quiet(1)), words=False, readable=False, **fields)
    options = bench.spans[0].options
    assert {name: getattr(options, name) for name in fields} == fields
    assert (options.words, options.logprobs) == (False, True)


def test_word_times_are_taken_at_seams_even_when_nobody_asks():
    bench = Bench()
    heard = bench.hear(numbered(100), readable=False)
    assert heard.text.split() == [f"t{n % 20}" for n in range(100)]
    assert all(span.options.words for span in bench.spans)
    assert all(not segment.words for segment in heard.segments)


# -- models -----------------------------------------------------------------------------------------------------


def test_models_and_aliases():
    listener = Bench().listener
    [card] = listener.models()
    assert card.id == "whisper"
    assert set(card.aliases) == set(OPENAI_IDS)
    assert {listener.resolve(name) for name in ("whisper", *OPENAI_IDS)} == {"whisper"}
    with pytest.raises(UnknownModel):
        listener.resolve("whisper-9")
    assert [report.name for report in listener.engines()] == ["voice", "whisper"]
