"""Writes trajectories as ALFRED's files have them (`traj_data.json` of json_2.1.0)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from tatc.evaluation.alfred.expert_course import NAME_BY_VERB, ExpertStep, ExpertSubgoal
from tatc.home.actions import GRID_SIZE_METRES, Verb
from tatc.home.body import ALFRED
from tatc.home.metadata import write_vector
from tatc.home.state import AgentState, ObjectState, Pose
from tatc.language.object_names import words_for_type
from tatc.session.records.trajectory import TaskType, TrajectoryTask

_HASH_CHARACTERS = 8
_CHANGING = ("HeatObject", "CoolObject", "CleanObject")
_GOALS = {
    TaskType.LOOK: "Hold the {object} and switch the {toggle} on.",
    TaskType.SIMPLE: "Put a {object} in or on a {receptacle}.",
    TaskType.MOVABLE: "Put a {object} in a {movable}, and that in or on a {receptacle}.",
    TaskType.CLEAN: "Put a clean {object} in or on a {receptacle}.",
    TaskType.HEAT: "Put a heated {object} in or on a {receptacle}.",
    TaskType.COOL: "Put a cooled {object} in or on a {receptacle}.",
    TaskType.TWO: "Put two of the {object} in or on one {receptacle}.",
}
_STEPS = {
    "GotoLocation": "Go to the {place}.",
    "PickupObject": "Pick up the {target}.",
    "PutObject": "Put the {held} in or on the {target}.",
    "SliceObject": "Slice the {target}.",
    "ToggleObject": "Switch the {target} on.",
    "HeatObject": "Heat the {held} in the {target}.",
    "CoolObject": "Cool the {held} in the {target}.",
    "CleanObject": "Rinse the {held} in the {target}.",
}


def document_of(
    scene: Mapping[str, Any], task: TrajectoryTask, trial: str, made_by: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a trajectory without actions; `made_by` says that it is tatc's own, and how made."""
    return {
        "images": [],
        "pddl_params": {
            "mrecep_target": task.movable,
            "object_sliced": task.sliced,
            "object_target": task.object,
            "parent_target": task.receptacle,
            "toggle_target": task.toggle,
        },
        "plan": {"high_pddl": [], "low_actions": []},
        "scene": dict(scene),
        "task_id": trial,
        "task_type": task.type.value,
        "tatc": dict(made_by),
        "turk_annotations": {"anns": []},
    }


def write_scene(
    place: str, objects: Iterable[ObjectState], follower: AgentState, task: TrajectoryTask
) -> dict[str, Any]:
    """Return the JSON of a scene: what can be carried, where the agent is, what is off or dirty."""

    def name_hash(kind: str) -> str:
        return sha256(f"{place} {kind}".encode()).hexdigest()[:_HASH_CHARACTERS]

    x, y, z = follower.position
    poses = [
        {
            "objectName": f"{obj.objectType}_{name_hash(obj.objectType)}",
            "position": write_vector(obj.position),
            "rotation": write_vector(obj.rotation),
        }
        for obj in objects
        if obj.affordances.pickupable and not obj.isSliced
    ]
    return {
        "dirty_and_empty": task.type is TaskType.CLEAN,
        "floor_plan": place,
        "init_action": {
            "action": "TeleportFull",
            "horizon": round(follower.horizon),
            "rotateOnTeleport": True,
            "rotation": round(follower.yaw),
            "x": x,
            "y": y,
            "z": z,
        },
        "object_poses": poses,
        "object_toggles": [{"isOn": False, "objectType": task.toggle}] if task.toggle else [],
    }


def write_plan(subgoals: Sequence[ExpertSubgoal]) -> dict[str, Any]:
    """Return the JSON of a plan: the subgoals, an end, and the actions of each."""
    high: list[dict[str, Any]] = []
    for i, subgoal in enumerate(subgoals):
        following = (step for each in subgoals[i + 1 :] for step in each.steps)
        end = next(following, subgoal.steps[-1]).pose
        discrete = {"action": subgoal.kind, "args": [*_arguments(subgoal)]}
        planned = {"action": subgoal.kind, **dict(_planned(subgoal, subgoal.main, end))}
        high.append({"discrete_action": discrete, "high_idx": i, "planner_action": planned})
    high.append(
        {
            "discrete_action": {"action": "NoOp", "args": []},
            "high_idx": len(high),
            "planner_action": {"action": "End", "value": 1},
        }
    )
    low = [_low_action(i, step) for i, each in enumerate(subgoals) for step in each.steps]
    return {"high_pddl": high, "low_actions": low}


def write_annotations(task: TrajectoryTask, subgoals: Sequence[ExpertSubgoal]) -> dict[str, Any]:
    """Return a goal sentence and directives of tatc's own wording, as one annotator's."""
    types = {name: words_for_type(kind) for name, kind in task.parameters.items()}
    words = {
        "assignment_id": "tatc",
        "high_descs": [_directive(each.kind, each.main) for each in subgoals],
        "task_desc": _GOALS[task.type].format(**types),
        "votes": [],
    }
    return {"anns": [words]}


def _arguments(subgoal: ExpertSubgoal) -> Iterator[str]:
    """Yield the types that a subgoal names: where to, or what, and where it is put."""
    main = subgoal.main
    named = {
        "GotoLocation": (main.place or main.target,),
        "PutObject": (main.held, main.target),
    }.get(subgoal.kind, (main.held if subgoal.kind in _CHANGING else main.target,))
    yield from (obj.objectType.lower() for obj in named if obj is not None)


def _planned(subgoal: ExpertSubgoal, main: ExpertStep, end: Pose) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a planner's action: a pose, or the objects that it is about."""
    if subgoal.kind == "GotoLocation":
        x, z = (round(each / GRID_SIZE_METRES) for each in (end.x, end.z))
        turns, horizon = round(end.yaw / 90.0) % 4, round(end.horizon)
        yield "location", f"loc|{x}|{z}|{turns}|{horizon}"
        return
    target, held = main.target, main.held
    assert target is not None  # only walks have none
    yield "forceVisible", True
    if subgoal.kind in _CHANGING and held is not None:
        yield "objectId", target.objectId
        yield "coordinateReceptacleObjectId", _coordinates(target)
        if subgoal.kind == "CleanObject":
            yield "cleanObjectId", held.objectId
        return
    if subgoal.kind == "PutObject" and held is not None:
        yield "objectId", held.objectId
        yield "receptacleObjectId", target.objectId
        yield "coordinateReceptacleObjectId", _coordinates(target)
        return
    yield "objectId", target.objectId
    yield "coordinateObjectId", _coordinates(target)


def _coordinates(obj: ObjectState) -> list[Any]:
    """Return a type and a position, as ALFRED's planner has them: in steps of the grid, x, z, y."""
    x, y, z = (each / GRID_SIZE_METRES for each in obj.position)
    return [obj.objectType, [x, x, z, z, y, y]]


def _low_action(index: int, step: ExpertStep) -> dict[str, Any]:
    name = NAME_BY_VERB[step.verb]
    call: dict[str, Any] = {"action": name.partition("_")[0], "forceAction": True}
    arguments: dict[str, Any] = {}
    if step.target is not None:
        arguments = {"bbox": _bounds(step.mask), "mask": [list(run) for run in step.mask]}
        call = {"action": name, "objectId": step.target.objectId}
    if step.verb is Verb.PLACE and step.held is not None and step.target is not None:
        call |= {
            "forceAction": True,
            "objectId": step.held.objectId,
            "placeStationary": True,
            "receptacleObjectId": step.target.objectId,
        }
    done = {"action": name, "args": arguments}
    return {"api_action": call, "discrete_action": done, "high_idx": index}


def _bounds(runs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the least column and row and the greatest of a mask."""
    side = ALFRED.frame_pixels
    pixels = [first + k for first, length in runs for k in (0, length - 1)]
    columns, rows = [p % side for p in pixels], [p // side for p in pixels]
    return [min(columns), min(rows), max(columns), max(rows)] if pixels else []


def _directive(kind: str, main: ExpertStep) -> str:
    named = {"target": main.target, "held": main.held, "place": main.place or main.target}
    words = {
        name: "thing" if obj is None else words_for_type(obj.objectType)
        for name, obj in named.items()
    }
    return _STEPS[kind].format(**words)
