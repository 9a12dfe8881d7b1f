import numpy as np
import pytest

from tympan.engines.protocols import DecodeOptions, IdentifyItem, Span
from tympan.engines.whisper.windows import batch_key, batch_size, window_s

SPANS = [(0.1, 8), (6.9, 8), (7.0, 8), (7.001, 8.5), (8.0, 9), (8.1, 10.5), (12.2, 14.5), (27, 29), (28, 30), (30, 30)]


@pytest.mark.parametrize(("span_s", "window"), SPANS)
def test_window(span_s, window):
    assert window_s(span_s, 8.0, 1.0) == window


def span(seconds, **options):
    return Span(np.zeros(round(seconds * 16_000), np.float32), DecodeOptions(**options))


def same(one, other):
    return batch_key(one, 8.0, 1.0) == batch_key(other, 8.0, 1.0)


def test_what_may_share_a_batch():
    assert same(span(1), span(6.5, language="de", words=True))
    assert not same(span(1), span(9))
    assert not same(span(1), span(1, prompt="before"))
    assert not same(span(1), span(1, keywords=("Ollama",)))
    assert not same(span(1), span(1, temperature=0.5))
    assert not same(span(1), IdentifyItem(np.zeros(16_000, np.float32)))


@pytest.mark.parametrize(("span_s", "size"), [(2, 4), (7, 4), (8, 3), (14, 2), (20, 1)])
def test_long_windows_share_with_fewer(span_s, size):
    assert batch_size(span(span_s), 4, 8.0, 1.0) == size


def test_identification_is_alone():
    assert batch_size(IdentifyItem(np.zeros(16_000, np.float32)), 4, 8.0, 1.0) == 1
