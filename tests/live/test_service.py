"""`tympan serve` as a process of its own, with the real models, seen by the openai SDK in strict mode."""

import base64
import io
import json
import re
import socket
import threading
import time

import av
import httpx
import numpy as np
import openai
import pytest
from openai import OpenAI
from tests.live.conftest import SAMPLES, noise, wav_bytes

TEXT = re.compile(r"^Printing, in the only sense .* in being comparatively modern\.$")


@pytest.fixture(scope="module")
def client(url):
    return OpenAI(base_url=f"{url}/v1", api_key="none", _strict_response_validation=True, max_retries=0)


@pytest.fixture
def transcribe(client):
    def run(file="printing.flac", **fields):
        media = (SAMPLES / file).open("rb") if isinstance(file, str) else file
        return client.audio.transcriptions.create(file=media, model=fields.pop("model", "whisper-1"), **fields)

    return run


@pytest.mark.parametrize(
    "model", ["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-transcribe", "whisper"]
)
def test_every_model_name_answers(transcribe, model):
    assert TEXT.match(transcribe(model=model).text)


def test_formats(transcribe):
    assert TEXT.match(transcribe(response_format="text").strip())
    srt = transcribe(response_format="srt")
    assert srt.startswith("1\n00:00:00,")
    assert "comparatively modern." in srt
    vtt = transcribe(response_format="vtt")
    assert vtt.startswith("WEBVTT\n")
    assert "comparatively modern." in vtt


def test_verbose_json(transcribe):
    verbose = transcribe(response_format="verbose_json", timestamp_granularities=["word", "segment"])
    assert verbose.language == "english"
    assert verbose.duration == pytest.approx(11.85, abs=0.05)
    assert "".join(segment.text for segment in verbose.segments).strip() == verbose.text
    words = [word.word.strip() for word in verbose.words]
    assert words[:2] == ["Printing,", "in"]
    assert all(0 <= word.start <= word.end <= verbose.duration for word in verbose.words)
    assert all(segment.tokens for segment in verbose.segments)
    assert verbose.usage.seconds == 12


def test_streaming(transcribe):
    events = list(transcribe(stream=True))
    *deltas, done = events
    assert {event.type for event in deltas} == {"transcript.text.delta"}
    assert done.type == "transcript.text.done"
    assert "".join(event.delta for event in deltas) == done.text
    assert TEXT.match(done.text)


def test_logprobs(transcribe):
    answer = transcribe(include=["logprobs"])
    data = b"".join(bytes(int(byte) for byte in entry.bytes) for entry in answer.logprobs)
    assert data.decode().strip() == answer.text


def test_diarized_by_channel(url):
    with av.open(str(SAMPLES / "two_speakers.flac")) as container:
        speech = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)]).astype(np.float32)
    speech /= 32768
    turn = round(4.73 * 16_000)
    stereo = np.zeros((2, speech.size), np.float32)
    stereo[0, :turn], stereo[1, turn:] = speech[:turn], speech[turn:]
    answer = httpx.post(
        f"{url}/v1/audio/transcriptions",
        files={"file": ("call.wav", wav_bytes(stereo))},
        data={"model": "gpt-4o-transcribe-diarize", "response_format": "diarized_json", "language": "en"},
        timeout=60,
    ).json()
    assert [segment["speaker"] for segment in answer["segments"]] == ["A", "B"]
    assert "yesterday" in answer["segments"][0]["text"]
    assert "before noon" in answer["segments"][1]["text"]


@pytest.mark.filterwarnings("ignore:deprecated:DeprecationWarning")  # by OpenAI; clients still use it
def test_translation(client):
    with (SAMPLES / "fr.ogg").open("rb") as file:
        answer = client.audio.translations.create(model="whisper-1", file=file)
    assert "beach" in answer.text.casefold()


def encoded(container_format, codec, rate, *, layout="mono"):
    """Return printing.flac in another container."""
    buffer = io.BytesIO()
    with av.open(str(SAMPLES / "printing.flac")) as source, av.open(buffer, "w", format=container_format) as target:
        stream = target.add_stream(codec, rate=rate, layout=layout)
        resampler = av.AudioResampler(format=stream.codec_context.format, layout=layout, rate=rate)
        frames = [out for frame in source.decode(audio=0) for out in resampler.resample(frame)]
        for frame in [*frames, *resampler.resample(None), None]:
            if frame is not None:
                frame.pts = None
            target.mux(stream.encode(frame))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("container_format", "codec", "rate", "layout"),
    [
        ("mp3", "libmp3lame", 44_100, "stereo"),
        ("ipod", "aac", 44_100, "mono"),  # m4a, its index at the end
        ("mp4", "aac", 48_000, "stereo"),
        ("ogg", "libopus", 48_000, "mono"),
        ("webm", "libopus", 48_000, "mono"),
        ("flac", "flac", 96_000, "stereo"),
        ("wav", "pcm_f32le", 48_000, "stereo"),
        ("wav", "pcm_s24le", 44_100, "mono"),
        ("wav", "pcm_u8", 22_050, "mono"),
        ("wav", "pcm_f64le", 24_000, "mono"),
        ("adts", "aac", 32_000, "mono"),
    ],
)
def test_every_container_under_a_lying_name(transcribe, container_format, codec, rate, layout):
    media = ("recording.bin", encoded(container_format, codec, rate, layout=layout), "application/octet-stream")
    text = transcribe(media, language="en").text
    assert text.startswith("Printing")
    assert text.endswith("modern.")


@pytest.mark.parametrize("codec", ["pcm_s16le", "pcm_mulaw", "pcm_alaw"])
def test_telephone_rates(transcribe, codec):
    text = transcribe(("call.wav", encoded("wav", codec, 8_000)), language="en").text
    assert "only sense" in text
    assert "modern" in text


def test_silence_and_noise_are_no_text(transcribe):
    for audio in (np.zeros(160_000, np.float32), noise(10, -45)):
        media = ("room.wav", wav_bytes(audio))
        assert transcribe(media).text == ""
        assert transcribe(media, response_format="srt") == ""
        assert transcribe(media, response_format="vtt") == "WEBVTT\n"
        assert transcribe(media, response_format="verbose_json").segments == []


def test_json_body_as_open_webui_sends_it(url):
    data = base64.b64encode((SAMPLES / "printing.flac").read_bytes()).decode()
    body = {"model": "whisper-1", "language": "en", "input_audio": {"data": data, "format": "flac"}}
    assert TEXT.match(httpx.post(f"{url}/v1/audio/transcriptions", json=body, timeout=60).json()["text"])


def m4a_without_its_index():
    whole = encoded("ipod", "aac", 44_100)
    return whole[: whole.index(b"moov") - 4]


@pytest.mark.parametrize(
    ("media", "fields", "status", "code", "param"),
    [
        (b"", {}, 400, "invalid_value", "file"),
        (b"hello, this is no sound at all\n" * 40, {}, 400, "invalid_value", "file"),
        (b"PK\x03\x04" + bytes(500), {}, 400, "invalid_value", "file"),
        (b"#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n", {}, 400, "invalid_value", "file"),
        (m4a_without_its_index, {}, 400, "invalid_value", "file"),
        (lambda: wav_bytes(np.zeros(1, np.float32)), {}, 400, "audio_too_short", "file"),
        (lambda: wav_bytes(np.zeros(1500, np.float32)), {}, 400, "audio_too_short", "file"),
        (lambda: wav_bytes(np.zeros(16_000, np.float32), rate=2_000_000_000), {}, 400, "invalid_value", "file"),
        (lambda: wav_bytes(np.zeros((64, 16_000), np.float32)), {}, 400, "invalid_value", "file"),
        (None, {"language": "xx"}, 400, "invalid_language_format", "language"),
        (None, {"model": "whisper-9"}, 404, "model_not_found", None),
        (None, {"response_format": "docx"}, 400, "invalid_value", "response_format"),
        (None, {"temperature": 3}, 400, "invalid_value", "temperature"),
        (None, {"language": "en", "extra_body": {"languages": ["en", "de"]}}, 400, "invalid_value", None),
        (None, {"extra_body": {"max_seconds": 5}}, 413, "audio_too_long", "max_seconds"),
    ],
)
def test_bad_input_is_a_clear_4xx(transcribe, media, fields, status, code, param):
    media = media() if callable(media) else media
    file = "printing.flac" if media is None else ("audio.wav", media)
    with pytest.raises(openai.APIStatusError) as caught:
        transcribe(file, **fields)
    error = caught.value
    assert (error.status_code, error.code) == (status, code)
    if param:
        assert error.param == param
    assert error.message


def test_bad_input_harms_nobody_beside_it(transcribe):
    """Good requests are answered while bad ones of every kind come in."""
    good, failed = [], []

    def bad():
        for media in (b"", b"RIFF" + bytes(100), m4a_without_its_index(), wav_bytes(np.zeros((64, 1600), np.float32))):
            try:
                transcribe(("x.wav", media))
            except openai.BadRequestError:
                failed.append(1)

    threads = [threading.Thread(target=bad) for _ in range(4)]
    threads += [threading.Thread(target=lambda: good.append(transcribe(language="en").text)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(failed) == 16
    assert len(good) == 4
    assert all(TEXT.match(text) for text in good)


def metric(url, name):
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name) and not line.startswith("#"))


def test_a_client_that_leaves_stops_the_work(url, sound):
    """Twenty minutes are posted, the socket is closed after a second; soon nothing runs any more."""
    audio = wav_bytes(np.tile(sound("printing.flac"), 100))
    before = metric(url, "tympan_cancellations_total")
    host, port = url.removeprefix("http://").split(":")
    boundary = "b0undary"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--{boundary}\r\n'
    head += 'Content-Disposition: form-data; name="file"; filename="long.wav"\r\n\r\n'
    body = head.encode() + audio + f"\r\n--{boundary}--\r\n".encode()
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(
            f"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
            f"Content-Type: multipart/form-data; boundary={boundary}\r\n\r\n".encode()
        )
        connection.sendall(body)
        time.sleep(1)
    deadline = time.monotonic() + 10
    while metric(url, "tympan_engine_running") or metric(url, "tympan_engine_queue_depth"):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert metric(url, "tympan_cancellations_total") == before + 1


def test_models_health_and_ids(url, client):
    ids = {model.id for model in client.models.list()}
    assert {"whisper", "whisper-1", "gpt-4o-transcribe"} <= ids
    assert client.models.retrieve("whisper-1").id == "whisper-1"
    assert httpx.get(f"{url}/livez").status_code == 200
    answer = httpx.get(f"{url}/v1/models/none", headers={"x-request-id": "mine"})
    assert answer.status_code == 404
    assert answer.headers["x-request-id"] == "mine"
    assert json.loads(answer.text)["error"]["code"] == "model_not_found"
