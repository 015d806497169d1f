"""Room: what fits where, and the fewest things that must go for another to fit."""

from dataclasses import replace

import pytest

from tatc.commander.draft import Draft
from tatc.commander.skills.lattice import spots_of, taken
from tatc.commander.skills.space import free_spots, has_room, least_to_clear
from tatc.state import Box
from tests.commander.test_draft import open_kitchen

PLACE = ((0.0, 0.0, 0.0), (0.8, 0.1, 0.4))


def _none_stays(_: object) -> bool:
    return False


def test_a_thing_goes_where_its_footprint_does_not_stick_out():
    spots = spots_of(PLACE, (0.4, 0.2))
    assert spots[:, 0].min() >= 0.19 and spots[:, 0].max() <= 0.61
    assert spots[:, 1].min() >= 0.09 and spots[:, 1].max() <= 0.31
    assert not len(spots_of(PLACE, (0.9, 0.1)))


def test_what_is_near_a_spot_is_in_its_way():
    spots = spots_of(PLACE, (0.1, 0.1))
    met = taken(spots, (0.1, 0.1), [((0.0, 0, 0.0), (0.2, 1, 0.4))])
    assert met.shape == (1, len(spots))
    assert met[0].tolist() == (spots[:, 0] < 0.25).tolist()


@pytest.mark.parametrize(
    ("width", "gone"),
    [(0.5, ["Bread"]), (0.8, ["Bread", "Potato"]), (1.5, [])],
)
def test_the_fewest_things_go_and_none_where_that_is_in_vain(
    width: float, gone: list[str]
):
    """At one end of the table stands a plant that nobody can carry."""
    _, known, ids = open_kitchen()
    draft = Draft(known)
    table, plate = (
        known.snapshot.get(ids["DiningTable"]),
        known.snapshot.get(ids["Plate"]),
    )
    large = replace(plate, box=Box(plate.box.center, (width, 0.1, 0.6)))
    spots = free_spots(draft, table, large)
    assert spots is not None and not len(spots)
    few = least_to_clear(draft, table, large, _none_stays)
    assert [thing.objectType for thing in few] == gone
    if gone == ["Bread"]:
        kept = least_to_clear(draft, table, large, lambda thing: thing in few)
        assert few[0] not in kept, "what stays is not taken"


def test_nothing_goes_where_there_is_room_already():
    _, known, ids = open_kitchen()
    table, egg = known.snapshot.get(ids["DiningTable"]), known.snapshot.get(ids["Egg"])
    assert least_to_clear(Draft(known), table, egg, _none_stays) == ()


def test_a_bold_draft_tries_a_full_place():
    _, known, ids = open_kitchen()
    sink = known.snapshot.get(ids["SinkBasin"])
    bed = replace(sink, box=Box(sink.box.center, (3.0, 0.1, 3.0)), objectId="Bed")
    assert not has_room(Draft(known), sink, bed)
    assert has_room(Draft(known, bold=True), sink, bed)
