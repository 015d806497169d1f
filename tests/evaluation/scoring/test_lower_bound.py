"""The lower bound: right on small homes, never above what anybody did, its walk the shortest."""

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings, strategies as st

from tatc.evaluation.scoring.lower_bound import (
    InteractionNeed,
    interaction_needs_of,
    lower_bound,
    min_interaction_count,
)
from tatc.home.actions import (
    GRID_SIZE_METRES,
    INTERACTION_REACH_METRES,
    INTERACTION_VERBS,
    MOTION_VERBS,
    Cell,
    Role,
)
from tatc.home.state import Affordances, Box, ObjectState, Pose, Snapshot
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import prepare, run_from_start
from tatc.session.records import read_game
from tatc.session.start import start_from_game, start_from_room_name
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Task, load_library, shipped_library
from tests.tdl.checker_rooms import make_object, make_snapshot, object_id

VESSEL = Affordances(pickupable=True, receptacle=True, dirtyable=True)
FOOD = Affordances(pickupable=True, sliceable=True)
SWITCH = Affordances(toggleable=True)


def _needed(task: str, *objects: ObjectState, params: tuple[str, ...] = ()) -> int:
    compiled = shipped_library().compile(task, params)
    return min_interaction_count(interaction_needs_of(compiled.definition, make_snapshot(*objects)))


def _needed_at(folder: Path, task: dict[str, Any], start: Snapshot, *params: str) -> int:
    """Return what a task of the user's own needs, whose file is written into a folder."""
    (folder / "task.json").write_text(json.dumps(task))
    compiled = load_library([folder]).compile("Clean Mug On Place", params)
    return min_interaction_count(interaction_needs_of(compiled.definition, start))


def _mug(number: int = 1, **known: Any) -> ObjectState:
    return make_object("Mug", number, affordances=VESSEL, **known)


def _coffee_things(*, running: bool = False) -> tuple[ObjectState, ...]:
    return (
        make_object("CoffeeMachine", affordances=SWITCH, isToggled=running),
        make_object("Faucet", affordances=SWITCH),
        make_object("SinkBasin"),
    )


def test_a_clean_mug_goes_into_the_machine_which_is_switched_on() -> None:
    assert _needed("Coffee", _mug(isDirty=False), *_coffee_things()) == 3
    assert _needed("Coffee", _mug(isDirty=False), *_coffee_things(running=True)) == 2
    inside = _mug(isDirty=False, inside=object_id("CoffeeMachine"))
    assert _needed("Coffee", inside, *_coffee_things()) == 1


def test_a_dirty_mug_is_washed_before() -> None:
    assert _needed("Coffee", _mug(isDirty=True), *_coffee_things()) == 6
    in_sink = _mug(isDirty=True, inside=object_id("SinkBasin"))
    assert _needed("Coffee", in_sink, *_coffee_things()) == 4


def test_the_mug_that_needs_least_counts() -> None:
    dirty, clean = _mug(1, isDirty=True), _mug(2, isDirty=False)
    assert _needed("Coffee", dirty, clean, *_coffee_things()) == 3


def test_all_of_a_class_need_it_each_and_the_water_once() -> None:
    mugs = [_mug(i, isDirty=True) for i in (1, 2, 3)]
    rest = (_mug(4, isDirty=False), *_coffee_things())
    assert _needed("Clean All X", *mugs, *rest, params=("Mug",)) == 7


def test_what_stands_on_a_tray_may_come_along() -> None:
    plate = make_object("Plate", affordances=VESSEL)
    mugs = [_mug(i, isDirty=True, inside=object_id("Plate")) for i in (1, 2, 3)]
    objects = (*mugs, plate, *_coffee_things())
    assert _needed("Clean All X", *objects, params=("Mug",)) == 3


def test_slices_take_a_knife_a_cut_and_their_place() -> None:
    tomato = make_object("Tomato", affordances=FOOD)
    knife = make_object("Knife", affordances=Affordances(pickupable=True))
    plate = make_object("Plate", affordances=VESSEL, isDirty=False)
    params = ("2", "Tomato", "on", "Plate")
    objects = (knife, plate, *_coffee_things())
    assert _needed("N Slices Of X In Y", tomato, *objects, params=params) == 4
    on_plate = replace(tomato, parentReceptacles=(object_id("Plate"),))
    assert _needed("N Slices Of X In Y", on_plate, *objects, params=params) == 2


def test_watering_takes_a_vessel_water_and_pouring() -> None:
    cup = replace(VESSEL, canFillWithLiquid=True)
    objects = (make_object("HousePlant"), *_coffee_things())
    assert _needed("Water Plant", make_object("Cup", affordances=cup), *objects) == 3
    full = make_object("Cup", affordances=cup, isFilledWithLiquid=True)
    assert _needed("Water Plant", full, *objects) == 2


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("task", ["Coffee", "Clean All X", "Put All X On Y", "Salad"])
def test_no_session_is_shorter(task: str, seed: int) -> None:
    opening = start_from_room_name("kitchen-02", shipped_library(), task, (), seed)
    result, _ = run_from_start(opening, prepare(SessionSetup()))
    assert result.success
    sim = EmbeddedSimulator()
    bound = lower_bound(opening.task, sim.reset(opening.scene), sim.reachable())
    steps = sum(
        done.role is Role.FOLLOWER and done.verb in MOTION_VERBS + INTERACTION_VERBS
        for done in result.interactions
    )
    assert 1 <= bound <= steps
    assert lower_bound(opening.task, result.final, sim.reachable()) == 0


def test_no_recorded_session_is_shorter(sample_games: list[Path]) -> None:
    for path in sample_games:
        game, opening = (read_game(path), start_from_game(path, shipped_library(), None, (), 1))
        sim = EmbeddedSimulator()
        start = sim.reset(opening.scene)
        done = [each for each in game.interactions if each.role is Role.FOLLOWER and each.success]
        acted = [each for each in done if each.verb in INTERACTION_VERBS]
        moved = [each for each in done if each.verb in MOTION_VERBS]
        needed = min_interaction_count(interaction_needs_of(opening.task.definition, start))
        assert needed <= len(acted), path.name
        bound = lower_bound(opening.task, start, sim.reachable())
        assert bound <= len(acted) + len(moved), path.name


def test_a_task_of_one_action_takes_one_and_so_does_one_of_what_is_not_there() -> None:
    machine = make_object("CoffeeMachine", affordances=SWITCH, isToggled=False)
    task = shipped_library().compile("Toggle X All Y", ("on", "1", "CoffeeMachine"))
    start = make_snapshot(machine)
    assert lower_bound(task, start, [start.follower.pose]) == 1
    assert lower_bound(shipped_library().compile("Coffee"), start, [start.follower.pose]) == 1


def test_of_needs_that_may_share_an_object_the_greatest_counts() -> None:
    def need(own: int, *ids: str) -> InteractionNeed:
        return InteractionNeed(frozenset(ids), own, 0, {}, ())

    assert min_interaction_count([need(1, "a", "b"), need(3, "b"), need(2, "c")]) == 5


def _visits(task: str, *objects: ObjectState, params: tuple[str, ...] = ()) -> list[set[str]]:
    definition = shipped_library().compile(task, params).definition
    needs = interaction_needs_of(definition, make_snapshot(*objects))
    return [set(ids) for need in needs for ids in need.places_to_visit]


def test_all_are_visited_each_and_one_of_several_as_a_group() -> None:
    mugs = [_mug(i, isDirty=True) for i in (1, 2)]
    sink, faucet = {object_id("SinkBasin")}, {object_id("Faucet")}
    first, second = {object_id("Mug", 1)}, {object_id("Mug", 2)}

    def visits_of(task: str, *objects: ObjectState) -> list[set[str]]:
        return _visits(task, *objects, *_coffee_things(), params=("Mug",))

    assert visits_of("Clean All X", *mugs) == [first, second, sink, faucet]
    assert visits_of("Clean X", *mugs) == [first | second, sink, faucet]
    clean = _mug(2, isDirty=False)
    assert visits_of("Clean X", mugs[0], clean) == []
    assert visits_of("Clean All X", mugs[0], clean) == [first, sink, faucet]


def test_who_waters_a_plant_goes_to_the_plant_unless_it_may_move() -> None:
    cup = make_object("Cup", affordances=replace(VESSEL, canFillWithLiquid=True))
    plant = make_object("HousePlant")
    assert {object_id("HousePlant")} in _visits("Water Plant", plant, cup, *_coffee_things())
    full = replace(plant, isFilledWithLiquid=True)
    assert _visits("Water Plant", full, cup, *_coffee_things()) == []


def test_what_is_switched_is_gone_to() -> None:
    faucets = [make_object("Faucet", i, affordances=SWITCH, isToggled=i == 1) for i in (1, 2)]
    params = ("on", "1", "Faucet")
    assert _visits("Toggle X All Y", *faucets, params=params) == [{object_id("Faucet", 2)}]
    assert _needed("Toggle X All Y", *faucets, params=params) == 1


CLEAN_MUG_ON_PLACE: dict[str, Any] = {
    "task_id": 9002,
    "task_name": "Clean Mug On Place",
    "task_nparams": 1,
    "task_anchor_object": None,
    "desc": "Put a clean mug on a #0.",
    "components": {
        "mug": {
            "determiner": "a",
            "primary_condition": "objectType",
            "instance_shareable": False,
            "conditions": {"objectType": "Mug", "isDirty": 0},
            "condition_failure_descs": {"isDirty": "Wash it."},
        },
        "place": {
            "determiner": "a",
            "primary_condition": "objectType",
            "instance_shareable": True,
            "conditions": {"objectType": "#0", "receptacle": 1},
            "condition_failure_descs": {},
        },
    },
    "relations": [
        {
            "property": "parentReceptacles",
            "tail_entity_list": ["place"],
            "tail_determiner_list": ["a"],
            "head_entity_list": ["mug"],
            "head_determiner_list": ["a"],
            "failure_desc": "Put it there.",
        }
    ],
}


@pytest.mark.parametrize(
    ("place", "sink_in", "needed"),
    [
        ("CounterTop", None, 5),
        ("CounterTop", "CounterTop", 3),  # what is in the sink is on the counter
        ("CounterTop", "Shelf", 5),
        ("SinkBasin", None, 3),
    ],
)
def test_places_that_lie_in_one_another_are_one(
    place: str, sink_in: str | None, needed: int, tmp_path: Path
) -> None:
    basin = make_object("SinkBasin", inside=sink_in and object_id(sink_in))
    rest = (make_object("CounterTop"), make_object("Shelf"), make_object("Faucet"), basin)
    start = make_snapshot(_mug(isDirty=True), *rest)
    assert _needed_at(tmp_path, CLEAN_MUG_ON_PLACE, start, place) == needed


@pytest.mark.parametrize(
    ("count", "dirty", "needed"),
    [("a", 0, 3), ("2", 0, 5), ("3", 0, 7), ("4", 1, 12), ("5", 1, 12), ("3", 1, 7)],
)
def test_a_task_within_a_task_is_needed_as_often_as_it_is_wanted(
    count: str, dirty: int, needed: int, tmp_path: Path
) -> None:
    """Of four mugs; a dirty one is washed only if all are needed."""
    coffee = {"determiner": count, "task_name": "Coffee", "task_params": []}
    parts = CLEAN_MUG_ON_PLACE["components"]
    task = CLEAN_MUG_ON_PLACE | {"task_nparams": 0, "desc": "Make coffee.", "relations": []}
    place = parts["place"] | {"conditions": {"objectType": "CounterTop", "receptacle": 1}}
    task |= {"components": {"coffee": coffee, "place": place}}
    mugs = [_mug(i, isDirty=i <= dirty) for i in (1, 2, 3, 4)]
    start = make_snapshot(*mugs, make_object("CounterTop"), *_coffee_things())
    assert _needed_at(tmp_path, task, start) == needed


@pytest.mark.parametrize(("count", "needed"), [("a", 2), ("2", 4), ("3", 6)])
def test_as_many_are_brought_as_are_wanted(count: str, needed: int, tmp_path: Path) -> None:
    parts = CLEAN_MUG_ON_PLACE["components"]
    parts = parts | {"mug": parts["mug"] | {"determiner": count}}
    (relation,) = CLEAN_MUG_ON_PLACE["relations"]
    relation = relation | {"head_determiner_list": [count]}
    task = CLEAN_MUG_ON_PLACE | {"components": parts, "relations": [relation]}
    mugs = [_mug(i, isDirty=False) for i in (1, 2, 3, 4)]
    start = make_snapshot(*mugs, make_object("CounterTop"))
    assert _needed_at(tmp_path, task, start, "CounterTop") == needed


MUG = Affordances(pickupable=True, receptacle=True, dirtyable=True)
DOOR = Affordances(openable=True, receptacle=True)
SIDE = 8
"""The cells of a block, so that what lies in the next one is out of reach."""
HERE = (0, 0)
REACH_OF_DOORS = INTERACTION_REACH_METRES + 0.8

blocks = st.sets(st.tuples(st.integers(-1, 1), st.integers(-1, 2)), min_size=1)
places = st.tuples(st.integers(-SIDE, 3 * SIDE), st.integers(-SIDE, 3 * SIDE))
sizes = st.tuples(st.sampled_from([0.0, 0.5]), st.just(0.1), st.sampled_from([0.0, 1.0]))


def floor_of(found: Iterable[Cell]) -> set[Cell]:
    return {
        (x * SIDE + i, z * SIDE + j) for x, z in found for i in range(SIDE) for j in range(SIDE)
    }


def object_at(kind: str, number: int, cell: Cell, size: tuple[float, ...], **known) -> ObjectState:
    x, z = (each * GRID_SIZE_METRES for each in cell)
    # Heights do not matter.
    return make_object(kind, number, at=(x, 5.0, z), box=Box((x, 5.0, z), size), **known)


def all_clean(mugs: Iterable[ObjectState], *rest: ObjectState) -> tuple[Task, Snapshot]:
    return shipped_library().compile("Clean All X", ("Mug",)), make_snapshot(*mugs, *rest)


def walk_of(task: Task, start: Snapshot, floor: Iterable[Cell]) -> int:
    """Return what the bound has beside the interactions."""
    poses = [Pose(x * GRID_SIZE_METRES, z * GRID_SIZE_METRES, 0, 0) for x, z in floor]
    bound = lower_bound(task, start, poses)
    return bound - min_interaction_count(interaction_needs_of(task.definition, start))


def shortest_walk(task: Task, start: Snapshot, floor: set[Cell]) -> int:
    """Say again, apart from the bound, how far it is at least past all that must be reached."""
    cells = floor | {HERE}
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    sides = [((x, z), beside) for x, z in cells for beside in ((x + 1, z), (x, z + 1))]
    graph.add_edges_from((cell, beside) for cell, beside in sides if beside in cells)
    needs = interaction_needs_of(task.definition, start)
    visits = {ids for need in needs for ids in need.places_to_visit}
    stops = {frozenset(c for c in floor if within_reach(c, ids, start)) for ids in visits}
    stops = {stop for stop in stops if stop and HERE not in stop}
    stops = {stop for stop in stops if not any(other < stop for other in stops)}

    def distance(one: frozenset[Cell], other: frozenset[Cell]) -> int:
        steps = nx.multi_source_dijkstra_path_length(graph, set(one))
        return min((steps[cell] for cell in other if cell in steps), default=0)

    apart = {(a, b): distance(a, b) for a in {*stops, frozenset({HERE})} for b in stops if a != b}
    orders = permutations(sorted(stops, key=sorted))
    return min(sum(apart[leg] for leg in pairwise((frozenset({HERE}), *order))) for order in orders)


def within_reach(cell: Cell, ids: Iterable[str], start: Snapshot) -> bool:
    x, z = (each * GRID_SIZE_METRES for each in cell)
    for obj in map(start.get, ids):
        assert obj is not None
        reach = REACH_OF_DOORS if obj.affordances.openable else INTERACTION_REACH_METRES
        box = Box((obj.box.center[0], 0, obj.box.center[2]), obj.box.size)
        if box.horizontal_distance(x, z) <= reach:
            return True
    return False


@settings(max_examples=25)
@given(
    found=blocks,
    mugs=st.lists(st.tuples(places, sizes, st.booleans()), min_size=1, max_size=3),
    sinks=st.lists(places, min_size=1, max_size=2),
    faucet=places,
)
def test_no_order_of_the_stops_is_shorter(found, mugs, sinks, faucet) -> None:
    floor = floor_of({(0, 0), *found})
    dirty = [
        object_at("Mug", i, at, size, isDirty=True, affordances=DOOR if opens else MUG)
        for i, (at, size, opens) in enumerate(mugs, 1)
    ]
    basins = [object_at("SinkBasin", i, at, (0.4, 0.1, 0.4)) for i, at in enumerate(sinks, 1)]
    tap = object_at("Faucet", 1, faucet, (0.0, 0.1, 0.0))
    task, start = all_clean(dirty, *basins, tap)
    assert walk_of(task, start, floor) == shortest_walk(task, start, floor)


CORRIDOR = {(x, 0) for x in range(60)}


@pytest.mark.parametrize(
    ("affordances", "inside", "steps"),
    [(MUG, None, 30 - 6), (DOOR, None, 30 - 9), (MUG, "Cabinet", 30 - 9)],
)
def test_a_door_may_bring_things_nearer(affordances, inside, steps) -> None:
    """1.5 m are 6 cells, and 2.3 m are 9."""
    cabinet = make_object("Cabinet", affordances=DOOR)
    mug = object_at("Mug", 1, (30, 0), (0, 0, 0), isDirty=True, affordances=affordances)
    if inside:
        mug = object_at("Mug", 1, (30, 0), (0, 0, 0), isDirty=True, inside=cabinet.objectId)
    task, start = all_clean([mug], cabinet)
    assert walk_of(task, start, CORRIDOR) == steps


@pytest.mark.parametrize("direction", [(1, 0), (-1, 0), (0, 1), (0, -1)])
@pytest.mark.parametrize(
    ("along", "across", "steps"), [(0.0, 0.0, 24), (1.0, 0.0, 22), (0.0, 2.0, 24), (2.0, 4.0, 20)]
)
def test_a_reach_ends_at_the_nearest_side_of_a_box(
    direction: Cell, along: float, across: float, steps: int
) -> None:
    dx, dz = direction
    corridor = {(dx * i, dz * i) for i in range(60)}
    size = (along, 9.0, across) if dx else (across, 9.0, along)
    mug = object_at("Mug", 1, (30 * dx, 30 * dz), size, isDirty=True)
    assert walk_of(*all_clean([mug]), corridor) == steps


def test_what_cannot_be_reached_adds_nothing() -> None:
    mug = object_at("Mug", 1, (30, 0), (0, 0, 0), isDirty=True)
    assert walk_of(*all_clean([mug]), {(x, 0) for x in (*range(20), *range(22, 60))}) == 0
    assert walk_of(*all_clean([mug]), {(x, 0) for x in range(20)}) == 0


@pytest.mark.parametrize(("count", "steps"), [(1, 9), (2, 12), (6, 24), (7, 27), (8, 27), (9, 27)])
def test_a_walk_goes_past_seven_stops_at_most(count: int, steps: int) -> None:
    """Stops of 13 cells lie 15 cells apart: from one's end to the next one's are 3 steps."""
    mugs = [object_at("Mug", n, (15 * n, 0), (0, 0, 0), isDirty=True) for n in range(1, count + 1)]
    assert walk_of(*all_clean(mugs), {(x, 0) for x in range(150)}) == steps
