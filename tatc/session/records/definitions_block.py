"""The `definitions` block of a game file: agents, actions and status codes (spec 1.1)."""

from typing import Any

from tatc.home.actions import ACTION_TABLE, ActionSpec, ActionType, Verb

_UNSET_COORDINATE = -1

_DEFAULT_FIELDS_BY_TYPE: dict[ActionType, dict[str, Any]] = {
    ActionType.MAP_GOAL: dict.fromkeys(("start_x", "start_y", "end_x", "end_y"), _UNSET_COORDINATE),
    ActionType.INTERACTION: {"x": _UNSET_COORDINATE, "y": _UNSET_COORDINATE},
    ActionType.PROGRESS_CHECK: {"query": ""},
    ActionType.KEYBOARD: {"utterance": ""},
    ActionType.AUDIO: {"utterance": "", "file_name": ""},
}


def definitions_json() -> dict[str, Any]:
    """Return the block as in TEACh's files, but with an empty list of tasks.

    The file's own task is under its `tasks`, and nothing reads the others.
    """
    return {
        "agents": [
            {"agent_id": 0, "agent_name": "Commander", "agent_type": 0},
            {"agent_id": 1, "agent_name": "Driver", "agent_type": 1},
        ],
        "actions": [_action_json(spec) for spec in ACTION_TABLE],
        "status": [
            {"status_id": 0, "status_name": "Success"},
            {"status_id": 1, "status_name": "Failure"},
        ],
        "tasks": [],
    }


def _action_json(spec: ActionSpec) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "action_id": spec.action_id,
        "action_name": spec.verb.value,
        "action_type": spec.type.value,
    }
    if spec.type is ActionType.MOTION:
        entry["pose_delta"] = list(spec.pose_delta or ())
    if spec.verb is Verb.BEEP:
        return entry | {"repeat": 3}
    return entry | _DEFAULT_FIELDS_BY_TYPE.get(spec.type, {})
