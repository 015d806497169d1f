"""The furniture of AI2-THOR's floor plans: the scenes that ship, or those in files (PLANS).

ALFRED's trajectories leave out all that stands fast.  PLANS are metadata dumps of AI2-THOR (objects
by id, or `{"objects": [...]}`), room files, TEACh games, and the file
`ai2thor-object-metadata.json` of procthor 0.0.1.dev2, which lists the plans of each kind of room.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.base.files import METADATA_DUMP, read_json
from tatc.base.json_fields import FieldError, as_mapping
from tatc.home import state
from tatc.session.alfred.carried_objects import ModelTable
from tatc.session.records.file_search import FileKind, field_faults_in, find_files
from tatc.session.records.game import find_episode, read_episode_state, read_place
from tatc.sim.rooms import format_room, ithor, load_room, room_files

PLAN_FILES = FileKind("floor plans", re.compile(r"\.json(\.gz)?$"), "*.json or *.json.gz")
"""The files that PLANS may be, by the ending of their names."""

PLANS_FIX = (
    "name with --plans AI2-THOR's metadata dumps, room files, TEACh games, or "
    "ai2thor-object-metadata.json of procthor 0.0.1.dev2"
)
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
        self.plans: dict[str, Furniture] = {}
        for each in plans:
            self.plans.setdefault(each.floor_plan, each)

    @cached_property
    def models(self) -> ModelTable:
        """What carried objects are like, over all floor plans."""
        return ModelTable(self.plans[name].objects for name in sorted(self.plans))

    def find(self, floor_plan: str, where: str) -> Furniture:
        """Return the furniture of a floor plan, for the trajectory at `where`."""
        found = self.plans.get(floor_plan)
        if found is None:
            why = f"is set in {floor_plan}, whose furniture no file holds"
            raise BadInput(why, where=where, fix=PLANS_FIX)
        return found


@lru_cache(maxsize=2)
def read_furniture(paths: tuple[str, ...]) -> FurnitureCatalogue:
    """Return the furniture in files, folders and globs; that of the shipped scenes for none."""
    if not paths:
        return FurnitureCatalogue(_shipped_scenes())
    files = sorted(find_files(paths, PLAN_FILES), key=lambda path: (path.name, str(path)))
    return FurnitureCatalogue(each for path in files for each in _read_file(path))


def _shipped_scenes() -> Iterator[Furniture]:
    for name in ithor.ithor_names():  # "ithor" is what rows name as the source
        room = room_files.load_ithor_room(name)
        yield Furniture(name, room.objects, "ithor", _hash(ithor.read_ithor_text(name)))


def furniture_of_room(name: str) -> Furniture:
    """Return the furniture of a generated room."""
    room = load_room(name)
    return Furniture(name, room.objects, name, _hash(format_room(room)))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_HASH_CHARACTERS]


def _read_file(path: Path) -> Iterator[Furniture]:
    document = read_json(path, METADATA_DUMP)
    digest = sha256(path.read_bytes()).hexdigest()[:_HASH_CHARACTERS]
    with field_faults_in(path):
        for plan, objects in _plans_in(document, path):
            yield Furniture(plan, objects, path.name, digest)


def _plans_in(document: object, path: Path) -> Iterator[tuple[str, tuple[state.ObjectState, ...]]]:
    raw = as_mapping(document, "")
    if raw.keys() >= ithor.PROCTHOR_LISTS.keys():
        yield from ithor.procthor_plans(raw)
    elif "tasks" in raw:
        episode = find_episode(raw)
        place, _ = read_place(episode, written_by_tatc=True)
        yield place, read_episode_state(episode, "initial_state").objects
    elif raw.get("format") == room_files.ROOM_FORMAT:
        room = room_files.room_from_json(raw, str(path))
        yield room.name, room.objects
    else:
        objects = raw["objects"] if "objects" in raw else list(raw.values())
        yield _plan_of_dump(raw, path), ithor.read_objects(objects, "objects")


def _plan_of_dump(raw: Mapping[str, Any], path: Path) -> str:
    """Return the floor plan of a dump, from its field `sceneName` or from the file's name."""
    named = _PLAN_IN_NAME.search(str(raw.get("sceneName") or path.name))
    if named is None:
        raise FieldError("", "does not say which floor plan it is of", "call it FloorPlanN.json")
    return named[1]
