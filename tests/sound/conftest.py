from dataclasses import dataclass

import numpy as np
import pytest

from tympan.cancel import Cancellation
from tympan.settings import SoundSettings
from tympan.sound.media import DecodeReport, MediaInfo
from tympan.sound.pool import DecoderPool
from tympan.sound.waveform import Samples


@dataclass
class Decoded:
    info: MediaInfo
    report: DecodeReport
    samples: Samples  # [C, n]


@pytest.fixture(scope="session")
def pool():
    pool = DecoderPool(SoundSettings(workers=1, max_workers=2))
    yield pool
    pool.close()


@pytest.fixture
def decode(pool):
    def decode(media, *, split=False, max_seconds=None):
        with pool.open(media, split=split, max_seconds=max_seconds, cancellation=Cancellation()) as decoding:
            blocks = list(decoding)
        starts = [block.start for block in blocks]
        assert starts == [0, *np.cumsum([block.channels.shape[1] for block in blocks])[:-1]]
        samples = np.concatenate([block.channels for block in blocks], axis=1)
        assert samples.dtype == np.float32
        assert np.isfinite(samples).all()
        assert np.abs(samples).max() <= 1
        assert decoding.report.samples == samples.shape[1]
        return Decoded(decoding.info, decoding.report, samples)

    return decode
