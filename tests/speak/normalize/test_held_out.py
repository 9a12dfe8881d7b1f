"""How much of a set that no rule was written for is said right."""

import pytest
from tests.speak.normalize.held_out import HELD_OUT
from tests.speak.normalize.saying import said

# As first measured, when the rules had not seen the set; a change that loses one of them made something worse.
RIGHT = {"en-us": 20, "en-gb": 4, "es": 10, "fr": 9, "it": 7, "pt-br": 8, "hi": 4, "ja": 4, "zh": 4}


@pytest.mark.parametrize("language", HELD_OUT)
def test_as_many_are_right_as_when_first_measured(language):
    wrong = {
        text: spoken
        for text, expected in HELD_OUT[language]
        if (spoken := said(text, language)).replace(" ", "") != expected.replace(" ", "")
    }
    assert len(HELD_OUT[language]) - len(wrong) >= RIGHT[language], wrong
