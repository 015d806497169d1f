"""Starts of sessions: drawn by a seed, fit for the task, within reach."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from math import dist
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tatc.base.errors import BadInput
from tatc.home.state import ObjectState, Scene
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.rooms import Room, load_room, random_placement, room_names, start_state
from tatc.sim.rooms.random_placement import receptacle_weights
from tatc.sim.rooms.start_sampling import capture_start, feasible_tasks, reason_against_start
from tatc.tdl import shipped_library
from tests.object_factory import with_objects

LIBRARY = shipped_library()
TASKS = {
    "kitchen-03": [
        ("Coffee", ()),
        ("Water Plant", ()),
        ("Plate Of Toast", ()),
        ("Boil X", ("Potato",)),
        ("Clean All X", ("Plate",)),
        ("Salad", ("1", "1", "1")),
        ("Sandwich", ("1", "1")),
        ("N Slices Of X In Y", ("2", "Tomato", "on", "Plate")),
        ("N Cooked Slices Of X In Y", ("2", "Potato", "in", "Bowl")),
        ("Put All X In One Y", ("Mug", "in", "Cabinet")),
        ("Breakfast", tuple("1 1 2 Plate 1 Bowl 1 1 0 1 0 1 1 CounterTop".split())),
    ],
    "living-room-02": [("Put All X On Y", ("RemoteControl", "on", "Sofa"))],
    "bedroom-02": [("Put All X On Y", ("AlarmClock", "on", "Bed"))],
    "bathroom-02": [("Clean All X", ("Cloth",))],
}
rooms = st.sampled_from(room_names())
seeds = st.integers(min_value=0, max_value=10**9)


def scene_of(name: str, seed: int) -> Scene:
    return start_state(load_room(name), seed)


def test_a_seed_gives_the_same_start_in_another_process():
    program = (
        "from tatc.sim.rooms import load_room, start_state\n"
        "print(start_state(load_room('kitchen-04'), 9001).initial.objects)"
    )
    there = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "4711"},
    ).stdout
    assert there == f"{scene_of('kitchen-04', 9001).initial.objects}\n"


def test_other_seeds_move_things_and_agents():
    starts = [scene_of("kitchen-04", seed).initial for seed in range(6)]
    assert len({start.objects for start in starts}) == 6
    assert len({start.follower for start in starts}) > 3


@settings(max_examples=20, deadline=None)
@given(rooms, seeds)
def test_a_start_has_some_of_each_type_and_agents_on_the_floor_in_reach_of_all(
    name: str, seed: int
):
    room, scene = load_room(name), scene_of(name, seed)
    start = scene.initial
    before = Counter(obj.objectType for obj in room.objects)
    after = Counter(obj.objectType for obj in start.objects)
    assert set(before) == set(after)
    for kind, count in after.items():
        if kind in receptacle_weights():
            assert before[kind] <= count <= before[kind] + 2
        else:
            assert count == before[kind]
    assert len({obj.objectId for obj in start.objects}) == len(start.objects)
    places = [(p.x, 0.9, p.z) for p in WalkableGrid.from_scene(scene).reachable()]
    for agent in (start.commander, start.follower):
        assert agent.position in places
        assert agent.yaw in (0.0, 90.0, 180.0, 270.0)
    assert dist(start.commander.position, start.follower.position) > 0.5
    assert (start.commander.horizon, start.follower.horizon) == (0.0, 30.0)
    for obj in start.objects:
        if obj.objectType in receptacle_weights():
            nearest = min(dist(place, obj.box.center) for place in places)
            assert nearest < 1.4, obj.objectId


def test_states_are_fair_coins():
    start = [obj for s in range(24) for obj in scene_of("kitchen-01", s).initial.objects]
    for able, state in (
        ("toggleable", "isToggled"),
        ("canFillWithLiquid", "isFilledWithLiquid"),
        ("dirtyable", "isDirty"),
    ):
        tossed = [getattr(t, state) for t in start if getattr(t.affordances, able)]
        assert len(tossed) > 200
        assert 0.4 < sum(tossed) / len(tossed) < 0.6, state


def test_burners_are_as_hot_as_their_knobs_say():
    for seed in range(3):
        start = scene_of("kitchen-01", seed).initial
        for knob in start.of_type("StoveKnob"):
            for burner in map(start.get, knob.controlledObjects or ()):
                assert burner is not None
                assert (burner.ObjectTemperature == "Hot") is knob.isToggled


@pytest.mark.parametrize(
    ("name", "task", "params"),
    [(room, task, params) for room, some in TASKS.items() for task, params in some],
)
def test_a_start_for_a_task_can_hold_it_and_has_it_not_done(
    name: str, task: str, params: tuple[str, ...]
):
    wanted = LIBRARY.compile(task, params)
    for seed in range(2):
        now = capture_start(start_state(load_room(name), seed, wanted))
        assert wanted.preconditions_hold(now)
        assert not wanted.check(now).success


def test_what_cooks_before_anybody_comes_is_no_potato_to_boil():
    """A start with its potatoes in a microwave is kept where that does not run."""
    task = LIBRARY.compile("Boil X", ("Potato",))
    start = capture_start(start_state(load_room("kitchen-26"), 1, task))
    (oven,) = start.of_type("Microwave")
    within = (oven.objectId,)

    def told(*, runs: bool, cooked: bool = False) -> str:
        changes = {
            "Potato": {"parentReceptacles": within, "isCooked": cooked},
            "Microwave": {"isToggled": runs},
        }
        kept = [replace(obj, **changes.get(obj.objectType, {})) for obj in start.objects]
        return reason_against_start(task, with_objects(start, kept))

    assert told(runs=False) == ""
    assert "already cooked at the start" in told(runs=True)
    assert "already cooked at the start" in told(runs=False, cooked=True)


def test_a_task_that_a_start_allows_does_not_change_it():
    room = load_room("kitchen-05")
    task = LIBRARY.compile("Plate Of Toast", ())
    seed = next(s for s in range(20) if not task.check(capture_start(start_state(room, s))).success)
    assert start_state(room, seed, task) == start_state(room, seed)


@pytest.mark.parametrize(
    ("name", "task", "params", "reason"),
    [
        ("bedroom-01", "Plate Of Toast", (), "there is no Bread"),
        ("living-room-01", "Water Plant", (), "there is no Faucet"),
        ("bedroom-02", "Coffee", (), "there is no CoffeeMachine"),
        ("kitchen-01", "Candles", (), "there is no"),
        (
            "kitchen-01",
            "Breakfast",
            ("9",) * 3 + ("Plate", "0", "Plate") + ("0",) * 7 + ("CounterTop",),
            "there is no",
        ),
        ("bathroom-01", "Put All X On Y", ("Cloth", "on", "DiningTable"), "no "),
    ],
)
def test_a_room_that_cannot_hold_a_task_says_why(
    name: str, task: str, params: tuple[str, ...], reason: str
):
    wanted = LIBRARY.compile(task, params)
    with pytest.raises(BadInput, match="this room cannot hold this task") as caught:
        start_state(load_room(name), 1, wanted)
    message = str(caught.value)
    assert message.startswith(f"{name}: ")
    assert reason in message
    assert "\n" not in message


def test_a_room_that_is_too_small_for_its_things_says_so():
    room = load_room("kitchen-01")
    kept = ("Floor", "Faucet")
    bare = [o for o in room.objects if o.affordances.pickupable or o.objectType in kept]
    with pytest.raises(BadInput, match="no start can be drawn for this room"):
        start_state(Room("bare", room.kind, 0, 0.9, tuple(bare)), 1)


def test_surfaces_are_looked_for_once_however_often_a_start_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
):
    looked_at = Counter[str]()

    def count(world: WorldState, receptacle: ObjectState) -> list[Surface]:
        looked_at[receptacle.objectId] += 1
        return []

    monkeypatch.setattr(random_placement, "observed_surfaces", count)
    room = replace(load_room("bathroom-01"), agent_y=0.9002)  # so that none are known
    with pytest.raises(BadInput, match="do not fit"):
        start_state(room, 1)
    assert set(looked_at.values()) == {1}


@pytest.mark.parametrize("name", ["kitchen-05", "FloorPlan1"])
def test_all_of_a_surface_is_as_near_as_its_reach_says(name: str):
    room, rng, known = load_room(name), Random(6), receptacle_weights()
    fixed = [obj for obj in room.objects if obj.objectType not in known]
    placer = random_placement.RandomPlacer(fixed, room.agent_y, rng, cells=room.cells)
    near = 0
    for place in (p for hosts in placer._surfaces_by_type.values() for h in hosts for p in h):
        for _ in range(20):
            width, depth = (rng.uniform(-0.5, 0.5) * side for side in place.surface.size)
            x, z = place.surface.to_world(width, depth)
            away = place.floor.distance_to((x, room.agent_y, z))
            assert away <= place.level_reach + 1e-9
        near += place.level_reach < random_placement.room.BODY_REACH_METRES
    assert near > 10


def test_the_worlds_capture_keeps_a_start_as_it_is_but_for_its_rules():
    scene = scene_of("living-room-01", 3)
    kept = {obj.objectId: obj for obj in EmbeddedSimulator().reset(scene).objects}
    assert set(kept) == {obj.objectId for obj in scene.initial.objects}
    for obj in scene.initial.objects:
        now = kept[obj.objectId]
        assert (now.position, now.isToggled) == (obj.position, obj.isToggled)


def test_every_kind_of_room_holds_the_tasks_recorded_in_it():
    kitchen = set(feasible_tasks(load_room("kitchen-02"), LIBRARY))
    assert kitchen >= {task for task, _ in TASKS["kitchen-03"]} | {"Put All X On Y"}
    for name, wanted in (
        ("living-room-03", {"Put All X In One Y", "Put All X On Y"}),
        ("bedroom-03", {"Put All X On Y"}),
        ("bathroom-05", {"Clean All X", "Put All X On Y"}),
    ):
        found = set(feasible_tasks(load_room(name), LIBRARY))
        assert found >= wanted
        assert not found & {"Coffee", "Water Plant", "Toast"}
