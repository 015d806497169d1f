"""Actions that find places for objects: points above a receptacle, and a point to lie below."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import dist, inf

from tatc.apps.thorserver.action_results import (
    SUCCESS,
    Arguments,
    ThorResult,
    failed_result,
    rotation_or,
    vector_or,
)
from tatc.apps.thorserver.receptacle_parents import with_current_parents
from tatc.apps.thorserver.rigid_transforms import move_object_to
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import as_list, get_flag, get_text
from tatc.home.camera.rays import MIN_RAY_COMPONENT, Eye
from tatc.home.metadata import write_vector
from tatc.home.state import ObjectState, Vec3
from tatc.sim.embedded.placement.observed_surfaces import observed_surfaces
from tatc.sim.embedded.placement.obstacles import obstacles_on
from tatc.sim.embedded.placement.placement_candidates import candidate_points
from tatc.sim.embedded.placement.support_surfaces import Surface
from tatc.sim.transforms import translate

ABOVE_SURFACE_METRES = 0.05
"""How far above a surface the coordinates for an object are, metres."""
GAP_METRES = 0.005
"""How far above a surface an object is put, metres (AI2-THOR)."""
_SIGHT_TOLERANCE_METRES = 0.1


def place_object_at_point(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Put an object on what is below a point, or below the first of several that is free."""
    object_id = get_text(arguments, "objectId")
    obj = world.state.find(object_id)
    if obj is None:
        return failed_result(f"Cannot find object with id {object_id}.")
    rotation = rotation_or(arguments, "rotation", obj.rotation)
    refusal = "positions must not be empty!"
    for point in _points(arguments):
        found = _place_below(world, obj, point, rotation)
        if found is None:
            return SUCCESS
        refusal = found
    return failed_result(refusal)


def spawn_coordinates(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return points above a receptacle at which objects can be put.

    Without `anywhere`, only those that the agent sees.
    """
    receptacle = world.state.find(get_text(arguments, "objectId"))
    anywhere = get_flag(arguments, "anywhere")
    if receptacle is None or not receptacle.affordances.receptacle:
        return failed_result(f"No valid Receptacle found in {'scene' if anywhere else 'view'}")
    points = [
        (x, surface.y + min(ABOVE_SURFACE_METRES, surface.headroom / 2), z)
        for surface in observed_surfaces(world.state, receptacle)
        for x, z in sorted(candidate_points(surface, (surface.x, surface.y, surface.z)))
    ]
    return ThorResult(
        return_value=[write_vector(each) for each in points if anywhere or _is_seen(world, each)]
    )


def _points(arguments: Arguments) -> Iterator[Vec3]:
    rows = [arguments.get("position")]
    if arguments.get("positions") is not None:
        rows = as_list(arguments["positions"], "positions")
    for row in rows:
        yield vector_or({"position": row}, "position", (0.0, 0.0, 0.0))


def _place_below(world: ThorWorld, obj: ObjectState, point: Vec3, rotation: Vec3) -> str | None:
    """Put an object, with its contents, on what is below a point; return why not, or None."""
    state = world.state
    if not world.has_within_bounds(point):
        return f"Position coordinate ({point}) is not within scene bounds ({world.bounds()})"
    host, height = _surface_below(world, obj, point)
    turned = move_object_to(obj, obj.position, rotation)
    bottom = turned.box.center[1] - turned.box.size[1] / 2
    shift = (
        point[0] - turned.position[0],
        height + GAP_METRES - bottom,
        point[2] - turned.position[2],
    )
    placed = translate(turned, shift)
    if host is not None:
        level = Surface(height, point[0], point[2], (0.0, 0.0), 0.0, inf, False)
        if obstacles_on(state, obj, host, inside=level.inside).overlap(placed.box):
            return "Spawn area not clear, can't place object at that point"
    contents = state.contents(obj.objectId)
    if obj.isPickedUp:
        state.set_held_object(None)
    offset = tuple(b - a for a, b in zip(obj.position, placed.position, strict=True))
    state.set_object(replace(placed, isPickedUp=False, parentReceptacles=None))
    for each in contents:
        state.set_object(translate(each, (offset[0], offset[1], offset[2])))
    for each in with_current_parents(state, [state.objects[state.index_of(obj.objectId)]]):
        state.set_object(each)
    return None


def _surface_below(
    world: ThorWorld, obj: ObjectState, point: Vec3
) -> tuple[ObjectState | None, float]:
    """Return what a ray down from a point hits, other than an object, and its height.

    If it hits nothing, the height is that of the floor.
    """
    state = world.state
    own = state.index_of(obj.objectId)
    state.geometry.hide(own)
    hit = state.geometry.cast_ray(
        Eye(point, 0.0, 90.0), (MIN_RAY_COMPONENT, -1.0, MIN_RAY_COMPONENT)
    )
    if not obj.isPickedUp:
        state.geometry.update(own, obj)
    if hit is None:
        return None, world.bounds()[0][1]
    return state.objects[hit.index], hit.point[1]


def _is_seen(world: ThorWorld, point: Vec3) -> bool:
    """Return whether a point is in the agent's frame and nothing is in front of it."""
    camera = world.agent_camera()
    if not camera.shows(point):
        return False
    eye = camera.eye.position
    metres = dist(eye, point)
    dx, dy, dz = (
        (to - at) / metres or MIN_RAY_COMPONENT for at, to in zip(eye, point, strict=True)
    )
    hit = world.state.geometry.cast_ray(Eye(eye, 0.0, 0.0), (dx, dy, dz))
    return hit is None or hit.distance > metres - _SIGHT_TOLERANCE_METRES


OBJECT_PLACEMENT_ACTIONS: Mapping[str, ThorAction] = {
    "PlaceObjectAtPoint": ThorAction(
        place_object_at_point,
        {
            "objectId": ParameterType.TEXT,
            "position": ParameterType.VECTOR,
            "positions": ParameterType.VECTORS,
            "rotation": ParameterType.ROTATION,
            "forceKinematic": ParameterType.BOOL,
        },
        (("objectId", "position"), ("objectId", "positions")),
    ),
    "GetSpawnCoordinatesAboveReceptacle": ThorAction(
        spawn_coordinates,
        {"objectId": ParameterType.TEXT, "anywhere": ParameterType.BOOL},
        (("objectId",),),
    ),
}
