"""A trajectory of ALFRED as its file has it, made from one of tatc's own rooms."""

from typing import Any

from tatc.home.metadata import write_object, write_vector
from tatc.home.state import ObjectState, Scene
from tatc.sim.rooms import load_room, start_state

FLOOR_PLAN = 7
"""The floor plan that the sample says it is of; its furniture is that of a shipped room."""
SAMPLE_ROOM = "kitchen-01"


def sample_scene(seed: int = 1) -> Scene:
    """Return the start that the sample is made from."""
    return start_state(load_room(SAMPLE_ROOM), seed)


def sample_trajectory(
    task_type: str = "pick_and_place_simple", seed: int = 1, **params: str
) -> dict[str, Any]:
    """Return the JSON of a trajectory with an empty plan, whose task has these parameters."""
    scene = sample_scene(seed)
    follower = scene.initial.follower
    x, y, z = follower.position
    wanted = {"object_target": "Apple", "parent_target": "CounterTop", **params}
    return {
        "images": [],
        "pddl_params": {"mrecep_target": "", "object_sliced": False, "toggle_target": "", **wanted},
        "plan": {
            "high_pddl": [_subgoal(0, "GotoLocation", "countertop")],
            "low_actions": [
                {
                    "api_action": {"action": "LookDown", "forceAction": True},
                    "discrete_action": {"action": "LookDown_15", "args": {}},
                    "high_idx": 0,
                }
            ],
        },
        "scene": {
            "dirty_and_empty": False,
            "floor_plan": f"FloorPlan{FLOOR_PLAN}",
            "init_action": {
                **{"action": "TeleportFull", "horizon": 30, "rotateOnTeleport": True},
                **{"rotation": round(follower.yaw), "x": x, "y": y, "z": z},
            },
            "object_poses": [_pose(obj) for obj in carried_objects(scene)],
            "object_toggles": [],
            "random_seed": seed,
            "scene_num": FLOOR_PLAN,
        },
        "task_id": f"trial_T20260101_000000_{seed:06d}",
        "task_type": task_type,
        "turk_annotations": {
            "anns": [
                {
                    "assignment_id": "anonymous",
                    "high_descs": ["Look down."],
                    "task_desc": "Put an apple on the counter.",
                    "votes": [1, 1],
                }
            ]
        },
    }


def carried_objects(scene: Scene) -> list[ObjectState]:
    """Return the objects of a scene that can be carried."""
    return [obj for obj in scene.initial.objects if obj.affordances.pickupable]


def _subgoal(index: int, kind: str, *types: str) -> dict[str, Any]:
    return {
        "discrete_action": {"action": kind, "args": list(types)},
        "high_idx": index,
        "planner_action": {"action": kind},
    }


def _pose(obj: ObjectState) -> dict[str, Any]:
    return {
        "objectName": f"{obj.objectType}_0123abcd",
        "position": write_vector(obj.position),
        "rotation": write_vector(obj.rotation),
    }


def sample_furniture(seed: int = 1) -> dict[str, Any]:
    """Return the metadata dump of the sample's floor plan, with other things to carry in it."""
    objects = sample_scene(seed).initial.objects
    return {"sceneName": f"FloorPlan{FLOOR_PLAN}", "objects": [write_object(o) for o in objects]}
