"""Which stove knob owns which burner.

AI2-THOR 3.1.0, in which TEACh was recorded, does not say.  `stoves.json` holds the links
of each floor plan and names their source.  Where nothing is known, the nearest burner is
taken, which is right for only half of the known links.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import dist

from tatc.base.files import package_table
from tatc.home import state, type_facts


def with_burners(
    floor_plan: str, objects: Sequence[state.ObjectState]
) -> tuple[state.ObjectState, ...]:
    """Return the objects of a scene; its knobs control the burners that they own."""
    knobs = (obj for obj in objects if obj.objectType == type_facts.KNOB_TYPE)
    if all(knob.controlledObjects is not None for knob in knobs):
        return tuple(objects)  # the very same tuple, of which more is kept (`state.ByIdentity`)
    return tuple(
        replace(obj, controlledObjects=burners_of(floor_plan, obj, objects))
        if obj.objectType == type_facts.KNOB_TYPE and obj.controlledObjects is None
        else obj
        for obj in objects
    )


def burners_of(
    floor_plan: str, knob: state.ObjectState, objects: Sequence[state.ObjectState]
) -> tuple[str, ...]:
    """Return the ids of the burners that a knob owns.

    The knob's own links come first, then the table for `floor_plan` ("FloorPlan1", with
    or without "_physics"), then the nearest burner; empty where the room has no burner.
    """
    if knob.controlledObjects is not None:
        return knob.controlledObjects
    burners = [obj for obj in objects if obj.objectType == type_facts.BURNER_TYPE]
    table: dict[str, dict[str, str]] = package_table("tatc.sim", "stoves.json")["burners"]
    known = table.get(floor_plan.removesuffix("_physics"), {}).get(knob.objectId)
    if known is not None and any(burner.objectId == known for burner in burners):
        return (known,)
    nearest = min(burners, key=lambda b: dist(b.position, knob.position), default=None)
    return () if nearest is None else (nearest.objectId,)
