"""A task fits a room where its things fit their places, with all else carried off."""

import pytest

from tatc.state import Affordances, Box, ObjectState
from tatc.tdl.fitting import fits
from tests.tdl.things import LIBRARY, POINT, oid, room, thing

DRAWER = Affordances(receptacle=True, openable=True)
LOOSE = Affordances(pickupable=True)


def sized(kind: str, *size: float, number: int = 1, **known: object) -> ObjectState:
    width, height, depth = size
    return thing(kind, number, box=Box(POINT, (width, height, depth)), **known)


def can(name: str, params: tuple[str, ...], *things: ObjectState) -> bool:
    return fits(LIBRARY.compile(name, params).definition, room(*things))


IN_DRAWER = ("ScrubBrush", "in", "Drawer")


@pytest.mark.parametrize(
    ("size", "fit"),
    [
        ((0.1, 0.1, 0.3), True),
        ((0.3, 0.1, 0.1), True),
        ((0.1, 0.48, 0.1), False),
        ((0.1, 0.1, 0.6), False),
    ],
)
def test_a_thing_must_fit_its_place_turned_or_not(size: tuple[float, ...], fit: bool):
    drawer = sized("Drawer", 0.5, 0.15, 0.3, affordances=DRAWER)
    brush = sized("ScrubBrush", *size, affordances=LOOSE)
    assert can("Put All X On Y", IN_DRAWER, brush, drawer) is fit


def test_above_an_open_place_there_is_room():
    desk = sized("Desk", 0.5, 0.15, 0.3)
    brush = sized("ScrubBrush", 0.1, 0.48, 0.1, affordances=LOOSE)
    assert can("Put All X On Y", ("ScrubBrush", "on", "Desk"), brush, desk)


def test_on_any_place_will_do_but_on_one_all_must_go_together():
    pads = [sized("Pillow", 0.4, 0.1, 0.4, number=n, affordances=LOOSE) for n in (1, 2)]
    desks = [sized("Desk", 0.5, 0.7, 0.5, number=n) for n in (1, 2)]
    params = ("Pillow", "on", "Desk")
    assert can("Put All X On Y", params, *pads, *desks)
    assert not can("Put All X In One Y", params, *pads, *desks)
    large = sized("Desk", 1.0, 0.7, 1.0, number=3)
    assert can("Put All X In One Y", params, *pads, *desks, large)


def test_what_cannot_be_carried_off_takes_its_room():
    desk = sized("Desk", 0.5, 0.7, 0.4)
    laptop = sized("Laptop", 0.4, 0.2, 0.3, affordances=LOOSE)
    lamp = sized("DeskLamp", 0.3, 0.4, 0.3, inside=oid("Desk"))
    params = ("Laptop", "on", "Desk")
    assert can("Put All X On Y", params, laptop, desk, lamp)
    fast = sized("DeskLamp", 0.3, 0.4, 0.3, inside=oid("Desk"), affordances=_fast())
    assert not can("Put All X On Y", params, laptop, desk, fast)


def test_slices_are_as_large_as_what_they_are_cut_from():
    lettuce = sized("Lettuce", 0.2, 0.2, 0.25, affordances=LOOSE)
    params = ("2", "Lettuce", "in", "Bowl")
    assert not can("N Slices Of X In Y", params, lettuce, sized("Bowl", 0.1, 0.1, 0.1))
    assert can("N Slices Of X In Y", params, lettuce, sized("Bowl", 0.3, 0.1, 0.3))


def test_what_parts_of_a_task_make_must_fit_too():
    params = ("1", "0", "0", "Plate", "0", "Plate", "0", "0", "0", "0", "0", "0", "0")
    small = sized("Desk", 0.1, 0.7, 0.1)
    mug = sized("Mug", 0.2, 0.1, 0.2, affordances=LOOSE)
    assert not can("Breakfast", (*params, "Desk"), mug, small)


def _fast() -> Affordances:
    return Affordances(moveable=True)
