import pytest
from benchmarks.synthesis import BASELINE, OURS, Heard, Row, verdicts
from benchmarks.synthesizers import chunks

A, B, C = "a" * 80, "b" * 90, "c" * 120


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [([A], [A]), ([A, B], [A, B]), ([A, A, B], [A, f"{A} {B}"]), ([A, B, C, A], [A, B, C, A]), ([], [])],
)
def test_the_first_sentence_goes_alone_and_the_rest_is_joined(sentences, expected):
    assert chunks(sentences) == expected


def row(engine, share, first_share):
    return Row("20 s", engine, 20.0, 1.0, 1.0, 0.5, share, first_share)


@pytest.mark.parametrize(
    ("share", "first_share", "errors", "met"),
    [
        (0.5, 0.25, 3, [True, True, True]),
        (0.51, 0.25, 3, [False, True, True]),
        (0.5, 0.26, 3, [True, False, True]),
        (0.5, 0.25, 4, [True, True, False]),
    ],
)
def test_targets(share, first_share, errors, met):
    rows = [row(BASELINE, 1.0, 1.0), row(OURS, share, first_share)]
    heard = [Heard(BASELINE, 3, 100, 0.03), Heard(OURS, errors, 100, errors / 100)]
    assert [verdict.met for verdict in verdicts(rows, heard)] == met
