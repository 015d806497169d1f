"""Logged interactions of either agent, in the format of TEACh's files (spec 4.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tatc.base.json_fields import (
    FieldError,
    as_integer,
    as_list,
    as_mapping,
    as_number,
    get_text,
    get_text_or_empty,
    short_repr,
)
from tatc.home.actions import SPEC_BY_ID, SPEC_BY_VERB, ActionType, Click, Role, Verb
from tatc.home.state import AgentState

LoggedPose = tuple[float, float, float, float, float, float]
"""TEACh's pose: z, -x, y, 0, horizon, -yaw in AI2-THOR's terms (spec section 2.14)."""
MapGoal = tuple[float, float, float, float]
"""The x and y of the destination, then of the point to face, as shares of the map (spec 1.5)."""
COMMANDER_POSE: LoggedPose = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""What TEACh logs for a motion of the Commander's camera (spec section 1.4)."""

_MAX_TIME_SECONDS = 1e7  # four months: no session is longer
_MAP_GOAL_KEYS = ("start_x", "start_y", "end_x", "end_y")
_TEXT_KEY_BY_TYPE = {
    ActionType.KEYBOARD: "utterance",
    ActionType.AUDIO: "utterance",
    ActionType.PROGRESS_CHECK: "query",
}
_FIELD_BY_TYPE = {
    ActionType.MOTION: "pose",
    ActionType.INTERACTION: "click",
    ActionType.MAP_GOAL: "goal",
}


@dataclass(frozen=True, slots=True)
class Interaction:
    """One logged action; `time` is in seconds since the session's start.

    `success` of an OpenProgressCheck is the task's; it is None if nothing was found.
    `pose` is the Follower's after a motion; `click` and `object_id` belong to object
    interactions, `goal` to Navigation, and `text` to utterances and queries.
    """

    role: Role
    verb: Verb
    time: float
    success: bool | None
    pose: LoggedPose | None = None
    click: Click | None = None
    object_id: str | None = None
    goal: MapGoal | None = None
    text: str = ""

    def __post_init__(self) -> None:
        """Refuse fields that this verb does not log, and the lack of one that it does."""
        kind = self.type
        for owner, part in _FIELD_BY_TYPE.items():
            if (getattr(self, part) is None) is (kind is owner):
                raise ValueError(f"{self.verb}: `{part}` belongs to {owner} alone")
        if self.object_id is not None and self.click is None:
            raise ValueError(f"{self.verb}: an object comes with a click")
        if self.text and kind not in _TEXT_KEY_BY_TYPE:
            raise ValueError(f"{self.verb}: there is nothing to say or to ask")

    @property
    def type(self) -> ActionType:
        """TEACh's type of this action."""
        return SPEC_BY_VERB[self.verb].type


def logged_pose(agent: AgentState) -> LoggedPose:
    """Return an agent's pose as TEACh logs it."""
    x, y, z = agent.position
    return (z, -x, y, 0.0, agent.horizon, -agent.yaw)


def read_interaction(raw: object) -> Interaction:
    """Return the interaction of a game file's entry, without its dialogue acts.

    The paths in errors are relative to the entry.
    """
    entry = as_mapping(raw, "")
    spec = SPEC_BY_ID.get(as_integer(entry.get("action_id"), "action_id"))
    if spec is None:
        raise FieldError("action_id", f"is no action: {short_repr(entry['action_id'])}")
    time = as_number(entry.get("time_start"), "time_start", _MAX_TIME_SECONDS)
    if time < 0:
        raise FieldError("time_start", f"is negative: {time!r}")
    role, success = _read_role(entry), _read_success(entry)
    return Interaction(role, spec.verb, time, success, **_read_type_fields(entry, spec.type))


def interaction_json(interaction: Interaction) -> dict[str, Any]:
    """Return an interaction as JSON of a game file; `read_interaction` is the inverse."""
    spec = SPEC_BY_VERB[interaction.verb]
    entry: dict[str, Any] = {
        "agent_id": int(interaction.role),
        "action_id": spec.action_id,
        "time_start": interaction.time,
        "duration": 1,
        "success": None if interaction.success is None else int(interaction.success),
    }
    if interaction.pose is not None:
        entry["pose_delta"] = list(spec.pose_delta or ())
        entry["pose"] = list(interaction.pose)
    elif interaction.click is not None:
        entry |= {"x": interaction.click.x, "y": interaction.click.y, "oid": interaction.object_id}
    elif interaction.goal is not None:
        entry |= dict(zip(_MAP_GOAL_KEYS, interaction.goal, strict=True))
    elif spec.type in _TEXT_KEY_BY_TYPE:
        entry[_TEXT_KEY_BY_TYPE[spec.type]] = interaction.text
    if spec.type is ActionType.AUDIO:
        entry["file_name"] = ""
    return entry


def _read_type_fields(entry: Mapping[str, Any], kind: ActionType) -> dict[str, Any]:
    """Return the fields of an interaction that its type of action has, by their names."""
    if kind is ActionType.MOTION:
        return {"pose": _read_pose(entry)}
    if kind is ActionType.INTERACTION:
        click = Click(as_number(entry.get("x"), "x"), as_number(entry.get("y"), "y"))
        object_id = None if entry.get("oid") is None else get_text(entry, "oid")
        return {"click": click, "object_id": object_id}
    if kind is ActionType.MAP_GOAL:
        a, b, c, d = (as_number(entry.get(name), name) for name in _MAP_GOAL_KEYS)
        return {"goal": (a, b, c, d)}
    field = _TEXT_KEY_BY_TYPE.get(kind)
    return {"text": get_text_or_empty(entry, field)} if field else {}


def _read_role(entry: Mapping[str, Any]) -> Role:
    agent = as_integer(entry.get("agent_id"), "agent_id")
    if agent not in (0, 1):
        raise FieldError("agent_id", f"should be 0 or 1, is {short_repr(agent)}")
    return Role(agent)


def _read_success(entry: Mapping[str, Any]) -> bool | None:
    if "success" not in entry:
        raise FieldError("success", "is missing")
    value = entry["success"]
    if value is None:
        return None
    if not isinstance(value, int) or value not in (0, 1):
        raise FieldError("success", f"should be 1, 0 or null, is {short_repr(value)}")
    return bool(value)


def _read_pose(entry: Mapping[str, Any]) -> LoggedPose:
    values = as_list(entry.get("pose"), "pose")
    if len(values) != 6:
        raise FieldError("pose", f"should hold six numbers, has {len(values)}")
    a, b, c, d, e, f = (as_number(v, f"pose[{i}]") for i, v in enumerate(values))
    return (a, b, c, d, e, f)
