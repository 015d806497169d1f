"""Makes the archive of AI2-THOR's scenes, `ithor.zip`, from the metadata that procthor publishes.

    python -m benchmarks.ithor_archive ai2thor-object-metadata.json --dumps FOLDER --out FILE

The folder has the objects by id of AI2-THOR 5.0.0, a file `FloorPlanN_physics.json` for each scene:
they have the faucets of six tubs that procthor's file lacks.  The same files give the same archive.
"""

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from tatc.base import files, json_fields
from tatc.home import actions, assets, metadata, state, type_facts
from tatc.home.camera.ray_intersection import Mask
from tatc.home.camera.rays import Floats
from tatc.session.records.file_search import field_faults_in
from tatc.sim.maps import map_archive
from tatc.sim.rooms import ithor, room, room_files, scene_to_room

AGENT_ABOVE_FLOOR_METRES = 0.901
"""How far an agent's position is above the floor's box (ALFRED's and TEACh's recorded starts)."""
MIN_WALL_GAP_METRES = 0.35
"""A cell is at least this far inside the outermost box in each direction, metres.

AI2-THOR's floors reach far beyond many rooms' walls, which no metadata give; on or before the walls
stand and hang its objects."""
MIN_CORNER_METRES, MIN_CORNER_SQUARE_METRES, MAX_CORNER_SHARE = 1.2, 3.5, 0.8
"""A bare corner lies behind walls if it is at least so wide, deep and large, and takes at most this
share of the room's width and depth: what is larger is a whole side of a room that has no corner.
Where no walk is recorded it is twice as large, for then less shows that nobody can walk there.

In 112 scenes such corners and showers hold 791 cells that no layout of ALFRED's lists and nobody
walked to, and 119 of 14,325 others."""
MIN_SHOWER_METRES = 0.5
"""A shower's glass at least this wide and deep is one box around it."""
MAX_BOX_ERROR_METRES = 0.002
"""An aligned box that differs by more from that around an object's own box is kept, metres."""
_MADE_AT = (1980, 1, 1, 0, 0, 0)  # the date that all members bear, so that the bytes are the same


def build_archive(raw: Mapping[str, Any], dumps: Path | None) -> bytes:
    """Return the archive with a room file for each iTHOR scene of procthor's file."""
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, known, field in ithor.scene_entries(raw):
            objects = ithor.read_scene(known, field)
            added = [] if dumps is None else _lacking_tub_faucets(objects, dumps, name)
            entries = [*known, *added]
            made = _room_of_scene(name, (*objects, *ithor.read_objects(added, field)))
            texts = {
                ithor.ROOM_SUFFIX: room_files.format_room(made),
                ithor.BOXES_SUFFIX: json.dumps(_aligned_boxes(made, entries)),
            }
            for suffix, text in texts.items():
                member = ZipInfo(f"{name}{suffix}", _MADE_AT)
                archive.writestr(member, text, ZIP_DEFLATED, compresslevel=9)
    return stream.getvalue()


def _lacking_tub_faucets(
    objects: Sequence[state.ObjectState], dumps: Path, name: str
) -> list[Mapping[str, Any]]:
    """Return the metadata of faucets that a scene's dump has at tubs that have none."""
    path = dumps / f"{name}_physics.json"
    tubs = [obj.box for obj in objects if obj.objectType == "Bathtub"]
    if not tubs or not path.exists():
        return []

    def is_at_tub(obj: state.ObjectState) -> bool:
        gaps = (tub.horizontal_distance(obj.position[0], obj.position[2]) for tub in tubs)
        return obj.objectType == "Faucet" and min(gaps) <= ithor.MAX_FAUCET_GAP_METRES

    if any(map(is_at_tub, objects)):
        return []
    with field_faults_in(path):
        by_id = json_fields.as_mapping(files.read_json(path, files.METADATA_DUMP), "")
        found = ithor.read_objects(list(by_id.values()), "")
    return [by_id[obj.objectId] for obj in found if is_at_tub(obj)]


def _aligned_boxes(made: room.Room, entries: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """Return the middle and size of each aligned box that the object's own box does not show."""
    boxes = {obj.objectId: obj.box for obj in made.objects}
    found: dict[str, list[float]] = {}
    for entry in entries:
        box, sides = boxes.get(entry["objectId"]), entry["axisAlignedBoundingBox"]
        if box is None:
            continue
        low, high = box.bounds()
        middle, size = (metadata.get_vector(sides, key) for key in ("center", "size"))
        spans = zip(low, high, middle, size, strict=True)
        off = max(max(abs(m - s / 2 - a), abs(m + s / 2 - b)) for a, b, m, s in spans)
        if off > MAX_BOX_ERROR_METRES:
            found[entry["objectId"]] = [*_rounded(middle), *_rounded(size)]
    return found


def _room_of_scene(name: str, objects: tuple[state.ObjectState, ...]) -> room.Room:
    floor = max(obj.box.top for obj in objects if obj.objectType == type_facts.FLOOR_TYPE)
    agent = state.AgentState((0.0, round(floor + AGENT_ABOVE_FLOOR_METRES, 4), 0.0), 0.0, 0.0)
    known = [_as_typical(obj) for obj in objects if obj.objectType in assets.known_object_types()]
    found = scene_to_room.room_from_scene(name, state.Snapshot.from_objects(known, agent, agent))
    return replace(found, cells=cells_in_room(found))


def cells_in_room(found: room.Room) -> tuple[actions.Cell, ...]:
    """Return the largest connected floor that boxes leave free and that is not behind walls."""
    shown = map_archive.read_plan(map_archive.SHIPPED_FILE, found.name)
    walked = frozenset[actions.Cell]() if shown is None else shown.visited_cells(found.name)
    showers = [obj.box for obj in found.objects if _surrounds_shower(obj)]

    def is_in_shower(cell: actions.Cell) -> bool:
        x, z = cell[0] * actions.GRID_SIZE_METRES, cell[1] * actions.GRID_SIZE_METRES
        return any(box.horizontal_distance(x, z) <= 0.0 for box in showers)

    free = sorted(room.free_cells(found.objects, found.agent_y))
    open_cells = [cell for cell in free if cell in walked or not is_in_shower(cell)]
    return room.largest_floor(
        frozenset(_cells_within_walls(found.objects, open_cells, sorted(walked)))
    )


def _surrounds_shower(obj: state.ObjectState) -> bool:
    """Return whether an object is one box around a shower, whose door starts closed."""
    is_deep = min(obj.box.size[0], obj.box.size[2]) >= MIN_SHOWER_METRES
    return obj.objectType == "ShowerGlass" and is_deep


def _cells_within_walls(
    objects: Sequence[state.ObjectState],
    cells: Sequence[actions.Cell],
    walked: Sequence[actions.Cell],
) -> list[actions.Cell]:
    """Leave out cells that are not among the objects, or that lie in a large bare corner.

    A corner is bare if no object reaches into it and nobody walked there (`walked`).
    """
    boxes = [obj.box.bounds() for obj in objects if obj.objectType != type_facts.FLOOR_TYPE]
    corners = np.array(boxes)[:, :, ::2]
    extent = np.ptp(corners, axis=(0, 1))
    least = MIN_CORNER_SQUARE_METRES * (1 if walked else 2)
    largest = MAX_CORNER_SHARE * extent
    within = np.ones(len(cells), np.bool_)
    for signs in product((1, -1), (1, -1)):  # as if the corner were that of greatest x and z
        box_ends = (corners * signs).max(axis=1)
        here, trod = (
            np.array(each).reshape(-1, 2) * signs * actions.GRID_SIZE_METRES
            for each in (cells, walked)
        )
        end = box_ends.max(axis=0)
        within &= (here <= end - MIN_WALL_GAP_METRES).all(axis=1)
        is_bare = _lies_in_corners(here, np.concatenate([box_ends, trod]), end, least, largest)
        is_side = _lies_in_corners(here, box_ends, end, least, extent)
        is_side &= ~_lies_in_corners(here, box_ends, end, least, largest)
        within &= is_side | ~is_bare
    return [cell for cell, is_kept in zip(cells, within.tolist(), strict=True) if is_kept]


def _lies_in_corners(
    here: Floats, ends: Floats, end: Floats, least: float, largest: Floats
) -> Mask:
    """Return which points lie in a large bare corner of greatest x and z: n rows -> (n).

    None of `ends` (rows of x, z) lies in one.  It ends at `end`, has at least so many square
    metres, and is at most so wide and deep.
    """
    xs, zs = ends[ends[:, 0].argsort()[::-1]].T
    starts = np.stack([xs[1:], np.maximum.accumulate(zs)[:-1]], axis=1)
    sizes = end - starts
    is_large = ((sizes >= MIN_CORNER_METRES) & (sizes <= largest)).all(axis=1)
    is_large &= sizes.prod(axis=1) >= least
    inside = np.logical_and.reduce(here[:, None] > starts[is_large], axis=2)
    return np.logical_or.reduce(inside, axis=1)


def _as_typical(obj: state.ObjectState) -> state.ObjectState:
    """Return an object with rounded figures, the usual name, and what metadata no longer say.

    Later versions name sources of heat and cold instead of `canChangeTempToHot` and `...Cold`.
    """
    usual = assets.known_object_types()[obj.objectType].affordances
    box = obj.box
    pitch, yaw, roll = (round(angle, 1) for angle in obj.rotation)
    return replace(
        obj,
        name=room.default_name(obj.objectType, obj.objectId),
        affordances=replace(
            obj.affordances,
            canChangeTempToHot=usual.canChangeTempToHot,
            canChangeTempToCold=usual.canChangeTempToCold,
        ),
        position=_rounded(obj.position),
        rotation=(pitch, yaw, roll),
        box=replace(
            box, center=_rounded(box.center), size=_rounded(box.size), yaw=round(box.yaw, 2)
        ),
    )


def _rounded(point: state.Vec3) -> state.Vec3:
    x, y, z = (round(value, 4) + 0.0 for value in point)
    return x, y, z


def main(words: Sequence[str] | None = None) -> None:
    """Write the archive of the scenes of a file."""
    parser = ArgumentParser("python -m benchmarks.ithor_archive", description=__doc__)
    parser.add_argument("metadata", type=Path)
    parser.add_argument("--dumps", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(words)
    document = files.read_json(given.metadata, files.METADATA_DUMP)
    with field_faults_in(given.metadata):
        archive = build_archive(json_fields.as_mapping(document, ""), given.dumps)
    files.write_atomically(archive, given.out, force=True)


if __name__ == "__main__":
    main()
