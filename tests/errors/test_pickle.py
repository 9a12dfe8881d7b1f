"""Errors cross from child processes as what they are."""

import pickle

import pytest

from tympan import errors

EXAMPLES = [
    errors.EmptyAudio(),
    errors.AudioTooLong(60.0, param="max_seconds"),
    errors.NonFiniteAudio(4, 0.1),
    errors.SampleRateRefused(100, 2_000, 768_000),
    errors.Busy("queue", 2.5),
    errors.BodyTooLarge(10, 20),
    errors.EngineCrashed("whisper", "it was ended"),
    errors.LimitExceeded("clip count", 17, 16, 3),
    errors.PolicyRefused("config.json", "a.b", "null", "1"),
    errors.Cancelled(),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error):
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    for fact in ("message", "args", "code", "param", "status", "retry_after_s", "extra"):
        assert getattr(back, fact) == getattr(error, fact)
