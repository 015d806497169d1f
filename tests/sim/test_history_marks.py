"""ALFRED's marks: set by what acts, for what is in it then, and never taken away."""

from dataclasses import replace

import pytest

from tatc.home.state import AgentState, ObjectState, Snapshot
from tatc.sim.teach_effects import SetProperty, history_effects
from tests.object_factory import make_object

AGENT = AgentState((0.0, 0.9, 0.0), 0.0, 0.0)


def _snapshot(*objects: ObjectState) -> Snapshot:
    return Snapshot.from_objects(objects, AGENT, AGENT)


@pytest.mark.parametrize(
    ("kind", "before", "after", "mark"),
    [
        ("Microwave", {"isToggled": False}, {"isToggled": True}, "wasHeated"),
        ("Fridge", {"isOpen": True}, {"isOpen": False}, "wasCooled"),
    ],
)
def test_contents_are_marked_at_the_change_alone(
    kind: str, before: dict[str, bool], after: dict[str, bool], mark: str
) -> None:
    host = make_object(kind, (0.0, 1.0, 1.0))
    inside = replace(make_object("Mug", (0.0, 1.0, 1.0)), parentReceptacles=(host.objectId,))
    beside = replace(make_object("Mug", (2.0, 1.0, 1.0)), parentReceptacles=())
    was, now = (_snapshot(replace(host, **state), inside, beside) for state in (before, after))
    assert history_effects(now, was) == [SetProperty(inside.objectId, mark, True)]
    assert history_effects(now, now) == []
    assert history_effects(was, now) == []


def test_faucet_marks_what_is_in_the_nearest_basin_of_a_sink() -> None:
    basins = [make_object("SinkBasin", (x, 0.9, 1.0)) for x in (0.0, 3.0)]
    faucet = make_object("Faucet", (0.2, 1.1, 1.2))
    plates = [
        replace(make_object("Plate", basin.position), parentReceptacles=(basin.objectId,))
        for basin in basins
    ]
    was = _snapshot(*basins, faucet, *plates)
    now = _snapshot(*basins, replace(faucet, isToggled=True), *plates)
    assert history_effects(now, was) == [SetProperty(plates[0].objectId, "wasCleaned", True)]
