"""Text that can be saved and shown, and numbers as people write them."""

import unicodedata

import pytest
from hypothesis import example, given, strategies as st

from tatc.base.errors import BadInput
from tatc.base.plain_text import PLAIN_SIGNS, is_encodable, printable, whole_number
from tatc.home.actions import Action, Verb

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


@given(ANY_TEXT)
def test_what_is_encodable_can_be_written(text: str) -> None:
    if is_encodable(text):
        assert text.encode().decode() == text
    else:
        with pytest.raises(UnicodeEncodeError):
            text.encode()


@given(ANY_TEXT)
def test_an_action_takes_only_text_that_a_record_can_hold(text: str) -> None:
    if is_encodable(text):
        assert Action(Verb.TEXT, text=text).text == text
    else:
        with pytest.raises(BadInput, match="surrogate pair"):
            Action(Verb.TEXT, text=text)


@given(ANY_TEXT)
def test_printable_text_has_nothing_that_a_terminal_obeys(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text) and printable(shown) == shown and is_encodable(shown)
    kinds = {unicodedata.category(each) for each in shown if each != "\t"}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"}
    directions = {unicodedata.bidirectional(each) for each in shown}
    assert not directions & {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0"


@given(
    st.text(
        st.characters(
            max_codepoint=0xDFFFF,
            exclude_characters=UNSEEN,
            exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp"),
        )
    )
)
@example("\N{WOMAN}\u200d\N{ROCKET} \u0645\u06cc\u200c\u062e")
def test_other_text_stays(text: str) -> None:
    assert printable(text) == text


@given(st.integers(0, 10**18 - 1))
def test_whole_numbers_are_read(number: int) -> None:
    assert whole_number(str(number)) == number


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "1.0", " 1", "1\n", "1_0", "9" * 5000, "\N{SUPERSCRIPT TWO}", "٣"]
)
def test_whatever_else_is_no_number(text: str) -> None:
    assert whole_number(text) is None


def test_a_stream_that_cannot_encode_a_sign_writes_a_plain_one() -> None:
    text = "✓ ✗ → … \N{LATIN SMALL LETTER E WITH ACUTE}"
    assert text.encode("ascii", PLAIN_SIGNS) == b"v x > ~ \\xe9"
