"""AI2-THOR's scenes as they ship: what each holds, how they start, and where they come from."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import files
from math import isfinite
from pathlib import Path
from zipfile import ZipFile

import pytest

from benchmarks import ithor_archive
from tatc.base.errors import BadInput, RoomFormatError
from tatc.base.files import METADATA_DUMP, read_json
from tatc.home.actions import Cell
from tatc.home.metadata import write_object
from tatc.home.state import RoomKind
from tatc.home.type_facts import SINK_TYPES
from tatc.planners.grid import connected_cells
from tatc.sim.maps.recorded_map import GameEvidence, RecordedMap, build_recorded_map
from tatc.sim.rooms import ithor, ithor_names, load_room, room_files, start_state
from tatc.sim.rooms.room import free_cells
from tatc.sim.rooms.start_sampling import captured_start
from tatc.tdl import shipped_library

ARCHIVE = Path(str(files("tatc.sim.rooms").joinpath("data", ithor.ARCHIVE_NAME)))
LIBRARY = shipped_library()


def test_the_names_are_those_of_the_field() -> None:
    names = ithor_names()
    numbers = [int(name.removeprefix("FloorPlan")) for name in names]
    assert numbers == [100 * k + n for k in (0, 2, 3, 4) for n in range(1, 31)]
    assert ithor.ithor_name(RoomKind.BEDROOM, 30) == "FloorPlan330"
    kinds = Counter(load_room(name).kind for name in names)
    assert kinds == dict.fromkeys(RoomKind, 30)


@pytest.mark.parametrize("kind", RoomKind)
def test_every_scene_is_whole(kind: RoomKind) -> None:
    for number in range(1, 31):
        room = load_room(ithor.ithor_name(kind, number))
        assert len({obj.objectId for obj in room.objects}) == len(room.objects) > 20
        for obj in room.objects:
            numbers = (*obj.position, *obj.box.center, *obj.box.size, *obj.rotation)
            assert all(map(isfinite, numbers)) and min(obj.box.size) > 0
            assert obj.objectType != "StoveKnob" or len(obj.controlledObjects or ()) == 1
        assert len(room.cells) > 20
        assert connected_cells(set(room.cells), room.cells[0]) == set(room.cells)
        ids = {obj.objectId for obj in room.objects}
        assert set(ithor.aligned_boxes(room.name)) <= ids


def test_seed_0_is_the_scene_as_it_is_and_others_are_drawn() -> None:
    room = load_room("FloorPlan201")
    coffee_table = LIBRARY.compile("Put All X On Y", ["RemoteControl", "on", "Sofa"])
    start = start_state(room, 0, coffee_table)
    own = {obj.objectId: obj for obj in room.objects}
    assert [obj.objectId for obj in start.initial.objects] == [obj.objectId for obj in room.objects]
    for obj in start.initial.objects:
        was = own[obj.objectId]
        assert (obj.position, obj.rotation, obj.box) == (was.position, was.rotation, was.box)
        assert (obj.isToggled, obj.isOpen, obj.isDirty) == (was.isToggled, was.isOpen, was.isDirty)
    assert start == start_state(room, 0, coffee_table) and start.cells == room.cells
    drawn = start_state(room, 1)
    fixed = {obj.objectId for obj in room.objects if not obj.affordances.pickupable}
    assert fixed <= {obj.objectId for obj in drawn.initial.objects}
    assert drawn.initial.objects != start.initial.objects


@pytest.mark.parametrize(
    ("scene", "seed", "task", "params", "why"),
    [
        ("FloorPlan13", 0, "N Slices Of X In Y", "2 Tomato in Bowl", "the pieces do not fit"),
        ("FloorPlan24", 1, "Clean All X", "Pot", "no water gets to Pot"),
        ("FloorPlan316", 0, "Put All X On Y", "Pen in Box", "is out of reach"),
        ("FloorPlan420", 0, "Water Plant", "", "no water gets to HousePlant"),
    ],
)
def test_a_start_with_an_obstacle_is_not_taken(
    scene: str, seed: int, task: str, params: str, why: str
) -> None:
    room = load_room(scene)
    compiled = LIBRARY.compile(task, params.split())
    assert why in captured_start(start_state(room, seed)).obstacle_to(compiled)
    if seed == 0:
        with pytest.raises(BadInput, match=why):
            start_state(room, 0, compiled)


def test_a_session_in_another_room_does_not_open_the_archive() -> None:
    code = (
        "import sys, zipfile; from tatc.api import run; zipfile.ZipFile = None; "
        "run('coffee', room='kitchen-01', seed=1)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("damage", ["cut", "gone", "member", "text"])
def test_a_damaged_archive_is_one_line(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    broken = folder / ithor.ARCHIVE_NAME
    if damage == "cut":
        broken.write_bytes(ARCHIVE.read_bytes()[:5000])
    elif damage != "gone":
        with ZipFile(broken, "w") as made:
            made.writestr("FloorPlan2.json" if damage == "member" else "FloorPlan1.json", "{")
    monkeypatch.setattr(ithor, "files", lambda _: tmp_path)
    with pytest.raises(RoomFormatError) as caught:
        room_files.load_ithor_room.__wrapped__("FloorPlan1")
    assert "\n" not in str(caught.value) and "ithor.zip" in str(caught.value)


def test_the_archive_is_made_from_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = load_room("FloorPlan1")
    scenes = [[write_object(obj) for obj in room.objects]]
    document = {name: scenes if name == "kitchens" else [] for name in ithor.PROCTHOR_LISTS}
    made = ithor_archive.build_archive(document, None)
    assert made == ithor_archive.build_archive(json.loads(json.dumps(document)), tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / ithor.ARCHIVE_NAME).write_bytes(made)
    monkeypatch.setattr(ithor, "files", lambda _: tmp_path)
    assert room_files.load_ithor_room.__wrapped__("FloorPlan1") == room
    assert ithor.aligned_boxes("FloorPlan1") == {}  # of metadata that have none of their own


@pytest.mark.parametrize(
    ("walked", "has_can", "is_floor"),
    [
        ([(-6, -4)], False, False),
        ([(-6, -4)], True, True),
        ([(-6, -4), (4, -10)], False, True),
        ([], False, True),  # without walks, less than 7 square metres may be bare
    ],
)
def test_a_large_bare_corner_is_behind_walls(
    walked: list[Cell], has_can: bool, is_floor: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of FloorPlan330 has 4 square metres and lies behind the wall at the bed's head."""
    room = load_room("FloorPlan330")
    corner = {(x, z) for x, z in free_cells(room.objects, room.agent_y) if x >= 0 and z <= -8}
    if has_can:
        can = next(obj for obj in room.objects if obj.objectType == "GarbageCan")
        box = replace(can.box, center=(1.6, can.box.center[1], -3.1))
        room = replace(room, objects=(*room.objects, replace(can, objectId="Can", box=box)))
    show_walks(monkeypatch, walked)
    cells = {*ithor_archive.cells_in_room(room)}
    assert (4, -10) in cells if is_floor else not corner & cells


def show_walks(monkeypatch: pytest.MonkeyPatch, walked: Iterable[Cell]) -> None:
    """Let the shipped map show of every scene that people walked on these cells."""

    def read_plan(_: Path, plan: str) -> RecordedMap:
        return build_recorded_map("known", [GameEvidence(plan, "game", frozenset(walked))])

    monkeypatch.setattr(ithor_archive.map_archive, "read_plan", read_plan)


def test_a_side_without_furniture_is_no_corner_wherever_people_walked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = load_room("FloorPlan10")
    show_walks(monkeypatch, [(-15, 0)])
    cells = ithor_archive.cells_in_room(room)
    assert sum(x <= -11 for x, _ in cells) > 80 and {*room.cells} <= {*cells}


def test_a_shower_of_glass_is_closed() -> None:
    room = load_room("FloorPlan418")
    glass = next(obj for obj in room.objects if obj.objectType == "ShowerGlass")
    open_room = replace(room, objects=tuple(obj for obj in room.objects if obj != glass))

    def cells_inside(cells: Iterable[Cell]) -> list[Cell]:
        return [(x, z) for x, z in cells if glass.box.horizontal_distance(x / 4, z / 4) <= 0.0]

    assert not cells_inside(room.cells)
    assert cells_inside(ithor_archive.cells_in_room(open_room))


@pytest.mark.parametrize("basins", [("Sink", "SinkBasin"), ("Bathtub", "BathtubBasin")])
@pytest.mark.parametrize(("gap", "stays"), [(0.0, True), (0.19, True), (0.21, False)])
def test_a_faucet_far_from_every_sink_and_tub_is_left_out(
    basins: tuple[str, ...], gap: float, stays: bool
) -> None:
    room = load_room("FloorPlan413")
    faucet = next(obj for obj in room.objects if obj.objectType == "Faucet")
    left_out = {"Faucet", *SINK_TYPES} - {*basins}
    others = [obj for obj in room.objects if obj.objectType not in left_out]
    boxes = [obj.box for obj in others if obj.objectType in basins]
    last = max(boxes, key=lambda box: box.bounds()[1][0])
    at = (last.bounds()[1][0] + gap, faucet.position[1], last.center[2])
    objects = [*others, replace(faucet, position=at)]
    document = {name: [] for name in ithor.PROCTHOR_LISTS}
    document["bathrooms"] = [[write_object(obj) for obj in objects]]
    ((_, found),) = ithor.procthor_plans(document)
    assert [obj.objectId for obj in found] == [
        obj.objectId for obj in (objects if stays else others)
    ]


def test_every_faucet_of_a_scene_stands_at_a_sink_or_tub() -> None:
    for name in ithor_names():
        objects = load_room(name).objects
        basins = [obj.box for obj in objects if obj.objectType in SINK_TYPES]
        for obj in objects:
            x, _, z = obj.position
            gaps = [box.horizontal_distance(x, z) for box in basins]
            assert obj.objectType != "Faucet" or min(gaps) < 0.15, (name, obj.objectId)


@pytest.mark.parametrize("has_faucet", [True, False])
def test_a_tub_without_a_faucet_takes_that_of_a_dump(
    has_faucet: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One far from the tub is no tub's, and a tub that has one keeps it."""
    objects = load_room("FloorPlan410").objects
    tub = next(obj.box for obj in objects if obj.objectType == "Bathtub")
    rows = [write_object(obj) for obj in objects]
    is_its = {
        obj.objectId: obj.objectType == "Faucet"
        and tub.horizontal_distance(obj.position[0], obj.position[2]) < 0.1
        for obj in objects
    }
    known = [row for row in rows if has_faucet or not is_its[row["objectId"]]]
    document = {name: [] for name in ithor.PROCTHOR_LISTS}
    document["bathrooms"] = [known]
    of_dump = [row if is_its[row["objectId"]] else row | {"objectId": "Other"} for row in rows]
    (tmp_path / "FloorPlan401_physics.json").write_text(
        json.dumps({row["objectId"]: row for row in of_dump if row["objectType"] == "Faucet"})
    )
    (tmp_path / "data").mkdir()
    made = ithor_archive.build_archive(document, tmp_path)
    (tmp_path / "data" / ithor.ARCHIVE_NAME).write_bytes(made)
    monkeypatch.setattr(ithor, "files", lambda _: tmp_path)
    found = room_files.load_ithor_room.__wrapped__("FloorPlan401").objects
    assert sorted(obj.objectId for obj in found) == sorted(is_its)


def test_the_sources_give_the_archive_that_ships() -> None:
    source, dumps = (Path(os.environ.get(f"TATC_{each}", "")) for each in ("PROCTHOR", "DUMPS"))
    if not source.is_file() or not list(dumps.glob("FloorPlan*_physics.json")):
        pytest.skip(
            "name procthor's ai2thor-object-metadata.json in TATC_PROCTHOR, dumps of"
            " AI2-THOR 5.0.0 in TATC_DUMPS"
        )
    document = read_json(source, METADATA_DUMP)
    assert isinstance(document, dict)
    assert ithor_archive.build_archive(document, dumps) == ARCHIVE.read_bytes()


def test_what_is_not_procthors_file_is_named(tmp_path: Path) -> None:
    other = tmp_path / "dump.json"
    other.write_text(json.dumps({"kitchens": [[{"objectId": 7}]]}))
    with pytest.raises(BadInput) as fault:
        ithor_archive.main([str(other), "--out", str(tmp_path / "x.zip")])
    assert fault.value.where.startswith(str(other)) and not (tmp_path / "x.zip").exists()
