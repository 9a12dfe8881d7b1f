import pytest

from tympan.engines.whisper.checks import Attempt, best, confirms, token_limit


def attempt(text=" Hello there.", *, tokens=3, logprob=-0.2, no_speech=0.0, limit=80):
    return Attempt(list(range(tokens)), text, logprob, no_speech, 0.0, limit)


@pytest.mark.parametrize(
    ("made", "loops", "silent", "suspicious"),
    [
        (attempt(), False, False, False),
        (attempt(tokens=80), True, False, True),  # ran into the limit
        (attempt(" it was the" * 30), True, False, True),  # compresses too well
        (attempt(logprob=-1.1), False, False, True),
        (attempt(logprob=-1.1, no_speech=0.7), False, True, False),  # words made of no speech
        (attempt(logprob=-0.9, no_speech=0.9), False, False, False),
        (attempt(""), False, False, False),
    ],
)
def test_what_is_suspicious(made, loops, silent, suspicious):
    assert (made.loops, made.silent, made.suspicious) == (loops, silent, suspicious)


@pytest.mark.parametrize(("seconds", "limit"), [(0, 30), (2, 80), (7.76, 224), (30, 224)])
def test_token_limit(seconds, limit):
    assert token_limit(seconds) == limit


def test_the_best_of_bad_ones_does_not_repeat_itself():
    looping = attempt(" so" * 100, logprob=-0.1)
    doubtful, worse = attempt(logprob=-1.2), attempt(logprob=-2.0)
    assert best([looping, worse, doubtful]) is doubtful
    assert best([looping]) is looping


def test_of_repetitive_ones_the_one_that_ended_by_itself_and_repeats_least_is_best():
    ran_on = attempt(" we said it" * 60, tokens=80, logprob=-0.05)
    many, few = attempt(" we said it" * 40, logprob=-0.1), attempt(" we said it" * 12, logprob=-0.3)
    assert best([ran_on, many, few]) is few


def test_a_repetition_that_another_window_hears_too_was_really_said():
    tokens = list(range(20)) * 4
    first = Attempt(tokens, " la" * 80, -0.2, 0.0, 0.0, 200)
    again = Attempt([*tokens[:-3], 7, 8, 9], " la" * 80, -0.2, 0.0, 0.0, 200)
    assert confirms(again, first)
    assert not confirms(Attempt(list(range(100, 180)), " la" * 80, -0.2, 0.0, 0.0, 200), first)  # another text
    assert not confirms(Attempt(tokens, " la" * 80, -0.8, 0.0, 0.0, 200), first)  # not sure of it
    assert not confirms(Attempt(tokens, " la" * 80, -0.2, 0.0, 0.0, 80), first)  # ran into its limit
