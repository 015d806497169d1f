"""Draws the start of a session in a room (spec 2.11): what lies where, dirt, liquids.

As in TEACh, things that can be carried are put at random where their type is kept, one
to three of each type; each switch, each vessel's liquid and each dirtyable thing's dirt
is a fair coin; the agents stand at random.  A start is kept only if the task's
preconditions hold in it and the task is not already done.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from tatc.actions import GRID
from tatc.errors import BadInput
from tatc.sim.embedded.appliances import run_appliances
from tatc.sim.embedded.house import House
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.sim.rooms.habits import COPIES, habits
from tatc.sim.rooms.needs import lacking, wanted
from tatc.sim.rooms.reach import Ground
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.stowing import Stower
from tatc.state import AgentState, ObjectState, Scene, Snapshot
from tatc.tdl.classes import assign_classes
from tatc.tdl.task import Task

MOST_TRIES = 60
APART = 0.5
"""The agents stand farther from each other than this, metres."""
FOLLOWER_HORIZON = 30.0
BOILED = "simbotIsBoiled"


def start_state(room: Room, seed: int, task: Task | None = None) -> Scene:
    """Return the start of a session in a room; the same arguments give the same.

    Raises:
        BadInput: the room cannot hold the task, or not even its own things.

    """
    reasons: dict[str, None] = {}
    if task is not None and (lack := lacking(room, task)):
        reasons[lack] = None
    for number in range(0 if reasons else MOST_TRIES):
        scene = _drawn(room, Random(f"{room.name} {seed} {number}"))
        if scene is None:
            reasons["its things do not fit into it"] = None
            continue
        reason = "" if task is None else refusal(task, captured(scene))
        if not reason:
            return scene
        reasons[reason] = None
    what = "no start can be drawn for this room"
    raise BadInput(
        f"{what if task is None else 'this room cannot hold this task'}: "
        f"{', or '.join(reasons)}",
        where=room.name,
        fix="tatc rooms list --with-tasks --json shows what each room can hold",
    )


def captured(scene: Scene) -> Snapshot:
    """Return the state in which a session begins, as TEACh captures it."""
    return EmbeddedSimulator().reset(scene)


def refusal(task: Task, now: Snapshot) -> str:
    """Return why a task cannot start from a captured state, or an empty text."""
    if not task.preconditions_hold(now):
        return f"there is no {', no '.join(task.missing(now))}"
    if BOILED in wanted(task.definition) and not task.preconditions_hold(_raw(now)):
        return "what is to be boiled is cooked from the start"
    return "it is done from the start" if task.check(now).success else ""


def _raw(now: Snapshot) -> Snapshot:
    """Return a state without what is cooked, or will be before anybody touches it.

    What was cooked without water is never boiled (spec 2.8).
    """
    house = House(now)
    run_appliances(house)
    raw = [thing for thing in house.things if not thing.isCooked]
    return Snapshot.of(raw, now.commander, now.follower)


def _drawn(room: Room, rng: Random) -> Scene | None:
    """Draw a start; None where something found no place."""
    kept = [t for t in room.objects if t.objectType not in habits()]
    moved = [t for t in room.objects if t.objectType in habits()]
    stower = Stower(kept, room.agent_y, rng)
    placed = _put_back(moved, stower, rng)
    if placed is None:
        return None
    objects = _heated([_tossed(thing, rng) for thing in (*kept, *placed)])
    agents = _agents(objects, room, rng)
    if agents is None:
        return None
    start = Snapshot.of(assign_classes(objects), *agents)
    return Scene(room.name, room.kind, start, room.cells)


def _put_back(
    things: Sequence[ObjectState], stower: Stower, rng: Random
) -> list[ObjectState] | None:
    """Put one to three of each type down; None where not even one finds a place.

    First copies go first and large things before small ones, so that a crowded room
    loses doubles, not types.
    """
    order = sorted(things, key=lambda t: (-t.box.size[0] * t.box.size[2], t.objectId))
    found: list[ObjectState] = []
    for thing in order:
        copy = stower.put(thing.objectType, thing.box.size)
        if copy is None:
            return None
        found.append(copy)
    for thing in _doubles(order, rng):
        copy = stower.put(thing.objectType, thing.box.size)
        if copy is not None:
            found.append(copy)
    return found


def _doubles(things: Sequence[ObjectState], rng: Random) -> Iterator[ObjectState]:
    """Yield the further copies that are drawn for each type."""
    first = {thing.objectType: thing for thing in things}
    for thing in first.values():
        for _ in range(rng.randint(*COPIES) - 1):
            yield thing


def _tossed(thing: ObjectState, rng: Random) -> ObjectState:
    """Toss a coin for each state that an object can be in (spec 2.11)."""
    able = thing.affordances
    if able.toggleable and not thing.isBroken:
        thing = replace(thing, isToggled=rng.random() < 0.5)
    if able.canFillWithLiquid:
        thing = replace(thing, isFilledWithLiquid=rng.random() < 0.5)
    if able.dirtyable:
        thing = replace(thing, isDirty=rng.random() < 0.5)
    if able.canBeUsedUp:
        thing = replace(thing, isUsedUp=rng.random() < 0.5)
    return thing


def _heated(objects: Sequence[ObjectState]) -> list[ObjectState]:
    """Heat the burners whose knobs are on."""
    hot = {
        burner
        for knob in objects
        if knob.isToggled and knob.controlledObjects is not None
        for burner in knob.controlledObjects
    }
    return [
        replace(thing, ObjectTemperature="Hot") if thing.objectId in hot else thing
        for thing in objects
    ]


def _agents(
    objects: Sequence[ObjectState], room: Room, rng: Random
) -> tuple[AgentState, AgentState] | None:
    """Draw where the Commander's camera and the Follower are; None: no floor."""
    agent_y = room.agent_y
    cells = [(x * GRID, z * GRID) for x, z in room.cells] or [
        (float(x), float(z)) for x, z in Ground.of(objects, agent_y).cells
    ]
    for _ in range(MOST_TRIES if len(cells) > 1 else 0):
        (ax, az), (bx, bz) = rng.sample(cells, 2)
        if (ax - bx) ** 2 + (az - bz) ** 2 > APART**2:
            yaw, other = rng.choice(range(0, 360, 90)), rng.choice(range(0, 360, 90))
            return (
                AgentState((ax, agent_y, az), float(yaw), 0.0),
                AgentState((bx, agent_y, bz), float(other), FOLLOWER_HORIZON),
            )
    return None
