"""Reads ALFRED's expert trajectories (`traj_data.json`, dataset json_2.1.0), and its layouts.

A trajectory holds the start of a scene (all objects that can be carried, but no furniture), a
task by its type and parameters, the expert's plan, and what annotators wrote.  Its poses are
those of AI2-THOR's agent.  The files of the test folds have neither a task nor a plan.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeGuard, cast
from warnings import catch_warnings

import numpy as np

from tatc.base import errors, json_fields
from tatc.base.files import ALFRED_FILE, GAME, MAX_STATE_OBJECTS, TRAJECTORY, check_file, read_json
from tatc.home import assets, body, metadata, state
from tatc.home.actions import GRID_SIZE_METRES, HEADING_STEPS, Cell, cell_of
from tatc.session.records import file_search, game, trajectory_plan


class TaskType(StrEnum):
    """ALFRED's seven task types, as its files spell them."""

    LOOK = "look_at_obj_in_light"
    SIMPLE = "pick_and_place_simple"
    MOVABLE = "pick_and_place_with_movable_recep"
    CLEAN = "pick_clean_then_place_in_recep"
    HEAT = "pick_heat_then_place_in_recep"
    COOL = "pick_cool_then_place_in_recep"
    TWO = "pick_two_obj_and_place"


PARAMETERS_BY_TYPE = dict.fromkeys(TaskType, ("object_target", "parent_target")) | {
    TaskType.LOOK: ("object_target", "toggle_target"),
    TaskType.MOVABLE: ("object_target", "parent_target", "mrecep_target"),
}
"""The parameters that each task type needs."""


@dataclass(frozen=True, slots=True)
class TrajectoryTask:
    """A task: object types as the file spells them, "" where the task type has no such thing."""

    type: TaskType
    object: str
    receptacle: str
    movable: str
    toggle: str
    sliced: bool

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters that the task type uses, by tatc's names for them."""
        given = {"object": self.wanted_object, "receptacle": self.receptacle}
        given |= {"movable": self.movable, "toggle": self.toggle}
        return {name: value for name, value in given.items() if value}

    @property
    def wanted_object(self) -> str:
        """The type of what is to be handled: the object, or its slices."""
        return f"{self.object}Sliced" if self.sliced else self.object


def read_trajectory_task(root: Mapping[str, Any]) -> TrajectoryTask:
    """Return the task of a trajectory's JSON."""
    name = root.get("task_type")
    if name not in list(TaskType):
        strange = f"is none of ALFRED's seven: {json_fields.short_repr(name)}"
        why = "is missing" if name is None else strange
        raise json_fields.FieldError("task_type", why, f"write one of {', '.join(TaskType)}")
    kind = TaskType(name)
    raw = json_fields.as_mapping(root.get("pddl_params"), "pddl_params")
    with json_fields.faults_under("pddl_params"):
        found = {
            field: json_fields.get_text_or_empty(raw, field)
            for field in ("object_target", "parent_target", "mrecep_target", "toggle_target")
        }
        for field in PARAMETERS_BY_TYPE[kind]:
            if not found[field]:
                why = f"is empty, but {kind} needs it"
                raise json_fields.FieldError(field, why, "name an object type")
        sliced = json_fields.get_flag(raw, "object_sliced")
        return TrajectoryTask(kind, *found.values(), sliced=sliced)


TRAJECTORY_FILE_NAME = "traj_data.json"  # the name that ALFRED gives to each trajectory's file
KEY_SEPARATOR = "~"  # what stands in a trajectory's key between its task's folder and its trial
MADE_BY_TATC_KEY = "tatc"
"""The key that says of a file that tatc generated it; its scene may be a shipped room."""
_MAX_POSITION_METRES = 1000.0  # from the origin
_ANNOTATIONS = "turk_annotations"


@dataclass(frozen=True, slots=True)
class ObjectPose:
    """Where a carried object of a scene is; one name may stand for several objects.

    `type` is AI2-THOR 5.0.0's name of the type, `name` the recorded one ("Mug_2a940808").
    """

    name: str
    type: str
    position: state.Vec3
    rotation: state.Vec3

    @property
    def recorded_type(self) -> str:
        """The type as the trajectory's own object ids spell it."""
        return self.name.partition("_")[0]


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's goal sentence, and a directive for each subgoal."""

    goal: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One trajectory; `task` is None, and there are no actions, in the test folds.

    `trial` is the trial's id, which names the file's folder.  `fold` ("train", "valid_seen", ...)
    is the first folder above that is a fold of ALFRED's, else the one above the trial's.
    `floor_plan` is "FloorPlan1"; in a file that tatc generated, also a shipped room.  `follower`
    is the agent's body at the start, `object_poses` has every object that can be carried, and
    `toggles` the types whose every object is switched on or off at the start.  `dirty_and_empty`
    says whether all that can be is so at the start.  All of the `low_actions` succeeded.
    """

    path: Path
    trial: str
    fold: str
    floor_plan: str
    kind: state.RoomKind
    follower: state.AgentState
    object_poses: tuple[ObjectPose, ...]
    toggles: tuple[tuple[str, bool], ...]
    dirty_and_empty: bool
    task: TrajectoryTask | None
    high_actions: tuple[trajectory_plan.HighAction, ...]
    low_actions: tuple[trajectory_plan.LowAction, ...]
    annotations: tuple[Annotation, ...]

    @property
    def key(self) -> str:
        """The trial, below its task's folder if it has one: trials of two tasks may have one id."""
        folder = self.path.absolute().parent.parent.name
        return self.trial if folder == self.fold else f"{folder}{KEY_SEPARATOR}{self.trial}"


def _has_words_or_plan(document: object) -> TypeGuard[Mapping[str, Any]]:
    """Return whether it has either: ALFRED's generator writes no words, test folds have no plan."""
    if not isinstance(document, Mapping):
        return False
    keys = cast(Mapping[str, Any], document).keys()
    return _ANNOTATIONS in keys or keys >= {"plan", "task_type"}


def read_trajectory(path: Path | str) -> Trajectory:
    """Return the trajectory of a file."""
    path = Path(path)
    document = read_json(path, TRAJECTORY)
    with file_search.field_faults_in(path):
        return parse_trajectory(document, path)


def is_trajectory_file(path: Path) -> bool:
    """Return whether a file is a trajectory by its content; one named as a game is not opened."""
    if file_search.GAME_FILES.name_pattern.search(path.name):
        return False
    document = read_json(path, GAME)
    return _has_words_or_plan(document) and "scene" in document


def parse_trajectory(document: object, path: Path) -> Trajectory:
    """Return the trajectory of a file's JSON."""
    if not _has_words_or_plan(document):
        fix = f"name ALFRED's {TRAJECTORY_FILE_NAME}, or the folder of a fold"
        why = "is JSON but no trajectory: it has neither `turk_annotations` nor a plan"
        raise json_fields.FieldError("", why, fix)
    root = document
    scene = json_fields.as_mapping(root.get("scene"), "scene")
    made_by_tatc = MADE_BY_TATC_KEY in root and "scene_num" not in scene
    task = None if "plan" not in root else read_trajectory_task(root)
    with json_fields.faults_under("scene"):
        floor_plan, kind = _read_room(scene) if made_by_tatc else _read_floor_plan(scene)
        follower = _read_follower(scene)
        poses = _read_object_poses(scene)
        toggles = json_fields.read_list(scene, "object_toggles", _read_toggle)
        dirty_and_empty = json_fields.get_flag(scene, "dirty_and_empty")
    plan = json_fields.as_mapping(root.get("plan", {"high_pddl": [], "low_actions": []}), "plan")
    with json_fields.faults_under("plan"):
        high = trajectory_plan.read_high_actions(plan)
        low = trajectory_plan.read_low_actions(plan, high)
    return Trajectory(
        path=path,
        trial=json_fields.get_file_name(root, "task_id"),
        fold=_fold_of(path),
        floor_plan=floor_plan,
        kind=kind,
        follower=follower,
        object_poses=poses,
        toggles=toggles,
        dirty_and_empty=dirty_and_empty,
        task=task,
        high_actions=high,
        low_actions=low,
        annotations=_read_annotations(root),
    )


def _fold_of(path: Path) -> str:
    folders = path.absolute().parts[:-2]
    for name in reversed(folders):
        if name == "train" or name.startswith(("valid_", "tests_")):
            return name
    return folders[-1] if folders else ""


def _read_floor_plan(scene: Mapping[str, Any]) -> tuple[str, state.RoomKind]:
    name = json_fields.get_text(scene, "floor_plan")
    number = json_fields.as_integer(scene.get("scene_num"), "scene_num")
    kind = game.floor_plan_room_kind(number)
    if kind is None:
        why = f"names an unknown floor plan: {number}"
        raise json_fields.FieldError("scene_num", why, game.FLOOR_PLANS_HINT)
    if name != f"FloorPlan{number}":
        why = f"is {json_fields.short_repr(name)}, unlike scene_num, which is {number}"
        raise json_fields.FieldError("floor_plan", why, trajectory_plan.FIX_TAKE_AGAIN)
    return name, kind


def _read_room(scene: Mapping[str, Any]) -> tuple[str, state.RoomKind]:
    """Return the shipped room that a generated trajectory is set in."""
    name = json_fields.get_text(scene, "floor_plan")
    for kind in state.RoomKind:
        if name.rpartition("-")[0] == kind.value.lower().replace(" ", "-"):
            return name, kind
    why = f"is no shipped room: {json_fields.short_repr(name)}"
    raise json_fields.FieldError("floor_plan", why, "`tatc rooms list` names the shipped rooms")


def _read_follower(scene: Mapping[str, Any]) -> state.AgentState:
    raw = json_fields.as_mapping(scene.get("init_action"), "init_action")
    with json_fields.faults_under("init_action"):
        most = _MAX_POSITION_METRES
        x, y, z = (json_fields.as_number(raw.get(axis), axis, most) for axis in "xyz")
        yaw = json_fields.as_number(raw.get("rotation"), "rotation") % 360.0
        if yaw % 90.0:
            why = f"is no multiple of 90 degrees: {yaw:g}"
            raise json_fields.FieldError("rotation", why, trajectory_plan.FIX_TAKE_AGAIN)
        horizon = json_fields.as_number(raw.get("horizon"), "horizon")
        if horizon not in body.ALFRED.horizons:
            why = f"should be a multiple of 15 degrees from -30 to 60, is {horizon:g}"
            raise json_fields.FieldError("horizon", why, trajectory_plan.FIX_TAKE_AGAIN)
    return state.AgentState((x, y, z), yaw, horizon, body.ALFRED)


def _read_object_poses(scene: Mapping[str, Any]) -> tuple[ObjectPose, ...]:
    poses = json_fields.read_list(scene, "object_poses", _read_object_pose, MAX_STATE_OBJECTS)
    if not poses:
        raise json_fields.FieldError("object_poses", "is empty", trajectory_plan.FIX_TAKE_AGAIN)
    return poses


def _read_object_pose(raw: Mapping[str, Any]) -> ObjectPose:
    name = json_fields.get_text(raw, "objectName")
    kind = current_type(name.partition("_")[0])
    if kind not in assets.known_object_types():
        why = f"names an object of an unknown type: {json_fields.short_repr(name)}"
        raise json_fields.FieldError("objectName", why, trajectory_plan.FIX_TAKE_AGAIN)
    position = metadata.get_vector(raw, "position")
    if max(map(abs, position)) > _MAX_POSITION_METRES:
        why = f"is beyond {_MAX_POSITION_METRES:g} m"
        raise json_fields.FieldError("position", why, trajectory_plan.FIX_TAKE_AGAIN)
    return ObjectPose(name, kind, position, metadata.get_vector(raw, "rotation"))


def current_type(name: str) -> str:
    """Return what AI2-THOR 5.0.0 calls an object type of 2.1.0."""
    return {"Glassbottle": "Bottle"}.get(name, name)


def _read_toggle(raw: Mapping[str, Any]) -> tuple[str, bool]:
    return json_fields.get_text(raw, "objectType"), json_fields.get_flag(raw, "isOn")


def _read_annotations(root: Mapping[str, Any]) -> tuple[Annotation, ...]:
    if root.get(_ANNOTATIONS) is None:
        return ()
    with json_fields.faults_under(_ANNOTATIONS):
        raw = json_fields.as_mapping(root[_ANNOTATIONS], "")
        return json_fields.read_list({"anns": [], **raw}, "anns", _read_annotation)


def _read_annotation(raw: Mapping[str, Any]) -> Annotation:
    steps = json_fields.as_list(raw.get("high_descs"), "high_descs")
    texts = tuple(json_fields.as_text(step, "high_descs") for step in steps)
    return Annotation(json_fields.get_text(raw, "task_desc"), texts)


# Reads where agents could stand from a clone of ALFRED (github.com/askforalfred/alfred): from its
# layouts, reachable positions as rows of x and z, and its trajectories.  The layouts were made with
# a stricter test, and the trajectories leave them; an agent fits wherever either has it.

_LAYOUT_FOLDER = "gen/layouts"
_LAYOUT_SUFFIX = "-layout.npy"
_QUARTER_TURNS_BY_ACTION = {"RotateRight_90": 1, "RotateLeft_90": -1}
_ALFRED_GRID_TOLERANCE_METRES = 0.02


def find_alfred_files(clone: Path) -> tuple[Path, ...]:
    """Return the layouts and trajectories of a clone, sorted by name."""
    layouts = sorted(clone.glob(f"{_LAYOUT_FOLDER}/*{_LAYOUT_SUFFIX}"))
    trajectories = sorted((clone / "data").rglob(TRAJECTORY_FILE_NAME))
    if not layouts and not trajectories:
        why = f"holds no {_LAYOUT_FOLDER}/*{_LAYOUT_SUFFIX} and no data/**/{TRAJECTORY_FILE_NAME}"
        raise errors.BadInput(why, where=str(clone), fix=ALFRED_FILE.fix)
    return (*layouts, *trajectories)


def read_alfred_cells(path: Path) -> tuple[str, str, frozenset[Cell]]:
    """Return the floor plan, a name and the cells of a layout or a trajectory."""
    with json_fields.errors_in(path, errors.BadInput, ALFRED_FILE.fix):
        if path.name.endswith(_LAYOUT_SUFFIX):
            plan = path.name.removesuffix(_LAYOUT_SUFFIX)
            return plan, "layout", frozenset(_layout_cells(path))
        plan, cells = _read_trajectory(json_fields.as_mapping(read_json(path, ALFRED_FILE), ""))
        return plan, path.parent.name, frozenset(cells)


def _layout_cells(path: Path) -> Iterator[Cell]:
    check_file(path, ALFRED_FILE)
    try:
        # Mapped, because an array that is read takes the memory that its header asks for.  Of
        # headers as Python 2 wrote them numpy warns, and of damaged ones Python.
        with catch_warnings(action="ignore"):
            rows = np.lib.format.open_memmap(path, mode="r")
    except Exception as fault:  # a damaged header can raise anything
        why = "is no array, or is cut off"
        raise errors.BadInput(why, where=str(path), fix=ALFRED_FILE.fix) from fault
    if rows.ndim != 2 or rows.shape[1] < 2 or rows.dtype.kind not in "fiu":
        raise json_fields.FieldError("rows", f"should be of x and z, have the shape {rows.shape}")
    for i, (x, z) in enumerate(rows[:, :2].tolist()):
        yield _grid_cell(x, z, f"rows[{i}]")


def _read_trajectory(raw: Mapping[str, Any]) -> tuple[str, Iterator[Cell]]:
    scene = json_fields.as_mapping(raw.get("scene"), "scene")
    start = json_fields.as_mapping(scene.get("init_action"), "scene.init_action")
    x, z, yaw = (
        json_fields.as_number(start.get(name), f"scene.init_action.{name}")
        for name in ("x", "z", "rotation")
    )
    cell = _grid_cell(x, z, "scene.init_action")
    plan = json_fields.as_mapping(raw.get("plan", {}), "plan")
    actions = json_fields.as_list(plan.get("low_actions", []), "plan.low_actions")
    plan_name = json_fields.get_text(scene, "floor_plan")
    return plan_name, _trajectory_cells(cell, round(yaw / 90.0), actions)


def _trajectory_cells(cell: Cell, heading: int, actions: list[Any]) -> Iterator[Cell]:
    """Yield the cells of a trajectory, whose actions all succeeded."""
    yield cell
    for i, action in enumerate(actions):
        field = f"plan.low_actions[{i}].discrete_action"
        whole = json_fields.as_mapping(action, field)
        done = json_fields.as_mapping(whole.get("discrete_action"), field)
        name = json_fields.get_text(done, "action")
        heading += _QUARTER_TURNS_BY_ACTION.get(name, 0)
        if name == "MoveAhead_25":
            dx, dz = HEADING_STEPS[heading % 4]
            cell = (cell[0] + dx, cell[1] + dz)
            yield cell


def _grid_cell(x: float, z: float, field: str) -> Cell:
    at = cell_of(json_fields.as_number(x, field), json_fields.as_number(z, field))
    away = max(abs(x - at[0] * GRID_SIZE_METRES), abs(z - at[1] * GRID_SIZE_METRES))
    if away > _ALFRED_GRID_TOLERANCE_METRES:
        why = f"is off the grid of {GRID_SIZE_METRES} m: {x!r}, {z!r}"
        raise json_fields.FieldError(field, why)
    return at
