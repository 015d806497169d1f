"""Reads AI2-THOR's scenes from the metadata that procthor publishes.

The file is `ai2thor-object-metadata.json` of procthor 0.0.1.dev2: every object of every scene as
AI2-THOR loads it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from tatc.base.json_fields import as_list, faults_under
from tatc.home import metadata, state, type_facts
from tatc.sim.rooms import ithor

PROCTHOR_LISTS = dict(
    zip(("kitchens", "living_rooms", "bedrooms", "bathrooms"), state.RoomKind, strict=True)
)
"""The lists of procthor's file that hold the scenes of a kind, in the order of their numbers."""
MAX_FAUCET_GAP_METRES = 0.2
"""A faucet farther from every sink and tub, seen from above, is left out: procthor's file puts four
tubs' faucets at their scenes' origins, where AI2-THOR has none; all others are within 0.12 m."""


def procthor_plans(raw: Mapping[str, Any]) -> Iterator[tuple[str, tuple[state.ObjectState, ...]]]:
    """Yield each iTHOR scene of procthor's file: its name and its objects."""
    for name, objects, field in scene_entries(raw):
        yield name, read_scene(objects, field)


def scene_entries(raw: Mapping[str, Any]) -> Iterator[tuple[str, list[Any], str]]:
    """Yield each iTHOR scene of procthor's file: its name, its metadata, and their field."""
    for name, kind in PROCTHOR_LISTS.items():
        for i, objects in enumerate(as_list(raw[name], name)):
            field = f"{name}[{i}]"
            yield ithor.ithor_name(kind, i + 1), as_list(objects, field), field


def read_scene(entries: object, field: str) -> tuple[state.ObjectState, ...]:
    """Return the objects of a scene, without faucets that stand at no sink or tub."""
    objects = read_objects(entries, field)
    basins = [obj.box for obj in objects if obj.objectType in type_facts.SINK_TYPES]

    def is_stray(obj: state.ObjectState) -> bool:
        gaps = (box.horizontal_distance(obj.position[0], obj.position[2]) for box in basins)
        return obj.objectType == "Faucet" and all(gap > MAX_FAUCET_GAP_METRES for gap in gaps)

    return tuple(obj for obj in objects if not is_stray(obj))


def read_objects(entries: object, field: str) -> tuple[state.ObjectState, ...]:
    """Return the objects of a metadata dump, of which each id is read once."""
    by_id: dict[str, state.ObjectState] = {}
    for i, entry in enumerate(as_list(entries, field)):
        with faults_under(f"{field}[{i}]"):
            found = metadata.read_object(cast(Mapping[str, Any], entry))
        by_id.setdefault(found.objectId, found)
    return tuple(by_id.values())
