import pytest

from tatc.home.refusals import MESSAGE_PATTERNS, RefusalCode
from tatc.sim.teach_effects import HINT_BY_CODE, hint_for


@pytest.mark.parametrize(("fragments", "code"), MESSAGE_PATTERNS)
def test_hint_follows_from_code(fragments: tuple[str, ...], code: RefusalCode):
    assert hint_for(" ... ".join(fragments)) == HINT_BY_CODE.get(code)


def test_pour_precondition_has_no_hint():
    message = "Pour: ObjectInteraction needs a held object filled with liquid"
    assert hint_for(message) is None


def test_row_that_teach_never_reaches_gives_hint_of_row_before():
    message = "another object's collision is blocking Mug from being placed"
    assert hint_for(message) == HINT_BY_CODE[RefusalCode.PATH_BLOCKED]
