"""What a thing lies on, from boxes."""

from dataclasses import replace

from tatc.follower.listener.containment import receptacles_around, without_cycles
from tatc.follower.listener.instance_tracking import affordances_of
from tatc.home.state import Box, ObjectState, Vec3


def thing(kind: str, center: Vec3, size: Vec3) -> ObjectState:
    return ObjectState(
        objectId=f"{kind}|1",
        objectType=kind,
        name=kind,
        affordances=affordances_of(kind),
        position=center,
        rotation=(0.0, 0.0, 0.0),
        box=Box(center, size),
    )


COUNTER = thing("CounterTop", (0.0, 0.45, 0.0), (2.0, 0.9, 0.6))
PLATE = thing("Plate", (0.0, 0.91, 0.0), (0.24, 0.02, 0.24))
SLICE = thing("TomatoSliced", (0.0, 0.915, 0.0), (0.06, 0.01, 0.06))


def lying_at(obj: ObjectState, x: float, y: float, z: float) -> ObjectState:
    return replace(obj, position=(x, y, z), box=Box((x, y, z), obj.box.size))


def test_a_slice_on_a_plate_is_on_the_counter_too() -> None:
    on_plate = lying_at(SLICE, 0.03, 0.912, 0.0)
    assert receptacles_around(on_plate, (COUNTER, PLATE)) == ("Plate|1", "CounterTop|1")


def test_a_slice_beside_a_plate_is_not_on_it() -> None:
    beside = lying_at(SLICE, 0.11, 0.905, 0.11)
    assert receptacles_around(beside, (COUNTER, PLATE)) == ("CounterTop|1",)
    under_the_rim = lying_at(SLICE, 0.05, 0.905, 0.0)
    assert receptacles_around(under_the_rim, (COUNTER, PLATE)) == ("CounterTop|1",)


def test_what_is_in_view_is_in_no_closed_drawer() -> None:
    drawer = thing("Drawer", (0.0, 0.8, 0.0), (0.5, 0.3, 0.5))
    inside = lying_at(SLICE, 0.0, 0.8, 0.0)
    assert receptacles_around(inside, (drawer,)) == ()
    assert receptacles_around(inside, (replace(drawer, isOpen=True),)) == ("Drawer|1",)


def test_nothing_is_in_what_is_in_it() -> None:
    around = {"Mug|1": ("Bowl|2", "Sink|3"), "Bowl|2": ("Mug|1",), "Sink|3": ()}
    assert without_cycles(around, {"Mug|1"}) == around | {"Bowl|2": ()}
    assert without_cycles(around, {"Bowl|2"}) == around | {"Mug|1": ()}
    assert without_cycles(around, ()) == around | {"Mug|1": (), "Bowl|2": ()}
