"""ALFRED's seven task types: what passes each, and what must not."""

import pytest

from tatc.base.errors import ParameterError
from tatc.home.state import ObjectState
from tatc.tdl import parse_params
from tests.tdl.checker_rooms import LIBRARY, check_task, make_object, object_id

TABLE, SHELF = object_id("DiningTable", 0), object_id("SideTable", 0)
ROOM = make_object("DiningTable", 0), make_object("SideTable", 0)


def _done(task: str, params: tuple[str, ...], *objects: ObjectState) -> bool:
    return check_task(LIBRARY.find(task).name, params, *ROOM, *objects).success


@pytest.mark.parametrize(
    ("task", "mark"), [("heat", "wasHeated"), ("cool", "wasCooled"), ("clean", "wasCleaned")]
)
def test_one_object_must_have_the_mark_and_the_place(task: str, mark: str) -> None:
    params = ("Potato", "DiningTable")
    placed = {"parentReceptacles": (TABLE,)}
    assert _done(task, params, make_object("Potato", 0, **{mark: True}, **placed))
    marked = make_object("Potato", 0, **{mark: True})
    assert not _done(task, params, marked, make_object("Potato", 1, **placed))


def test_two_must_be_in_one_receptacle() -> None:
    params = ("Mug", "DiningTable")
    other = make_object("DiningTable", 1)
    mugs = [make_object("Mug", n, parentReceptacles=(TABLE,)) for n in range(2)]
    assert _done("two", params, other, *mugs)
    apart = make_object("Mug", 1, parentReceptacles=(other.objectId,))
    assert not _done("two", params, other, mugs[0], apart)


def test_object_must_be_in_the_very_container_that_was_placed() -> None:
    params = ("Fork", "Bowl", "DiningTable")
    placed = make_object("Bowl", 0, parentReceptacles=(TABLE,))
    elsewhere = make_object("Bowl", 1, parentReceptacles=(SHELF,))
    inside = (object_id("Bowl", 0), TABLE)
    assert _done(
        "movable", params, placed, elsewhere, make_object("Fork", parentReceptacles=inside)
    )
    beside = make_object("Fork", parentReceptacles=(object_id("Bowl", 1), SHELF))
    assert not _done("movable", params, placed, elsewhere, beside)


def test_look_needs_the_object_in_hand_and_the_lamp_on() -> None:
    params = ("Book", "DeskLamp")
    lamp, book = make_object("DeskLamp", isToggled=True), make_object("Book", isPickedUp=True)
    assert _done("look", params, lamp, book)
    assert not _done("look", params, lamp, make_object("Book"))
    assert not _done("look", params, make_object("DeskLamp"), book)


@pytest.mark.parametrize(
    ("task", "given", "takes"),
    [
        ("heat", "object=Sofa", "Apple, Bread, Cup, Egg, Mug, Plate, Potato, Tomato"),
        ("cool", "object=Pillow", "Apple, Bottle, Bowl"),
        ("clean", "object=Book", "Apple, Bowl, ButterKnife"),
        ("simple", "object=Sofa", "AlarmClock, "),
        ("two", "receptacle=Fork", "ArmChair, "),
        ("simple", "receptacle=Food", "ArmChair, "),
        ("movable", "movable=Sofa", "Bowl, Box, Cup, Mug, Pan, Plate, Pot"),
        ("look", "object=Desk", "AlarmClock, "),
        ("look", "toggle=Candle", "DeskLamp, FloorLamp"),
    ],
)
def test_what_a_task_cannot_be_done_with_is_refused(task: str, given: str, takes: str) -> None:
    with pytest.raises(ParameterError, match="it takes " + takes):
        parse_params(LIBRARY.find(task), [given])


@pytest.mark.parametrize(
    ("task", "given"),
    [
        ("heat", "object=PotatoSliced"),
        ("simple", "receptacle=Cart"),
        ("simple", "receptacle=Tables"),
        ("two", "receptacle=Sink"),
    ],
)
def test_pieces_classes_and_basins_are_taken(task: str, given: str) -> None:
    assert parse_params(LIBRARY.find(task), [given])
