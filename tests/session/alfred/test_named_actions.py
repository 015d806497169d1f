"""Actions on named objects: what hides an object, and what cannot."""

import pytest

from tatc.home.actions import Verb
from tatc.home.body import ALFRED, POSITION_ABOVE_FLOOR_METRES
from tatc.home.state import Affordances, AgentState, ObjectState, RoomKind, Scene, Snapshot
from tatc.session.alfred.named_actions import NamedActions
from tatc.session.alfred.recorded_ids import all_recorded
from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.object_factory import PORTABLE, make_object

_FLOOR = make_object("Floor", (0.0, 0.0, 0.0), (4.0, 0.1, 4.0))
_KEY = make_object("KeyChain", (0.0, 0.9, 0.75), (0.1, 0.02, 0.1), affordances=PORTABLE)
_BEHIND = AgentState((0.0, POSITION_ABOVE_FLOOR_METRES, 0.0), 0.0, 45.0, ALFRED)

_TAKES = Affordances(receptacle=True)
_SLIT = (-0.2515, 0.2515)  # the middles of two screens of 0.5 m, metres


def _simulator(*objects: ObjectState) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    start = Snapshot.from_objects((_FLOOR, *objects), _BEHIND, _BEHIND)
    sim.reset(Scene("FloorPlan1", RoomKind.KITCHEN, start))
    return sim


def _picks_up_key(*others: ObjectState) -> bool:
    sim = _simulator(_KEY, *others)
    return NamedActions(sim).act(Verb.PICKUP, _KEY.objectId).success


def test_what_stands_before_an_object_hides_it() -> None:
    assert _picks_up_key()
    assert not _picks_up_key(make_object("RoomDecor", (0.0, 1.0, 0.55), (0.4, 0.4, 0.1)))


@pytest.mark.parametrize(
    ("kind", "height"),
    [("RoomDecor", 1.0), ("DeskLamp", 1.15), ("CounterTop", 1.15)],
    ids=["around it", "under its shade", "in the inside of an L"],
)
def test_what_takes_the_place_of_an_object_does_not_hide_it(kind: str, height: float) -> None:
    assert _picks_up_key(make_object(kind, (0.0, height, 0.7), (0.5, 0.4, 0.3)))


def test_what_did_not_hide_an_object_still_hides_others() -> None:
    around = make_object("RoomDecor", (0.0, 1.0, 0.7), (0.5, 0.4, 0.3))
    other = make_object("Mug", (0.0, 0.9, 1.0), (0.1, 0.1, 0.1), affordances=PORTABLE)
    sim = _simulator(_KEY, around, other)
    assert not NamedActions(sim).act(Verb.PLACE, _KEY.objectId).success
    assert not NamedActions(sim).act(Verb.PICKUP, other.objectId).success


def test_an_object_of_which_a_few_pixels_show_can_be_taken() -> None:
    slit = [make_object("RoomDecor", (0.011 + x, 1.0, 0.55), (0.5, 0.6, 0.1)) for x in _SLIT]
    assert _picks_up_key(*slit)
    assert not _picks_up_key(*slit, make_object("RoomDecor", (0.0, 1.0, 0.6), (0.3, 0.6, 0.02)))


def test_what_is_held_needs_the_room_of_its_colliders_alone() -> None:
    size = (0.2, 0.1, 0.2)
    held = make_object("Pot", (0.0, 1.0, 0.5), size, affordances=PORTABLE, isPickedUp=True)
    counter = make_object("CounterTop", (0.0, 0.85, 0.75), (0.39, 0.1, 0.23), affordances=_TAKES)
    beside = [make_object("Microwave", (x, 1.0, 0.75), (0.1, 0.2, 0.23)) for x in (-0.14, 0.14)]
    sim = _simulator(held, counter, *beside)
    done = NamedActions(sim).act(Verb.PLACE, counter.objectId)
    placed = sim.snapshot().get(held.objectId)
    assert done.success, done.message
    assert placed is not None and placed.box.size == pytest.approx(size)
    low = placed.box.center[1] - placed.box.size[1] / 2
    assert any(low == pytest.approx(each.y, abs=0.02) for each in surfaces_of(counter))


def test_a_window_as_deep_as_the_room_hides_nothing() -> None:
    assert _picks_up_key(make_object("Window", (0.0, 1.3, 0.3), (2.0, 0.8, 0.7)))


def test_id_of_a_slice_means_it_first_and_then_the_others() -> None:
    whole = make_object("Bread", (0.0, 0.9, 0.75), objectId="Bread|+00.00|+00.90|+00.75")
    slices = [
        make_object("BreadSliced", (0.0, 0.9, 0.7 + i / 10), objectId=f"{whole.objectId}|{name}")
        for i, name in enumerate(("BreadSliced_1", "BreadSliced_2"))
    ]
    now = Snapshot.from_objects((whole, *slices), _BEHIND, _BEHIND)
    found = all_recorded(slices[1].objectId, now)
    assert [obj.objectId for obj in found] == [slices[1].objectId, slices[0].objectId]
    far = all_recorded(f"{whole.objectId}|BreadSliced_9", now)
    assert {obj.objectId for obj in far} == {obj.objectId for obj in slices}
