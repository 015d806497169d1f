"""Finds what keeps a task from being done in the start of a room that was captured in AI2-THOR.

Rooms that tatc generates are made so that all in them can be reached and washed.  A real home is
not: something may lie at the back of a low shelf, a pot may be longer than the sink, and a bowl may
take one slice and no more.  A start with such an obstacle in the way of its task is drawn again.
"""

from functools import lru_cache
from itertools import product

from tatc.home import actions, body, state, type_facts
from tatc.planners.viewpoints import find_viewpoints
from tatc.sim.embedded import motion, slicing, world_state
from tatc.sim.rooms import placement_feasibility
from tatc.tdl import ProblemKey, Task

_QUARTER_TURNS_DEGREES = (0.0, 90.0, 180.0, 270.0)


class CapturedStart:
    """The start of a captured room, and what is known of its objects so far."""

    def __init__(self, scene: state.Scene) -> None:
        """Take a start whose `cells` are where a body can stand."""
        self._start = scene.initial
        self._world = world_state.WorldState(scene.initial)
        self._clickable: dict[str, bool] = {}
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
            knives = self._start.of_type(*type_facts.KNIFE_TYPES)
            if not any(self._can_click(knife.objectId) for knife in knives):
                return "no knife is within reach"
            if not placement_feasibility.has_room_for_task(task, self._cut(keys)):
                return "the pieces do not fit where they are wanted"
        return ""

    def _can_click(self, object_id: str) -> bool:
        """Return whether somebody can click an object, once what it lies in is open."""
        if object_id not in self._clickable:
            world = self._world
            world.restore(self._start)
            for parent in world.objects[world.index_of(object_id)].parentReceptacles or ():
                holder = world.find(parent)
                if holder is not None and holder.affordances.openable:
                    world.set_object(world.opened_copy(holder, holder.box.center))
            target = world.index_of(object_id)
            found = find_viewpoints(
                world.geometry, world.objects, target, lambda i: i == target, self._poses,
                self._start.follower,
            )  # fmt: skip
            self._clickable[object_id] = any(True for _ in found)
        return self._clickable[object_id]

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

    def _cut(self, keys: tuple[ProblemKey, ...]) -> state.Snapshot:
        """Return the start with everything cut that a task wants pieces of."""
        world = world_state.WorldState(self._start)
        for name in {key.object_id: None for key in keys if key.property_name == "objectType"}:
            slicing.cut_into_pieces(world, world.objects[world.index_of(name)])
        return world.snapshot()


@lru_cache(maxsize=4)
def _poses_on(cells: tuple[actions.Cell, ...]) -> list[tuple[state.Pose, int]]:
    x_z = ((x * actions.GRID_SIZE_METRES, z * actions.GRID_SIZE_METRES) for x, z in cells)
    views = product(x_z, _QUARTER_TURNS_DEGREES, body.TEACH.horizons)
    return [(state.Pose(x, z, yaw, tilt), 0) for (x, z), yaw, tilt in views]


@lru_cache(maxsize=4)
def _captured_start(scene: motion.ByIdentity[state.Scene]) -> CapturedStart:
    return CapturedStart(scene.value)


def captured_start(scene: state.Scene) -> CapturedStart:
    """Return the start of a captured room; of the last ones, what is known of them is kept."""
    return _captured_start(motion.ByIdentity(scene))
