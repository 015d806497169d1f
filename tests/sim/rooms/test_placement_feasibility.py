"""What a task wants together must have room together."""

from dataclasses import replace

import pytest

from tatc.home.state import ObjectState, Snapshot
from tatc.home.type_facts import BASIN_TYPES
from tatc.session.start import start_from_room_name
from tatc.sim.rooms.placement_feasibility import find_unwashable, has_room_for_task
from tatc.tdl import assign_classes, shipped_library
from tests.object_factory import with_objects
from tests.sim.box_kitchen import PORTABLE, kitchen, make_object, with_parents

SPOONS_IN_DRAWER = shipped_library().compile("Put All X In One Y", ["Spoon", "in", "Drawer"])
SMALL = (0.03, 0.02, 0.2)


def _start(*more: ObjectState) -> Snapshot:
    start = kitchen(*more).initial
    return with_objects(start, assign_classes(start.objects))


def _spoons(count: int, size: tuple[float, float, float]) -> list[ObjectState]:
    return [
        replace(make_object("Spoon", (-0.6 + 0.15 * i, 0.82, -1.2), size), affordances=PORTABLE)
        for i in range(count)
    ]


@pytest.mark.parametrize(
    ("count", "size", "fits"),
    [
        (1, SMALL, True),
        (4, SMALL, True),
        (1, (0.03, 0.02, 0.6), False),
        (8, (0.18, 0.1, 0.18), False),
    ],
)
def test_a_drawer_holds_what_fits_in_it(
    count: int, size: tuple[float, float, float], fits: bool
) -> None:
    assert has_room_for_task(SPOONS_IN_DRAWER, _start(*_spoons(count, size))) is fits


def test_what_lies_there_already_does_not_matter() -> None:
    start = _start(*_spoons(1, SMALL))
    [drawer] = start.of_type("Drawer")
    book = with_parents(make_object("Book", (0, 0, 0), (0.3, 0.05, 0.3)), drawer)
    book = replace(book, affordances=PORTABLE, box=replace(book.box, center=drawer.box.center))
    assert has_room_for_task(SPOONS_IN_DRAWER, with_objects(start, (*start.objects, book)))


@pytest.mark.parametrize(("size", "fits"), [(SMALL, True), ((0.3, 0.1, 0.3), False)])
def test_what_has_to_be_there_and_is_takes_its_room(
    size: tuple[float, float, float], fits: bool
) -> None:
    start = _start(*_spoons(2, size))
    [drawer] = start.of_type("Drawer")
    inside = next(t for t in start.objects if t.objectType == "Spoon")
    middle = drawer.box.center
    lying = replace(inside, box=replace(inside.box, center=middle), position=middle)
    lying = with_parents(lying, drawer)
    one_in = with_objects(start, [lying if t is inside else t for t in start.objects])
    [left] = SPOONS_IN_DRAWER.check(one_in).problem_keys()
    assert left.object_id != inside.objectId
    assert has_room_for_task(SPOONS_IN_DRAWER, one_in) is fits


def test_a_task_that_moves_nothing_has_room() -> None:
    task = shipped_library().compile("Clean All X", ["Plate"])
    assert has_room_for_task(task, _start())


@pytest.mark.parametrize("seed", range(3))
def test_drawn_parameters_have_room(seed: int) -> None:
    library = shipped_library()
    for task in ("Put All X In One Y", "Put All X On Y"):
        opening = start_from_room_name("bathroom-04", library, task, (), seed)
        assert has_room_for_task(opening.task, opening.scene.initial)


def _plate(width: float) -> ObjectState:
    return make_object("Plate", (0.0, 0.9, -1.2), (width, 0.02, width))


@pytest.mark.parametrize(
    ("width", "fits"), [(0.25, True), (0.38, True), (0.42, False), (0.9, False)]
)
def test_a_dish_that_no_basin_takes_is_named(width: float, fits: bool) -> None:
    assert find_unwashable(_start()) is None
    found = find_unwashable(_start(_plate(width)))
    assert (found is None) is fits
    assert found is None or found.box.size[0] == width


def test_where_there_is_no_basin_nothing_is_washed() -> None:
    start = _start(_plate(0.9))
    dry = [t for t in start.objects if t.objectType not in BASIN_TYPES]
    assert find_unwashable(with_objects(start, dry)) is None
