"""Reads PLANS: files from which the furniture of AI2-THOR's floor plans is taken.

ALFRED's trajectories leave out all that stands fast.  It is taken from metadata dumps of AI2-THOR
(objects by id, or `{"objects": [...]}`), room files, TEACh games, and the file
`ai2thor-object-metadata.json` of procthor 0.0.1.dev2, which lists the plans of each kind of room.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from tatc.base.errors import BadInput
from tatc.base.files import METADATA_DUMP, read_json
from tatc.base.json_fields import FieldError, as_list, as_mapping, faults_under
from tatc.home import metadata, state
from tatc.session.alfred.carried_objects import ModelTable
from tatc.session.records.file_search import FileKind, field_faults_in, find_files
from tatc.session.records.game import find_episode, read_episode_state, read_place
from tatc.sim.rooms import format_room, load_room, room_files

PLAN_FILES = FileKind("floor plans", re.compile(r"\.json(\.gz)?$"), "*.json or *.json.gz")
"""The files that PLANS may be, by the ending of their names."""

PLANS_FIX = (
    "name with --plans AI2-THOR's metadata dumps, room files, TEACh games, or "
    "ai2thor-object-metadata.json of procthor 0.0.1.dev2"
)
_PROCTHOR_LISTS = {"kitchens": 1, "living_rooms": 201, "bedrooms": 301, "bathrooms": 401}
"""The lists of procthor's file, and the number of the plan that each begins with."""
_PLAN_IN_NAME = re.compile(r"(FloorPlan[1-9][0-9]{0,2})(?![0-9])")
_HASH_CHARACTERS = 12


@dataclass(frozen=True, slots=True)
class Furniture:
    """The objects of one floor plan, and the name and hash of the file that has them."""

    floor_plan: str
    objects: tuple[state.ObjectState, ...]
    source: str
    hash: str


class FurnitureCatalogue:
    """The furniture of floor plans; of several files with one plan, the first by name counts."""

    def __init__(self, plans: Iterable[Furniture]) -> None:
        """Take the furniture in the order of the files."""
        self._by_plan: dict[str, Furniture] = {}
        for each in plans:
            self._by_plan.setdefault(each.floor_plan, each)

    @cached_property
    def models(self) -> ModelTable:
        """What carried objects are like, over all floor plans."""
        plans = (self._by_plan[name].objects for name in sorted(self._by_plan))
        return ModelTable(plans)

    @property
    def plans(self) -> Mapping[str, Furniture]:
        """The furniture of each floor plan, by the plan's name."""
        return self._by_plan

    def find(self, floor_plan: str, where: str) -> Furniture:
        """Return the furniture of a floor plan, for the trajectory at `where`."""
        found = self._by_plan.get(floor_plan)
        if found is None:
            why = f"is set in {floor_plan}, whose furniture no file holds"
            raise BadInput(why, where=where, fix=PLANS_FIX)
        return found


@lru_cache(maxsize=2)
def read_furniture(paths: tuple[str, ...]) -> FurnitureCatalogue:
    """Return the furniture in files, folders and globs."""
    if not paths:
        raise BadInput("ALFRED's trajectories have no furniture", fix=PLANS_FIX)
    files = sorted(find_files(paths, PLAN_FILES), key=lambda path: (path.name, str(path)))
    return FurnitureCatalogue(each for path in files for each in _read_file(path))


def furniture_of_room(name: str) -> Furniture:
    """Return the furniture of a shipped room."""
    room = load_room(name)
    digest = sha256(format_room(room).encode()).hexdigest()[:_HASH_CHARACTERS]
    return Furniture(name, room.objects, name, digest)


def _read_file(path: Path) -> Iterator[Furniture]:
    document = read_json(path, METADATA_DUMP)
    digest = sha256(path.read_bytes()).hexdigest()[:_HASH_CHARACTERS]
    with field_faults_in(path):
        for plan, objects in _plans_in(document, path):
            yield Furniture(plan, objects, path.name, digest)


def _plans_in(document: object, path: Path) -> Iterator[tuple[str, tuple[state.ObjectState, ...]]]:
    """Yield each floor plan of a file's JSON with its objects."""
    raw = as_mapping(document, "")
    if raw.keys() >= _PROCTHOR_LISTS.keys():
        for name, first in _PROCTHOR_LISTS.items():
            for i, objects in enumerate(as_list(raw[name], name)):
                yield f"FloorPlan{first + i}", _read_objects(objects, f"{name}[{i}]")
    elif "tasks" in raw:
        episode = find_episode(raw)
        place, _ = read_place(episode, written_by_tatc=True)
        yield place, read_episode_state(episode, "initial_state").objects
    elif raw.get("format") == room_files.ROOM_FORMAT:
        room = room_files.room_from_json(raw, str(path))
        yield room.name, room.objects
    else:
        objects = raw["objects"] if "objects" in raw else list(raw.values())
        yield _plan_of_dump(raw, path), _read_objects(objects, "objects")


def _read_objects(entries: object, field: str) -> tuple[state.ObjectState, ...]:
    """Return objects of which each id is read once."""
    by_id: dict[str, state.ObjectState] = {}
    for i, entry in enumerate(as_list(entries, field)):
        with faults_under(f"{field}[{i}]"):
            found = metadata.read_object(cast(Mapping[str, Any], entry))
        by_id.setdefault(found.objectId, found)
    return tuple(by_id.values())


def _plan_of_dump(raw: Mapping[str, Any], path: Path) -> str:
    """Return the floor plan of a dump, from its field `sceneName` or from the file's name."""
    named = _PLAN_IN_NAME.search(str(raw.get("sceneName") or path.name))
    if named is None:
        raise FieldError("", "does not say which floor plan it is of", "call it FloorPlanN.json")
    return named[1]
