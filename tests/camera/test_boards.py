"""The gaps of boards, as seen from above."""

from collections.abc import Sequence
from dataclasses import replace

from tatc.camera.boards import gaps_of
from tatc.camera.rects import Rect, rect_of
from tatc.state import ObjectState
from tests.sim.scenes import thing


def ell() -> tuple[ObjectState, ...]:
    """Return a counter along the west and the south of its box, and its doors."""
    doors = [
        thing("Cabinet", (x, 0.1, z), (0.5, 0.7, 0.5))
        for x, z in [(-1.2, z) for z in (-1.2, -0.5, 0.2, 0.9)]
        + [(x, -1.2) for x in (-0.5, 0.2, 0.9)]
    ]
    return (thing("CounterTop", (0, 0.86, 0), (3.0, 0.04, 3.0)), *doors)


def corner(*objects: ObjectState):
    """Return the gaps of the first object."""
    return gaps_of(objects, [0.9] * len(objects))[0]


def is_bare(gaps: Sequence[Rect], x: float, z: float) -> bool:
    """Whether there is no board at a point."""
    return any(gap.meets(Rect(x - 1e-6, z - 1e-6, x + 1e-6, z + 1e-6)) for gap in gaps)


def test_the_corner_of_an_l_is_empty():
    gaps = corner(*ell())
    assert all(is_bare(gaps, x, z) for x in (-0.8, 1.4) for z in (-0.8, 1.4))
    assert not any(is_bare(gaps, x, -1.0) or is_bare(gaps, -1.0, x) for x in (-1.4, 1))


def test_what_stands_in_the_corner_is_not_over_the_floor():
    counter, *doors = ell()
    cup = thing("Cup", (1.0, 0.9, 1.0), (0.1, 0.1, 0.1))
    there = replace(cup, parentReceptacles=(counter.objectId,))
    assert not is_bare(corner(counter, *doors, there), 1.0, 1.0)


def test_an_island_with_all_that_is_on_it_leaves_the_corner_empty():
    island = thing("CounterTop", (0.8, 0.86, 0.8), (0.8, 0.04, 0.8))
    cup = thing("Cup", (1.0, 0.9, 1.0), (0.1, 0.1, 0.1))
    gaps = corner(*ell(), island, cup)
    assert all(is_bare(gaps, x, z) for x in (-0.8, 1.4) for z in (-0.8, 1.4))


def test_a_sink_is_let_into_a_board():
    counter = thing("CounterTop", (0, 0.86, 1), (2.4, 0.04, 0.6))
    sink = thing("Sink", (0, 0.8, 1), (0.8, 0.1, 0.4))
    (gap,) = corner(counter, sink)
    assert gap.x0 < rect_of(sink).x0 < rect_of(sink).x1 < gap.x1


def bar(*objects: ObjectState) -> tuple[ObjectState, ...]:
    """Return a counter whose box covers floor south of its drawers, and more."""
    drawers = [thing("Drawer", (x, 0.7, 0.1), (0.5, 0.2, 0.5)) for x in (-0.6, 0, 0.6)]
    counter = thing("CounterTop", (0, 0.86, 0), (2.0, 0.04, 0.78))
    floor = thing("Floor", (0, 0, -1.2), (6.0, 0.02, 3.4))
    return (counter, *drawers, floor, *objects)


def test_before_drawers_there_is_floor_and_no_board():
    (aisle,) = corner(*bar())
    counter, drawer = (rect_of(each) for each in bar()[:2])
    assert drawer.z0 - 0.05 < aisle.z1 < drawer.z0
    assert aisle.z0 == counter.z0 and aisle.x0 < drawer.x0


def test_before_a_front_too_narrow_to_stand_at_there_is_a_board():
    counter, *drawers, floor = bar()
    narrow = thing("Drawer", (0, 0.7, 0.1), (0.33, 0.2, 0.5))
    assert corner(counter, narrow, floor) == ()
    assert len(corner(counter, drawers[0], floor)) == 1


def test_where_people_sit_or_put_things_there_is_a_board():
    stool = thing("Stool", (0.5, 0.4, -0.35), (0.4, 0.8, 0.4))
    assert corner(*bar(stool)) == ()
    cup = thing("Cup", (0, 0.9, -0.3), (0.1, 0.1, 0.1))
    assert len(corner(*bar(cup))) == 1
    counter = bar()[0].objectId
    assert corner(*bar(replace(cup, parentReceptacles=(counter,)))) == ()


def test_a_corner_leaves_the_board_a_leg_at_every_side():
    (counter,) = (each for each in ell() if each.objectType == "CounterTop")
    legs = [thing("Dresser", (x, 0.1, -1.2), (0.5, 0.7, 0.5)) for x in (-0.5, 0.5)]
    (gap,), whole = corner(counter, *legs), rect_of(counter)
    assert max(gap.x0 - whole.x0, whole.x1 - gap.x1) > 0.64
    assert max(gap.z0 - whole.z0, whole.z1 - gap.z1) > 0.64
