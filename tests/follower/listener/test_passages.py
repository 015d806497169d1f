"""A Follower that has shut itself in by an open door closes it again."""

from collections.abc import Iterable, Set
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

from tatc.follower.listener.exploration import doors_in_the_way
from tatc.follower.listener.floor_map import cells_at_open_doors
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import GRID_SIZE_METRES, Cell
from tatc.home.camera.door_geometry import open_object
from tatc.home.state import Affordances, AgentState, ObjectState, Pose
from tests.follower.listener.homes import looked_around
from tests.sim.box_kitchen import make_object


def _opened_door() -> tuple[ObjectState, ObjectState, frozenset[Cell]]:
    """Return a cabinet's door open and closed, and the cells that it blocks."""
    _, belief = looked_around()
    for closed in belief.objects:
        if closed.objectType == "Cabinet":
            opened = open_object(closed, closed.box.center, belief.body.position)
            if cells := cells_at_open_doors([opened], {closed.objectId: closed}):
                return opened, closed, cells
    raise AssertionError("no cabinet is in view")


def _aisle(doors: Iterable[ObjectState], closed: ObjectState, free: Set[Cell], blocked: Set[Cell]):
    """Return what the Follower believes of an aisle, at whose lower end it stands."""
    start = min(free)
    return cast(
        SemanticMap,
        SimpleNamespace(
            body=AgentState((start[0] * GRID_SIZE_METRES, 0.9, start[1] * GRID_SIZE_METRES), 0, 0),
            objects=doors,
            closed_states=lambda: {closed.objectId: closed},
            floor=SimpleNamespace(free_cells=lambda objects: tuple(free)),
            reachable=lambda: [
                Pose(x * GRID_SIZE_METRES, z * GRID_SIZE_METRES, 0, 0) for x, z in free - blocked
            ],
        ),
    )


def test_the_door_that_cuts_an_aisle_in_two_is_in_the_way() -> None:
    opened, closed, blocked = _opened_door()
    _, z = min(blocked)
    xs = [x for x, at in blocked if at == z]
    free = {(x, z) for x in range(min(xs) - 4, max(xs) + 5)}
    assert doors_in_the_way(_aisle([opened], closed, free, blocked)) == (opened.objectId,)
    round_about = free | {(x, 1000) for x in (min(xs) - 4, max(xs) + 4)}
    assert doors_in_the_way(_aisle([opened], closed, round_about, set())) == ()
    assert doors_in_the_way(_aisle([closed], closed, free, set())) == ()


def test_a_door_at_the_end_of_an_aisle_is_in_nobodys_way() -> None:
    opened, closed, blocked = _opened_door()
    _, z = min(blocked)
    end = max(x for x, at in blocked if at == z)
    free = {(x, z) for x in range(end - 8, end + 1)}
    assert doors_in_the_way(_aisle([opened], closed, free, blocked)) == ()


def test_both_doors_of_a_broad_fridge_block_cells() -> None:
    closed = make_object("Fridge", (0.0, 0.0, 0.0), (0.95, 1.8, 0.7))
    able = Affordances(receptacle=True, openable=True)
    closed = replace(closed, affordances=able, isOpen=False)
    opened = open_object(closed, (0.1, 1.0, 0.35), (0.0, 0.9, 1.5))
    blocked = cells_at_open_doors([opened], {closed.objectId: closed})
    assert {x > 0 for x, _ in blocked} == {True, False}
    assert min(z for _, z in blocked) > 0
    assert not cells_at_open_doors([closed], {closed.objectId: closed})
