import os

import pytest

CASES = 4_000  # a few seconds; FUZZ_CASES is for a long run by hand


@pytest.fixture
def fuzz_cases():
    return int(os.environ.get("FUZZ_CASES", CASES))
