"""A finished transcript in each `response_format`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, PlainTextResponse, Response

from tympan.listen.documents import TIME_DECIMALS, duration_usage, short_json, verbose_json
from tympan.listen.subtitles import write_srt, write_vtt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tympan.api.fields import AnswerOptions
    from tympan.api.wire import DiarizedSegment, Language, Logprob
    from tympan.listen.request import ListenRequest
    from tympan.listen.results import Segment, Summary, Transcript

LETTERS = 26
LOWEST_LOGPROB = -9999.0  # what OpenAI's service writes for a probability of 0: JSON has no infinity
MAX_WARNING_CHARACTERS = 1000  # proxies refuse long headers


def write_answer(transcript: Transcript, request: ListenRequest, options: AnswerOptions) -> Response:
    """Return the whole answer, in the format that was asked for."""
    response = _BODIES[options.response_format](transcript, request, options)
    response.headers.update(answer_headers(request, transcript.summary))
    return response


def answer_headers(request: ListenRequest, summary: Summary | None = None) -> dict[str, str]:
    """Return our own headers: the model that answered, and what was odd about the file."""
    headers = {"x-tympan-model": request.model}
    if summary is not None and summary.warnings:
        text = " ".join(" ".join(summary.warnings).split())  # a header is one line
        headers["x-tympan-warning"] = text.encode("ascii", "replace").decode()[:MAX_WARNING_CHARACTERS]
    return headers


def languages(summary: Summary) -> list[Language]:
    """Return the languages heard; none when that is not known."""
    return [{"code": summary.language}] if summary.language else []


def logprobs(segments: Iterable[Segment]) -> list[Logprob]:
    """Return the tokens of all segments with their log-probabilities."""
    return [
        {"token": token.token, "logprob": max(token.logprob, LOWEST_LOGPROB), "bytes": list(token.bytes)}
        for segment in segments
        for token in segment.logprobs
    ]


def speaker(channel: int, names: Sequence[str]) -> str:
    """Return who speaks on a channel: the given name, else A to Z, then AA, AB and so on."""
    if channel < len(names):
        return names[channel]
    letters = ""
    number = channel + 1
    while number:
        number, digit = divmod(number - 1, LETTERS)
        letters = chr(ord("A") + digit) + letters
    return letters


class DiarizedWriter:
    """Turns segments, as they come, into segments with a speaker and into the lines of the whole text."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._last_speaker: str | None = None
        self._count = 0

    def push(self, segment: Segment) -> tuple[DiarizedSegment, str] | None:
        """Return the segment and what it adds to the text; None for one without text."""
        text = segment.text.strip()
        if not text:
            return None
        self._count += 1
        who = speaker(segment.channel, self._names)
        if who == self._last_speaker:
            addition = segment.text.rstrip()
        else:
            addition = ("" if self._last_speaker is None else "\n") + f"{who}: {text}"
        self._last_speaker = who
        wire: DiarizedSegment = {
            "type": "transcript.text.segment",
            "id": f"seg_{self._count:03d}",
            "start": round(segment.start, TIME_DECIMALS),
            "end": round(segment.end, TIME_DECIMALS),
            "text": text,
            "speaker": who,
        }
        return wire, addition


def diarized(segments: Iterable[Segment], names: Sequence[str]) -> Iterator[tuple[DiarizedSegment, str]]:
    """Give each segment with its speaker, and what it adds to the text."""
    writer = DiarizedWriter(names)
    return (pushed for segment in segments if (pushed := writer.push(segment)) is not None)


def _json(transcript: Transcript, request: ListenRequest, options: AnswerOptions) -> Response:
    if request.task == "translate":
        return JSONResponse({"text": transcript.text})  # OpenAI's translation has no other key
    document = short_json(transcript)
    document["languages"] = languages(transcript.summary)
    if options.logprobs:
        document["logprobs"] = logprobs(transcript.segments)
    return JSONResponse(document)


def _verbose(transcript: Transcript, request: ListenRequest, options: AnswerOptions) -> Response:
    return JSONResponse(
        verbose_json(
            transcript,
            task=request.task,
            words=options.words,
            segments=options.segments,
            channels=request.split_channels,
        )
    )


def _diarized(transcript: Transcript, request: ListenRequest, options: AnswerOptions) -> Response:
    pieces = list(diarized(transcript.segments, options.speakers))
    document: dict[str, object] = {
        "task": request.task,
        "duration": round(transcript.summary.duration, TIME_DECIMALS),
        "text": "".join(addition for _, addition in pieces),
        "segments": [segment for segment, _ in pieces],
    }
    if transcript.summary.warnings:
        document["warnings"] = list(transcript.summary.warnings)
    document["usage"] = duration_usage(transcript.summary)
    return JSONResponse(document)


def _text(transcript: Transcript, _request: ListenRequest, _options: AnswerOptions) -> Response:
    return PlainTextResponse(transcript.text + "\n")


def _srt(transcript: Transcript, _request: ListenRequest, _options: AnswerOptions) -> Response:
    return PlainTextResponse(write_srt(transcript.segments))


def _vtt(transcript: Transcript, _request: ListenRequest, _options: AnswerOptions) -> Response:
    return PlainTextResponse(write_vtt(transcript.segments))


_BODIES = {
    "json": _json,
    "text": _text,
    "srt": _srt,
    "verbose_json": _verbose,
    "vtt": _vtt,
    "diarized_json": _diarized,
}
