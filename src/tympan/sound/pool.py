"""The decoder processes: some kept warm, more under load, none that has died."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from tympan.errors import EngineUnavailable, NotReady
from tympan.sound.decoding import Decoder, Decoding
from tympan.sound.turns import Turns

if TYPE_CHECKING:
    from tympan.cancel import Cancellation
    from tympan.settings import SoundSettings
    from tympan.sound.media import Media

PATIENCE_S = 0.15  # what a start takes: most files are done sooner, so a burst of them waits rather than starts many
LINGER_S = 30.0  # a process beyond the warm ones waits this long for its next file: its start costs a third of one


class DecoderPool:
    """Decodes untrusted media in child processes, one file at a time in each. Safe from any thread.

    `settings.workers` processes are started at once and kept; up to `settings.max_workers` run under load, and
    further files wait their turn. A process that dies, stalls or passes a limit costs the file it works on, and is
    replaced.
    """

    def __init__(self, settings: SoundSettings) -> None:
        self._settings = settings
        self._warm = min(settings.workers, settings.max_workers)
        self._turns = Turns(settings.max_workers)
        self._lock = threading.Condition()
        self._idle: list[Decoder] = []
        self._busy: set[Decoder] = set()
        self._closed = False
        self._trimming: threading.Timer | None = None
        self._refill()

    def open(
        self, media: Media, *, split: bool = False, max_seconds: float | None = None, cancellation: Cancellation
    ) -> Decoding:
        """Start to decode: bytes, or a file that the process opens. Returns when its first block is there.

        Blocks are mixed to mono, or with `split` keep the channels. With `max_seconds` the whole file is measured
        first, and longer audio is `AudioTooLong` (`param="max_seconds"`) before a block is given.

        Raises `EmptyAudio`, `UndecodableAudio`, `NoAudioStream`, `AudioTooShort`, `AudioTooLong`, `NonFiniteAudio`,
        `SampleRateRefused`, `TooManyChannels`, `DecodeLimit`, `UnreadableFile`, `Cancelled`, `EngineUnavailable`
        or, when the pool closes, `NotReady`.
        """
        self._turns.enter(cancellation)
        try:
            decoder = self._take()
        except BaseException:
            self._turns.leave()
            raise
        decoding = Decoding(decoder, self._release, cancellation)
        try:
            decoding.begin(media, split=split, max_seconds=max_seconds)
        except BaseException:
            decoding.close()
            raise
        return decoding

    def close(self) -> None:
        """End every process. Files at work fail with `NotReady`. May be called twice."""
        self._turns.close()
        with self._lock:
            self._closed = True
            self._lock.notify_all()
            idle, self._idle = self._idle, []
            busy = list(self._busy)
            if self._trimming is not None:
                self._trimming.cancel()
        for decoder in idle:
            decoder.stop()
        for decoder in busy:
            decoder.shut()

    def _take(self) -> Decoder:
        dead: list[Decoder] = []
        try:
            with self._lock:
                if len(self._busy) >= self._warm:
                    self._lock.wait_for(lambda: self._idle or self._closed, PATIENCE_S)
                if self._closed:
                    raise NotReady("it is shutting down")
                decoder = None
                while self._idle and decoder is None:
                    newest = self._idle.pop()
                    if newest.alive:
                        decoder = newest
                    else:
                        dead.append(newest)
                decoder = decoder or self._start()
                self._busy.add(decoder)
                return decoder
        finally:
            for each in dead:
                each.stop()

    def _release(self, decoder: Decoder, reusable: bool) -> None:  # noqa: FBT001  (called by position, privately)
        with self._lock:
            self._busy.discard(decoder)
            keep = reusable and decoder.alive and not self._closed
            if keep:
                decoder.idle_since = time.monotonic()
                self._idle.append(decoder)
                self._lock.notify()
                self._trim_later()
        if not keep:
            decoder.stop(0.0)
            self._refill()
        self._turns.leave()

    def _refill(self) -> None:
        with self._lock:
            while not self._closed and len(self._idle) + len(self._busy) < self._warm:
                try:
                    self._idle.insert(0, self._start())
                except EngineUnavailable:
                    return  # whoever needs one tries again and gets the error

    def _start(self) -> Decoder:
        try:
            return Decoder(self._settings)
        except OSError as error:
            raise EngineUnavailable("decoder", str(error)) from error

    def _trim_later(self) -> None:
        if len(self._idle) <= self._warm or self._trimming is not None:
            return
        self._trimming = threading.Timer(LINGER_S, self._trim)
        self._trimming.daemon = True
        self._trimming.start()

    def _trim(self) -> None:
        """End what is beyond the warm ones and has had nothing to do for a while."""
        with self._lock:
            self._trimming = None
            if self._closed:
                return
            spare = max(0, len(self._idle) + len(self._busy) - self._warm)
            long_ago = time.monotonic() - LINGER_S
            surplus = [each for each in self._idle if each.idle_since <= long_ago][:spare]
            self._idle = [each for each in self._idle if each not in surplus]
            self._trim_later()
        for each in surplus:
            each.stop()
