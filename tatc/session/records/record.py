"""A session's record: what was done, in TEACh's format (spec 4.2), and why things were said."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

from tatc.base import json_fields, notebook, plain_text
from tatc.base.json_fields import FieldError, short_repr
from tatc.home import actions, state
from tatc.language.llm.recorded_calls import RecordedModelCall

LoggedPose = tuple[float, float, float, float, float, float]
"""TEACh's pose: z, -x, y, 0, horizon, -yaw in AI2-THOR's terms (spec section 2.14)."""
MapGoal = tuple[float, float, float, float]
"""The x and y of the destination, then of the point to face, as shares of the map (spec 1.5)."""
COMMANDER_POSE: LoggedPose = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""What TEACh logs for a motion of the Commander's camera (spec section 1.4)."""

_SHOWN_WORDS = 12  # utterances that a notebook shows of a record
_MAX_TIME_SECONDS = 1e7  # four months: no session is longer
_MAP_GOAL_KEYS = ("start_x", "start_y", "end_x", "end_y")
_TEXT_KEY_BY_TYPE = {
    actions.ActionType.KEYBOARD: "utterance",
    actions.ActionType.AUDIO: "utterance",
    actions.ActionType.PROGRESS_CHECK: "query",
}
_FIELD_BY_TYPE = {
    actions.ActionType.MOTION: "pose",
    actions.ActionType.INTERACTION: "click",
    actions.ActionType.MAP_GOAL: "goal",
}


@dataclass(frozen=True, slots=True)
class Interaction:
    """One logged action; `time` is in seconds since the session's start.

    `success` of an OpenProgressCheck is the task's; it is None if nothing was found.
    `pose` is the Follower's after a motion; `click` and `object_id` belong to object
    interactions, `goal` to Navigation, and `text` to utterances and queries.
    """

    role: actions.Role
    verb: actions.Verb
    time: float
    success: bool | None
    pose: LoggedPose | None = None
    click: actions.Click | None = None
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
    def type(self) -> actions.ActionType:
        """TEACh's type of this action."""
        return actions.SPEC_BY_VERB[self.verb].type


def logged_pose(agent: state.AgentState) -> LoggedPose:
    """Return an agent's pose as TEACh logs it."""
    x, y, z = agent.position
    return (z, -x, y, 0.0, agent.horizon, -agent.yaw)


def read_interaction(raw: object) -> Interaction:
    """Return the interaction of a game file's entry; paths in errors are relative to the entry."""
    entry = json_fields.as_mapping(raw, "")
    spec = actions.SPEC_BY_ID.get(json_fields.as_integer(entry.get("action_id"), "action_id"))
    if spec is None:
        raise FieldError("action_id", f"is no action: {short_repr(entry['action_id'])}")
    time = json_fields.as_number(entry.get("time_start"), "time_start", _MAX_TIME_SECONDS)
    if time < 0:
        raise FieldError("time_start", f"is negative: {time!r}")
    role, success = _read_role(entry), _read_success(entry)
    return Interaction(role, spec.verb, time, success, **_read_type_fields(entry, spec.type))


def interaction_json(interaction: Interaction) -> dict[str, Any]:
    """Return an interaction as JSON of a game file; `read_interaction` is the inverse."""
    spec = actions.SPEC_BY_VERB[interaction.verb]
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
    if spec.type is actions.ActionType.AUDIO:
        entry["file_name"] = ""
    return entry


def _read_type_fields(entry: Mapping[str, Any], kind: actions.ActionType) -> dict[str, Any]:
    if kind is actions.ActionType.MOTION:
        return {"pose": _read_pose(entry)}
    if kind is actions.ActionType.INTERACTION:
        x, y = (json_fields.as_number(entry.get(axis), axis) for axis in ("x", "y"))
        click = actions.Click(x, y)
        object_id = None if entry.get("oid") is None else json_fields.get_text(entry, "oid")
        return {"click": click, "object_id": object_id}
    if kind is actions.ActionType.MAP_GOAL:
        a, b, c, d = (json_fields.as_number(entry.get(name), name) for name in _MAP_GOAL_KEYS)
        return {"goal": (a, b, c, d)}
    field = _TEXT_KEY_BY_TYPE.get(kind)
    return {"text": json_fields.get_text_or_empty(entry, field)} if field else {}


def _read_role(entry: Mapping[str, Any]) -> actions.Role:
    agent = json_fields.as_integer(entry.get("agent_id"), "agent_id")
    if agent not in (0, 1):
        raise FieldError("agent_id", f"should be 0 or 1, is {short_repr(agent)}")
    return actions.Role(agent)


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
    values = json_fields.as_list(entry.get("pose"), "pose")
    if len(values) != 6:
        raise FieldError("pose", f"should hold six numbers, has {len(values)}")
    a, b, c, d, e, f = (json_fields.as_number(v, f"pose[{i}]") for i, v in enumerate(values))
    return (a, b, c, d, e, f)


JsonScalar = str | int | float | bool | None  # a JSON value that is neither an array nor an object

RecordedProblemKey = tuple[str, str, str, JsonScalar]
"""A problem key: object id, object type, property name, desired value."""


def session_id_of(game_id: str | None, place: str, task_name: str, seed: int) -> str:
    """Return the session's name, also of files: its game's id, or "kitchen-03_clean-all-x_7"."""
    if game_id is not None:
        return game_id
    task = "".join(c if c.isprintable() and c not in " /\\" else "-" for c in task_name.lower())
    return f"{place}_{task}_{seed}"


class SessionEnd(StrEnum):
    """How a session ended; the last two: a model's budget is spent, or it gave no usable answer."""

    SUCCESS = "success"
    GAVE_UP = "gave_up"
    STEP_LIMIT = "step_limit"
    FAILURE_LIMIT = "failure_limit"
    CRASHED = "crashed"
    BUDGET_SPENT = "budget_spent"
    MODEL_FAILED = "model_failed"


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """Why the Commander said something.

    `step` is the index of the utterance among the session's interactions.  `problem_key`
    is what it was about, or None.  `alternatives` are the plans that were rejected before,
    each with its reason.  `cost` is the number of primitive actions of the stretch, None if
    the utterance asked for none.  `fallback_reason` says why PDDL planned instead of the
    policies, "" if it did not.  Older records use former names of some skills, which
    `renamed_in_decisions.json` maps to the present ones.
    """

    step: int
    utterance: str
    problem_key: RecordedProblemKey | None
    policy: str
    skill: str
    reason: str
    alternatives: tuple[str, ...]
    cost: int | None
    fallback_reason: str = ""

    def __repr__(self) -> str:
        """Return one line: the step, what was wanted, and which policy planned it."""
        wanted = f"{self.wanted()} by {self.policy}" if self.policy else self.wanted()
        return f"<RecordedDecision at {self.step}: {wanted}>"

    def _repr_html_(self) -> str:
        names = ("utterance", "policy", "skill", "reason", "fallback_reason")
        rows = [(name.replace("_", " "), getattr(self, name)) for name in names]
        rows += [("rejected", each) for each in self.alternatives]
        return notebook.html_table(f"Decision at step {self.step}: {self.wanted()}", rows)

    def wanted(self) -> str:
        """Return what the utterance was about, such as "Mug: isDirty should be False"."""
        if self.problem_key is None:
            return "no problem"
        _, kind, name, value = self.problem_key
        return f"{kind}: {name} should be {value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A saved session: a TEACh game with the Commander's decisions.

    `definition` is the task's expanded definition as JSON (`Task.definition_json()`), `scene` the
    session's start, `final` the state at its end.  `gc_total` and `gc_satisfied` count the goal
    conditions at the end.  `world` names the simulator; `floor_map` and `map_hash` name its map, ""
    if it has none.  `game_id` is the recorded game that the start is taken from, None if it is made
    from a room and `seed`.  `options` are those of the agents and the limits, as names and values.
    `model_calls` are the requests to language models that played agents, in their order.

    A record that was read says of its end, goal conditions, decisions and options what its file
    says; `tatc replay --verify` computes the first two.
    """

    definition: Mapping[str, Any]
    scene: state.Scene
    final: state.Snapshot
    interactions: tuple[Interaction, ...]
    decisions: tuple[RecordedDecision, ...]
    end: SessionEnd
    gc_total: int
    gc_satisfied: int
    world: str
    floor_map: str = ""
    map_hash: str = ""
    seed: int = 0
    game_id: str | None = None
    options: tuple[tuple[str, JsonScalar], ...] = ()
    model_calls: tuple[RecordedModelCall, ...] = ()

    def __repr__(self) -> str:
        """Return one line: the task, the place, and how the session ended."""
        goals = f"{self.gc_satisfied} of {self.gc_total} goal conditions"
        session = f"{self.task_name} in {self.scene.place}: {self.end}"
        acts = plain_text.counted(len(self.interactions), "action")
        return f"<Record {session}, {goals}, {acts}>"

    def _repr_html_(self) -> str:
        said = [(each.role.name.title(), each.text) for each in self.interactions if each.text]
        left = [("...", f"{len(said) - _SHOWN_WORDS} more")] if len(said) > _SHOWN_WORDS else []
        return notebook.html_table(repr(self)[1:-1], [*said[:_SHOWN_WORDS], *left])

    def show(self) -> Any:
        """Return the session's timeline, replayed, which a notebook shows as a film strip."""
        # Records know no world, so no module of theirs may import this one.
        return import_module("tatc.session.timeline").Timeline.of(self)

    def to_dataframe(self) -> Any:
        """Return the actions as a table of pandas, which has to be installed."""
        rows = [asdict(each) | {"role": each.role.name.title()} for each in self.interactions]
        return notebook.dataframe(rows)

    @property
    def session_id(self) -> str:
        """The session's name: the id of its game, or its place, task and seed."""
        return session_id_of(self.game_id, self.scene.place, self.task_name, self.seed)

    @property
    def task_name(self) -> str:
        """The task's name, such as "Put All X On Y"."""
        return self.definition["task_name"]

    @property
    def task_params(self) -> tuple[str, ...]:
        """The task's parameters."""
        return tuple(self.definition["task_params"])

    @property
    def success(self) -> bool:
        """Whether the task was complete at the end."""
        return self.end is SessionEnd.SUCCESS

    def count_actions(self, role: actions.Role) -> int:
        """Return the number of an agent's interactions, failed ones included."""
        return sum(done.role is role for done in self.interactions)

    @property
    def failed_action_count(self) -> int:
        """The number of the Follower's primitive actions that failed."""
        return sum(
            done.role is actions.Role.FOLLOWER
            and done.success is False
            and done.verb in actions.PRIMITIVE_VERBS
            for done in self.interactions
        )
