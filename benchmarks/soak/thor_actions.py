"""Rounds of hostile actions through the AI2-THOR server, with the invariants after each action."""

import json
from collections.abc import Callable, Sequence
from itertools import combinations
from math import dist, hypot, isfinite
from random import Random
from typing import Any

from benchmarks.soak.invariants import BrokenInvariant, check_state
from tatc.apps.thorserver.action_table import THOR_ACTIONS
from tatc.apps.thorserver.events import EventMetadataWriter
from tatc.apps.thorserver.served_scenes import find_served_scene
from tatc.apps.thorserver.server_loop import run_client_action
from tatc.apps.thorserver.thor_action import ThorResult
from tatc.apps.thorserver.thor_agent import DEFAULT_HAND_POSE
from tatc.apps.thorserver.thor_world import CLIENT_2, CLIENT_5, ClientVersion, ThorWorld
from tatc.home.actions import cell_of
from tatc.home.body import BODY_HEIGHT_METRES, BODY_RADIUS_METRES
from tatc.home.state import Snapshot
from tatc.sim.embedded.world_state import held_position
from tatc.sim.rooms import room_names

ROUND_ACTIONS = 500
"""The actions on one world, which begins in a drawn room with one to three agents."""
METADATA_EVERY = 50
"""After one action in so many, the metadata are written and checked too."""
FRAME_SIZE = (60, 60)
MAX_AGENTS = 3
_TOLERANCE_METRES = 1e-6
_SHARE_OF_NONSENSE = 0.05

Action = dict[str, Any]
_STEPS = ("MoveAhead", "MoveBack", "MoveLeft", "MoveRight", "Teleport", "TeleportFull")
_SLOW = ("GetInteractablePoses", "ObjectNavExpertAction", "GetReachablePositions")
_SELDOM = ("GetShortestPath", "GetShortestPathToPoint", "GetScenesInBuild", "Initialize")
_NO_STATE = ("RandomizeMaterials", "RandomizeLighting", "ChangeResolution", "Get2DSemanticHulls")
_OFTEN = {
    "PickupObject": 12.0,
    "PutObject": 12.0,
    "OpenObject": 5.0,
    "CloseObject": 3.0,
    "ToggleObjectOn": 4.0,
    "SliceObject": 4.0,
    "BreakObject": 4.0,
    "PlaceObjectAtPoint": 8.0,
    "SetObjectPoses": 2.0,
    "SetStateOfAllObjects": 1.0,
    "InitialRandomSpawn": 0.7,
    "TeleportFull": 5.0,
    "Teleport": 5.0,
    "MoveAhead": 5.0,
    "RotateHeldObject": 3.0,
    "DisableAllObjectsOfType": 0.3,
    "RemoveFromScene": 1.0,
    "EnableObject": 4.0,
    "Reset": 0.3,
}
_NONSENSE: tuple[object, ...] = (
    None, "", "x", "Mug", True, False, 0, -1, 1, 0.5, 1e6, -1e6, 1e300, 1e-300, 2**70, float("nan"),
    float("inf"), [], [None], {}, {"x": 1e308}, [[[]]], "\x00", "Floor|+00.00|+00.00|+00.00",
)  # fmt: skip


def play_thor_round(seed: int, number: int, actions: int = ROUND_ACTIONS) -> int:
    """Run a round's actions; return how many of them succeeded.

    Raises:
        BrokenInvariant: an invariant does not hold, or the server failed; says after which
            action.

    """
    rng = Random(f"thor {seed}/{number}")
    checker = CheckedWorld(rng.choice(room_names()), rng.choice((CLIENT_2, CLIENT_5)))
    succeeded = 0
    start = {"action": "Initialize", "agentCount": rng.randint(1, MAX_AGENTS)}
    for step in range(actions):
        action = draw_thor_action(checker.world, rng) if step else start
        try:
            succeeded += checker.run(action).success
            if (number * actions + step) % METADATA_EVERY == 0:
                checker.check_metadata(str(action["action"]))
        except BrokenInvariant as fault:
            at = f"seed {seed}, round {number}, step {step}"
            raise BrokenInvariant(f"{at}: {action!r:.2000}: {fault}") from fault
    return succeeded


class CheckedWorld:
    """A served world of which each action is checked."""

    def __init__(self, room: str, client: ClientVersion = CLIENT_5) -> None:
        """Serve a shipped room."""
        scene = find_served_scene(room)
        assert scene is not None
        self.world = ThorWorld(scene, FRAME_SIZE, client)
        self.consent = set[tuple[int, int]]()
        """The pairs of agents that a client let walk into each other, until they are apart."""
        self._checked: Snapshot | None = None
        self._writer = EventMetadataWriter()

    def run(self, action: Action) -> ThorResult:
        """Run a client's action and check what it left."""
        world, name = self.world, str(action.get("action"))
        is_step = name in _STEPS and action.get("forceAction") in (None, False)
        free = world.floor.free_cells if is_step else ()
        before = [agent.state for agent in world.agents]
        result = run_client_action(world, action, lambda line: None)
        if result.error_code == "Exception":
            raise BrokenInvariant(result.error_message)
        if result.success is bool(result.error_message):
            raise BrokenInvariant(f"success {result.success}, but {result.error_message!r}")
        world.save_active_agent()
        state = world.state.snapshot()
        check_state(state, hands=len(world.agents), sound=self._checked)
        self._checked = state
        self._check_agents(action)
        if is_step and result.success:
            number, (x, y, z) = world.active_agent, world.agent_state.position
            if (x, y, z) != before[number].position and cell_of(x, z) not in free:
                raise BrokenInvariant(f"agent {number} has no room at {(x, y, z)}")
        return result

    def check_metadata(self, name: str) -> None:
        """Check that what clients are told is JSON, and says of contents what objects say.

        Raises:
            BrokenInvariant: it is not so.

        """
        told = self._writer.event_metadata(self.world, name, ThorResult(), 1)
        try:
            json.dumps(told, allow_nan=False)
        except ValueError as fault:
            raise BrokenInvariant(f"the metadata are no JSON: {fault}") from fault
        for agent in told["agents"]:
            inside = {
                (each, row["objectId"])
                for row in agent["objects"]
                for each in row["receptacleObjectIds"] or ()
            }
            outer = {
                (row["objectId"], each)
                for row in agent["objects"]
                for each in row["parentReceptacles"] or ()
            }
            if inside != outer and self.world.listed_ids is None:
                raise BrokenInvariant(f"contents and receptacles differ: {inside ^ outer}")

    def _check_agents(self, action: Action) -> None:
        """Check that each held object is in one hand, and that no two agents are in each other."""
        world = self.world
        held = [agent.held for agent in world.agents if agent.held is not None]
        in_hands = {obj.objectId for obj in world.state.objects if obj.isPickedUp}
        if len(set(held)) < len(held) or set(held) != in_hands:
            raise BrokenInvariant(f"the hands hold {held}, and {in_hands} are held")
        for number, agent in enumerate(world.agents):
            pose = (*agent.state.position, agent.state.yaw, agent.state.horizon)
            if not all(map(isfinite, pose)):
                raise BrokenInvariant(f"agent {number} is at {agent.state}")
            obj = None if agent.held is None else world.state.find(agent.held)
            if obj is not None and agent.hand.offset == DEFAULT_HAND_POSE.offset:
                if dist(obj.position, held_position(agent.state)) > _TOLERANCE_METRES:
                    raise BrokenInvariant(f"{obj.objectId} is not in the hand of agent {number}")
        for pair in combinations(range(len(world.agents)), 2):
            one, other = (world.agents[i].state.position for i in pair)
            level, height = hypot(one[0] - other[0], one[2] - other[2]), abs(one[1] - other[1])
            if level > 2 * BODY_RADIUS_METRES - _TOLERANCE_METRES or height >= BODY_HEIGHT_METRES:
                self.consent.discard(pair)
            elif action.get("allowAgentsToIntersect") in (True, "true"):
                self.consent.add(pair)
            elif pair not in self.consent:
                raise BrokenInvariant(f"agents {pair} are in each other, at {one} and {other}")


def draw_thor_action(world: ThorWorld, rng: Random) -> Action:
    """Draw an action of the table with arguments that suit it, or wrong ones, or nonsense."""
    [name] = rng.choices(_NAMES, _WEIGHTS)
    action: Action = {"action": name, "sequenceId": rng.randrange(10**6)}
    if len(world.agents) > 1 or rng.random() < 0.02:
        action["agentId"] = rng.randrange(len(world.agents) + (rng.random() < 0.02))
    draw = _DRAWN_ALONE.get(name)
    if draw is not None:
        action |= draw(world, rng)
    if name in THOR_ACTIONS:
        table = THOR_ACTIONS[name]
        required = {each for names in table.required[:1] for each in names}
        for parameter, kind in table.parameters.items():
            if parameter not in action and (parameter in required or rng.random() < 0.3):
                action[parameter] = _draw_argument(world, rng, parameter, kind)
        if "objectId" in action and rng.random() < 0.9:  # else a point may name the object
            for axis in "xy" if "x" in table.parameters and "z" not in table.parameters else "":
                action.pop(axis, None)
    for key in list(action):
        if key != "action" and rng.random() < _SHARE_OF_NONSENSE / len(action):
            action[key] = rng.choice(_NONSENSE)
    return action


def _draw_argument(world: ThorWorld, rng: Random, name: str, kind: str) -> Any:
    """Draw an argument of the right type, mostly."""
    match kind:
        case "Boolean":
            return rng.random() < (0.75 if name == "forceAction" else 0.5)
        case "String":
            return _draw_text(world, rng, name)
        case "int":
            return rng.choice((0, 1, 2, 60, 100, -1))
        case "float":
            return rng.choice((0.0, 0.05, 0.25, 0.5, 0.75, 1.0, 45.0, 90.0, -0.25, rng.random()))
        case "Vector3" | "Vector3 or a yaw":
            return _draw_vector(world, rng, name)
        case "String[]":
            return [_draw_text(world, rng, name) for _ in range(rng.choice((0, 1, 1, 2, 5)))]
        case "Single[]":
            return [rng.choice((0.0, 0.5, 1.0, 30.0)) for _ in range(rng.choice((0, 1, 2)))]
        case _:
            return [_draw_vector(world, rng, name) for _ in range(rng.choice((0, 1, 3)))]


def _draw_text(world: ThorWorld, rng: Random, name: str) -> str:
    if "Type" in name:
        return rng.choice(world.state.objects).objectType
    if name == "fillLiquid":
        return rng.choice(("water", "coffee", "wine", "oil"))
    return _draw_id(world, rng)


def _draw_id(world: ThorWorld, rng: Random) -> str:
    """Draw the id of an object, often one that is held, portable, or not there."""
    held = [agent.held for agent in world.agents if agent.held is not None]
    share = rng.random()
    if held and share < 0.25:
        return rng.choice(held)
    if world.disabled_objects and share < 0.3:
        return rng.choice(list(world.disabled_objects))
    if share < 0.33:
        return rng.choice(world.served_scene.room.objects).objectId
    objects = world.state.objects
    if share < 0.6:
        objects = [obj for obj in objects if obj.affordances.pickupable] or objects
    elif share < 0.75:
        able = [obj for obj in objects if obj.affordances.pickupable and obj.affordances.receptacle]
        objects = able or objects
    return rng.choice(objects).objectId if objects else "Moon|1|1|1"


def _draw_vector(world: ThorWorld, rng: Random, name: str) -> Any:
    if name == "rotation":
        if rng.random() < 0.5:
            return rng.choice((0, 90.0, 180, 33.3, -90))
        return {axis: rng.choice((0, 0, 0, 90, 45.5, -180)) for axis in "xyz"}
    return dict(zip("xyz", _draw_place(world, rng), strict=True))


def _draw_place(world: ThorWorld, rng: Random) -> Sequence[float]:
    """Draw a place: an agent's or near it, an object's or above it, a cell, or anywhere."""
    share = rng.random()
    low, high = world.bounds()
    if share < 0.25:
        x, y, z = rng.choice(world.agents).state.position
        return x + rng.choice((0, 0, 0.25, -0.25)), y, z + rng.choice((0, 0, 0.25))
    if share < 0.6 and world.state.objects:
        box = rng.choice(world.state.objects).box
        x, _, z = box.center
        return x, min(box.top + rng.choice((0.0, 0.05, 0.3)), high[1]), z
    if share < 0.9:
        cells = sorted(world.floor.free_cells)
        x, z = rng.choice(cells)
        return x * 0.25, world.agent_y, z * 0.25
    return [rng.uniform(a, b) for a, b in zip(low, high, strict=True)]


def _draw_poses(world: ThorWorld, rng: Random) -> Action:
    """Draw poses for most portable objects, some twice, some under names that none has."""
    able = [o for o in world.state.objects if o.affordances.pickupable or o.affordances.moveable]
    chosen = [obj for obj in able if rng.random() < rng.choice((0.3, 0.9, 1.0))]
    chosen += rng.choices(able, k=rng.choice((0, 0, 2))) if able else []
    rng.shuffle(chosen)
    poses: list[Any] = []
    for obj in chosen:
        position, rotation = obj.position, obj.rotation
        if rng.random() < 0.3:
            position, rotation = _draw_place(world, rng), rng.choice(((0, 0, 0), (90, 30, 0)))
        elif rng.random() < 0.2:
            position = rng.choice(able).position
        name = obj.name if rng.random() < 0.98 else "Moon"
        pose = {"position": position, "rotation": rotation}
        row = {key: dict(zip("xyz", at, strict=True)) for key, at in pose.items()}
        poses.append({"objectName": name, **row})
    if poses and rng.random() < 0.05:
        poses[-1] = rng.choice(_NONSENSE)
    return {"objectPoses": poses}


def _draw_states(world: ThorWorld, rng: Random) -> Action:
    flags = ("isOpen", "isToggled", "isDirty", "isFilledWithLiquid", "isCooked", "isSliced")
    affordances = ("openable", "toggleable", "dirtyable", "canFillWithLiquid", "breakable", "x")
    row: Action = {"stateChange": rng.choice(affordances), rng.choice(flags): rng.random() < 0.8}
    if rng.random() < 0.5:
        row["objectType"] = rng.choice(world.state.objects).objectType
    return {"SetObjectStates": row}


def _draw_spawn(world: ThorWorld, rng: Random) -> Action:
    kind = rng.choice(world.served_scene.room.objects).objectType
    rows = [{"objectType": kind, "count": rng.choice((0, 1, 3, 5))}]
    copies = {"numDuplicatesOfType": rows} if rng.random() < 0.4 else {}
    return {"randomSeed": rng.randrange(100), "numPlacementAttempts": 5, **copies}


def _draw_change(world: ThorWorld, rng: Random) -> Action:
    names = "CanOpen CanToggleOnOff CanBeDirty CanBeFilled CanBeCooked CanBeUsedUp CanBeSliced"
    change = rng.choice((*names.split(), "CanBreak", "CanBreak", "CanFly"))
    return {"StateChange": change, "forceAction": rng.random() < 0.8}


def _draw_put(world: ThorWorld, rng: Random) -> Action:
    able = [obj.objectId for obj in world.state.objects if obj.affordances.receptacle]
    target = rng.choice(able) if able and rng.random() < 0.7 else _draw_id(world, rng)
    key = "receptacleObjectId" if rng.random() < 0.2 else "objectId"
    return {key: target, "forceAction": rng.random() < 0.8}


def _draw_setup(world: ThorWorld, rng: Random) -> Action:
    sizes = {"gridSize": rng.choice((0.25, 0.25, 0.5)), "visibilityDistance": rng.choice((1.5, 9))}
    sizes["rotateStepDegrees"] = turn = rng.choice((90, 45))
    sizes["snapToGrid"] = turn == 90 and rng.random() < 0.5
    return {"agentCount": rng.choice((1, 1, 2, 3, 3, 0, 9)), **sizes}


_DRAWN_ALONE: dict[str, Callable[[ThorWorld, Random], Action]] = {
    "SetObjectPoses": _draw_poses,
    "SetObjectStates": _draw_states,
    "SetObjectToggles": lambda world, rng: {
        "objectToggles": [
            {"objectType": rng.choice(world.state.objects).objectType, "isOn": rng.random() < 0.5}
        ]
    },
    "SetStateOfAllObjects": _draw_change,
    "InitialRandomSpawn": _draw_spawn,
    "PutObject": _draw_put,
    "Initialize": _draw_setup,
    "ChangeResolution": lambda world, rng: {"x": 60, "y": rng.choice((40, 60))},
    "GetReachablePositions": lambda world, rng: {"gridSize": 0.25},
    "GetInteractablePoses": lambda world, rng: {"maxPoses": 1, "rotations": [0.0]},
    "Reset": lambda world, rng: {"sceneName": rng.choice((*room_names(), "Nowhere"))},
}
_NAMES = (*sorted(THOR_ACTIONS), "Reset", "Fly")
_WEIGHTS = [
    _OFTEN.get(name, 0.2 if name in (*_SELDOM, *_NO_STATE) else 0.02 if name in _SLOW else 1.0)
    for name in _NAMES
]
