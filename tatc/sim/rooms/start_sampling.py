"""Draws the start of a session in a room (spec 2.11): places of objects, dirt, liquids.

As in TEACh, pickupable objects are put at random where their type is kept, one to three of each
type.  A fair coin decides whether one is switched on, filled, dirty or used up, and the agents
stand at random.  Seed 0 leaves the objects of a room that was captured in AI2-THOR as they are,
and draws the agents alone.  A start is kept only if the task is not already done in it and its
preconditions hold.  These (spec 3.9) ask for the objects alone: a mug is enough for coffee, because
TEACh's sessions take place where there is a coffee machine.  tatc's rooms are of all kinds, so the
source of each wanted property is required too.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import product
from random import Random

from tatc.base.errors import BadInput
from tatc.home import body
from tatc.home.actions import GRID_SIZE_METRES, Cell
from tatc.home.state import AgentState, ByIdentity, ObjectState, Pose, Scene, Snapshot
from tatc.home.type_facts import BOILING_HEAT_TYPES, HEAT_SOURCE_TYPES, KNIFE_TYPES
from tatc.planners.viewpoints import find_viewpoints
from tatc.sim.embedded import appliances, simulator, slicing, world_state
from tatc.sim.rooms import placement_feasibility, random_placement
from tatc.sim.rooms.room import ReachableFloor, Room
from tatc.tdl import ProblemKey, check_tree, parameters, properties, task_library
from tatc.tdl.definition import TaskDefinition
from tatc.tdl.task import Task

MAX_START_TRIES = 60
CAPTURED_SEED = 0  # the seed that stands for a captured room's own state
KEPT_STARTS = 16  # how many of the starts drawn last are kept
MIN_AGENT_DISTANCE_METRES = 0.5  # the agents' starting positions are farther apart than this
FOLLOWER_HORIZON_DEGREES = 30.0
DONE_FROM_START = "it is done from the start"
BOILED_PROPERTY = "simbotIsBoiled"
SOURCE_TYPES: dict[str, tuple[str, ...]] = {
    "isCooked": HEAT_SOURCE_TYPES,
    "isFilledWithLiquid": ("Faucet",),
    BOILED_PROPERTY: BOILING_HEAT_TYPES,
    "simbotIsCooked": HEAT_SOURCE_TYPES,
    "simbotIsFilledWithCoffee": ("CoffeeMachine",),
}
"""For a property that a task may want, the types of objects of which one brings it about."""


class NoStart(BadInput):
    """No start of a task can be drawn in a room, for these `reasons`."""

    def __init__(self, room: Room, what: str, reasons: Sequence[str]) -> None:
        """Name the room and the reasons."""
        self.reasons = tuple(reasons)
        fix = "tatc rooms list --with-tasks --json shows what each room can hold"
        super().__init__(f"{what}: {', or '.join(reasons)}", where=room.name, fix=fix)


class CapturedStart:
    """The start of a captured room, and what in it keeps a task from being done.

    Rooms that tatc generates are made so that all in them can be reached and washed.  In a real
    home, something may lie at the back of a low shelf, a pot may be longer than the sink, and a
    bowl may take one slice and no more.  A start with such an obstacle in the way is drawn again.
    """

    def __init__(self, scene: Scene) -> None:
        """Take a start whose `cells` are where a body can stand."""
        self._start = scene.initial
        self._world = world_state.WorldState(scene.initial)
        self._can_click = cache(self._finds_click_on)
        self._fits: dict[str, bool] = {}
        self._poses = _poses_on(scene.cells)

    def obstacle_to(self, task: Task) -> str:
        """Return why the objects keep a task from being done, an empty string if they do not."""
        keys = task.check(self._start).problem_keys()
        for key in keys:
            if not self._can_click(key.object_id):
                return f"{key.object_id} is out of reach"
            if key.targets and not any(map(self._can_click, key.targets)):
                return f"{key.targets[0]} is out of reach"
            if self._lacks_water(key):
                return f"no water gets to {key.object_id}"
        if any(key.property_name == "objectType" for key in keys):
            knives = self._start.of_type(*KNIFE_TYPES)
            if not any(self._can_click(knife.objectId) for knife in knives):
                return "no knife is within reach"
            if not placement_feasibility.has_room_for_task(task, self._cut(keys)):
                return "the pieces do not fit where they are wanted"
        return ""

    def _finds_click_on(self, object_id: str) -> bool:
        """Return whether somebody can click an object, once what it lies in is open."""
        world, start, poses = self._world, self._start, self._poses
        world.restore(start)
        target = world.index_of(object_id)
        for parent in world.objects[target].parentReceptacles or ():
            holder = world.find(parent)
            if holder is not None and holder.affordances.openable:
                world.set_object(world.opened_copy(holder, holder.box.center))
        found = find_viewpoints(
            world.geometry, world.objects, target, lambda i: i == target, poses, start.follower
        )
        return any(True for _ in found)

    def _lacks_water(self, key: ProblemKey) -> bool:
        """Return whether a key asks for water that cannot get to its object."""
        obj = self._start.get(key.object_id)
        if obj is None or key.property_name not in ("isDirty", "isFilledWithLiquid"):
            return False
        if obj.affordances.pickupable:
            if obj.objectId not in self._fits:
                self._fits[obj.objectId] = placement_feasibility.fits_in_basin(self._start, obj)
            return not self._fits[obj.objectId]
        vessels = (each.affordances for each in self._start.objects)
        return not any(able.canFillWithLiquid and able.pickupable for able in vessels)

    def _cut(self, keys: tuple[ProblemKey, ...]) -> Snapshot:
        """Return the start with everything cut that a task wants pieces of."""
        world = world_state.WorldState(self._start)
        for name in {key.object_id: None for key in keys if key.property_name == "objectType"}:
            slicing.cut_into_pieces(world, world.objects[world.index_of(name)])
        return world.snapshot()


@lru_cache(maxsize=4)
def _poses_on(cells: tuple[Cell, ...]) -> list[tuple[Pose, int]]:
    x_z = ((x * GRID_SIZE_METRES, z * GRID_SIZE_METRES) for x, z in cells)
    views = product(x_z, (0.0, 90.0, 180.0, 270.0), body.TEACH.horizons)
    return [(Pose(x, z, yaw, tilt), 0) for (x, z), yaw, tilt in views]


@lru_cache(maxsize=4)
def _captured_start(scene: ByIdentity[Scene]) -> CapturedStart:
    return CapturedStart(scene.value)


def captured_start(scene: Scene) -> CapturedStart:
    """Return the start of a captured room; of the last ones, what is known of them is kept."""
    return _captured_start(ByIdentity(scene))


def start_state(room: Room, seed: int, task: Task | None = None) -> Scene:
    """Return the start of a session in a room; the same arguments give the same start."""
    reasons: dict[str, None] = {}
    if task is not None and (lack := missing_for_task(room, task)):
        reasons[lack] = None
    is_captured = seed == CAPTURED_SEED and bool(room.cells)
    draw, tries = (_start_as_captured, 1) if is_captured else (_draw_start, MAX_START_TRIES)
    for number in range(0 if reasons else tries):
        scene = draw(room, f"{room.name} {seed} {number}")
        if scene is None:
            reasons["its objects do not fit into it"] = None
            continue
        reason = "" if task is None else reason_against_start(task, capture_start(scene))
        if task is not None and room.cells:
            reason = reason or captured_start(scene).obstacle_to(task)
        if not reason:
            return scene
        reasons[reason] = None
    what = "no start can be drawn for this room"
    raise NoStart(room, what if task is None else "this room cannot hold this task", [*reasons])


def capture_start(scene: Scene) -> Snapshot:
    """Return the state in which a session of a scene begins, as TEACh captures it."""
    return simulator.EmbeddedSimulator().reset(scene)


def reason_against_start(task: Task, now: Snapshot) -> str:
    """Return why a task cannot start from a captured state, or an empty string."""
    if not task.preconditions_hold(now):
        return f"there is no {', no '.join(task.missing_requirements(now))}"
    if BOILED_PROPERTY in wanted_properties(task.definition):
        # An object that was cooked without water is never boiled (spec 2.8): leave out those that
        # are cooked, or will be before an agent acts.
        world = world_state.WorldState(now)
        appliances.run_appliances(world)
        raw = [obj for obj in world.objects if not obj.isCooked]
        if not task.preconditions_hold(Snapshot.from_objects(raw, now.commander, now.follower)):
            return "the food to boil is already cooked at the start"
    return DONE_FROM_START if task.check(now).success else ""


@lru_cache(maxsize=KEPT_STARTS)
def _draw_start(room: Room, seed: str) -> Scene | None:
    """Draw a start; None if an object or the agents found no place.

    The last ones are kept: a session draws the parameters of its task from the first start of
    a seed, and then begins in the same one if the task can be done there.
    """
    rng = Random(seed)
    kept, moved = _kept_and_moved(room)
    placer = random_placement.RandomPlacer(kept, room.agent_y, rng, cells=room.cells)
    placed = _place_copies(moved, placer, rng)
    if placed is None:
        return None
    return _with_agents([_draw_states(obj, rng) for obj in (*kept, *placed)], room, rng)


@lru_cache(maxsize=KEPT_STARTS)
def _kept_and_moved(room: Room) -> tuple[tuple[ObjectState, ...], tuple[ObjectState, ...]]:
    """Return the objects of a room that stay where they are, and those that are placed anew."""
    known = random_placement.receptacle_weights()
    kept = properties.assign_classes(t for t in room.objects if t.objectType not in known)
    return kept, tuple(t for t in room.objects if t.objectType in known)


@lru_cache(maxsize=KEPT_STARTS)
def _start_as_captured(room: Room, seed: str) -> Scene | None:
    """Return a start with the room's objects as they are; None if the agents found no place."""
    return _with_agents(room.objects, room, Random(seed))


def _with_agents(objects: Sequence[ObjectState], room: Room, rng: Random) -> Scene | None:
    objects = properties.assign_classes(_heat_burners(objects))
    agents = _draw_agents(objects, room, rng)
    if agents is None:
        return None
    return Scene(room.name, room.kind, Snapshot.from_objects(objects, *agents), room.cells)


def _place_copies(
    objects: Sequence[ObjectState], placer: random_placement.RandomPlacer, rng: Random
) -> list[ObjectState] | None:
    """Place the room's own objects and further copies; None if an own object finds no place.

    The room's objects are placed first, and large ones before small ones, so that a crowded
    room loses copies, not types.
    """
    order = sorted(objects, key=lambda t: (-t.box.area, t.objectId))
    found: list[ObjectState] = []
    for obj in order:
        copy = placer.place(obj.objectType, obj.box.size)
        if copy is None:
            return None
        found.append(copy)
    for obj in {obj.objectType: obj for obj in order}.values():
        for _ in range(rng.randint(*random_placement.COPIES_PER_TYPE_RANGE) - 1):
            copy = placer.place(obj.objectType, obj.box.size)
            found += () if copy is None else (copy,)
    return found


def _draw_states(obj: ObjectState, rng: Random) -> ObjectState:
    """Return the object, classed, with a coin tossed for each state of its own (spec 2.11)."""
    able = obj.affordances
    can_be = {
        "isToggled": able.toggleable and not obj.isBroken,
        "isFilledWithLiquid": able.canFillWithLiquid,
        "isDirty": able.dirtyable,
        "isUsedUp": able.canBeUsedUp,
    }
    drawn = {state: rng.random() < 0.5 for state, can in can_be.items() if can}
    classes = properties.object_classes_of(obj.objectType)
    if classes == obj.simbotObjectClass and all(getattr(obj, n) is v for n, v in drawn.items()):
        return obj
    return obj.with_values(**drawn, simbotObjectClass=classes)


def _heat_burners(objects: Sequence[ObjectState]) -> list[ObjectState]:
    knobs = (obj for obj in objects if obj.isToggled)
    hot = {burner for knob in knobs for burner in knob.controlledObjects or ()}
    heated = {"ObjectTemperature": "Hot"}
    return [obj.with_values(**heated) if obj.objectId in hot else obj for obj in objects]


def _draw_agents(
    objects: Sequence[ObjectState], room: Room, rng: Random
) -> tuple[AgentState, AgentState] | None:
    """Draw the Commander's camera and the Follower; None if the floor has too little room."""
    agent_y = room.agent_y
    floor = ReachableFloor.of_cells(room.cells, objects, agent_y)
    cells: list[list[float]] = floor.cells.tolist()
    for _ in range(MAX_START_TRIES if len(cells) > 1 else 0):
        (ax, az), (bx, bz) = rng.sample(cells, 2)
        if (ax - bx) ** 2 + (az - bz) ** 2 > MIN_AGENT_DISTANCE_METRES**2:
            yaw, other = rng.choice(range(0, 360, 90)), rng.choice(range(0, 360, 90))
            return (
                AgentState((ax, agent_y, az), float(yaw), 0.0),
                AgentState((bx, agent_y, bz), float(other), FOLLOWER_HORIZON_DEGREES),
            )
    return None


def can_hold_task(task: Task, room: Room, scene: Scene, start: Snapshot) -> bool:
    """Return whether the objects of a start can get to where a task wants them."""
    if not placement_feasibility.has_room_for_task(task, start):
        return False
    return not room.cells or not captured_start(scene).obstacle_to(task)


@lru_cache(maxsize=256)
def missing_for_task(room: Room, task: Task) -> str:
    """Return what a task needs and no start in the room can have; an empty string if nothing."""
    doubles = [
        obj.with_values(objectId=f"{obj.objectId}|{number}")
        for obj in room.objects
        if obj.objectType in random_placement.receptacle_weights()
        for number in range(random_placement.COPIES_PER_TYPE_RANGE[1] - 1)
    ]
    nowhere = AgentState((0.0, room.agent_y, 0.0), 0.0, 0.0)
    objects = properties.assign_classes((*room.objects, *doubles))
    most = Snapshot.from_objects(objects, nowhere, nowhere)
    missing = list(task.missing_requirements(most))
    for name in wanted_properties(task.definition):
        sources = SOURCE_TYPES.get(name, ())
        if sources and not most.of_type(*sources):
            missing.append(" or ".join(sources))
    return f"there is no {', no '.join(dict.fromkeys(missing))}" if missing else ""


def wanted_properties(definition: TaskDefinition) -> Iterator[str]:
    """Yield the properties that a task and its nested tasks want objects to have."""
    for component, _ in check_tree.wanted_components(definition):
        yield from (name for name, _ in component.conditions)


def feasible_tasks(room: Room, library: task_library.TaskLibrary, seed: int = 1) -> tuple[str, ...]:
    """Return the names of the tasks for which a room has a start, in the library's order.

    Their parameters are drawn from the room; empty if no start can be drawn even without a task.
    """
    try:
        scene = start_state(room, seed)
    except BadInput:
        return ()
    start = capture_start(scene)
    found: list[str] = []
    for definition in library.definitions():
        try:
            fits = partial(can_hold_task, room=room, scene=scene, start=start)
            params = parameters.sample_params(definition, start, seed, accept=fits)
            task = library.compile(definition.name, params)
            if missing_for_task(room, task):
                continue
            if reason_against_start(task, start):  # another draw of the same start may do
                start_state(room, seed, task)
        except BadInput:
            continue
        found.append(definition.name)
    return tuple(found)
