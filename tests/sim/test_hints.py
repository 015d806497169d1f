import pytest

from tatc.sim.hints import HINTS_BY_FRAGMENTS, hint_for


@pytest.mark.parametrize(("fragments", "hint"), HINTS_BY_FRAGMENTS)
def test_every_row_is_found_by_its_own_fragments(fragments: tuple[str, ...], hint: str):
    found = hint_for(" ... ".join(fragments))
    # In TEACh's order an earlier, shorter row takes this one's messages.
    shadowed = fragments == ("another object's collision is blocking",)
    assert (found != hint) is shadowed and found


def test_all_fragments_of_a_row_must_occur():
    assert hint_for("Object ID Mug is valid") is None
    assert hint_for("a held item will collide") is None


def test_the_first_row_that_fits_counts():
    both = "it is occluded by something; Chair is blocking Agent 0"
    assert hint_for(both) == hint_for("is blocking")


def test_the_pour_precondition_has_no_hint():
    message = "Pour: ObjectInteraction needs a held object filled with liquid"
    assert hint_for(message) is None
