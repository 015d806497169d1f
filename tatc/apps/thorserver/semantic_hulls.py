"""Get2DSemanticHulls: the outlines of objects from above.

AI2-THOR takes the convex hulls of their meshes; here they are those of their boxes.
"""

from collections.abc import Mapping

from tatc.apps.thorserver.action_results import Arguments, ThorResult, failed_result
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import get_names, get_text
from tatc.home.state import ObjectState, yaw_sin_cos

Outline = list[list[float]]
"""The corners of a convex hull, x and z in metres."""


def semantic_hulls(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the outlines of all objects by their ids, or of those of some ids or types."""
    ids, types = get_names(arguments, "objectIds"), get_names(arguments, "objectTypes")
    if ids is not None and types is not None:
        return failed_result("Only one of objectIds and objectTypes can have a non-null value.")
    objects = [
        obj
        for obj in world.state.objects
        if (ids is None or obj.objectId in ids) and (types is None or obj.objectType in types)
    ]
    return ThorResult(return_value={obj.objectId: _outline(obj) for obj in objects})


def semantic_hull(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the outline of an object."""
    obj = world.state.find(get_text(arguments, "objectId"))
    if obj is None:
        return failed_result(f"Cannot find object with id {arguments['objectId']}")
    return ThorResult(return_value=_outline(obj))


def _outline(obj: ObjectState) -> Outline:
    sine, cosine = yaw_sin_cos(obj.box.yaw)
    x, _, z = obj.box.center
    half_width, half_depth = obj.box.size[0] / 2, obj.box.size[2] / 2
    corners = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    offsets = [(half_width * a, half_depth * b) for a, b in corners]
    return [[x + a * cosine + b * sine, z - a * sine + b * cosine] for a, b in offsets]


SEMANTIC_HULL_ACTIONS: Mapping[str, ThorAction] = {
    "Get2DSemanticHulls": ThorAction(
        semantic_hulls, {"objectIds": ParameterType.TEXTS, "objectTypes": ParameterType.TEXTS}
    ),
    "Get2DSemanticHull": ThorAction(
        semantic_hull, {"objectId": ParameterType.TEXT}, (("objectId",),)
    ),
}
