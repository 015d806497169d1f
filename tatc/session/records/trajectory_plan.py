"""The expert's plan in a trajectory of ALFRED: its subgoals, and the actions of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tatc.base import files, json_fields
from tatc.home import body, state
from tatc.home.actions import GRID_SIZE_METRES, Verb

MAX_MASK_PIXELS = body.ALFRED.frame_pixels**2  # the pixels of the frame in which masks are given

VERB_BY_ACTION = {
    name: Verb(verb)
    for name, verb in files.package_table("tatc.session.records", "alfred_actions.toml").items()
}
"""ALFRED's low-level actions, without Stop, as TEACh's verbs."""

SUBGOALS = (
    "GotoLocation", "PickupObject", "PutObject", "CoolObject",
    "HeatObject", "CleanObject", "SliceObject", "ToggleObject",
)  # fmt: skip
"""The eight kinds of subgoal that ALFRED scores; a plan may end with "End" or "NoOp"."""
FIX_TAKE_AGAIN = "take the file from ALFRED's json_2.1.0 again"

MaskRuns = tuple[tuple[int, int], ...]
"""The pixels of a mask as (first pixel, length) runs of the frame, row by row."""


@dataclass(frozen=True, slots=True)
class HighAction:
    """A subgoal; `kind` is one of `SUBGOALS`, or of those that are not scored.

    `arguments` are the types that it names, in lower case; some are "".  `object_id` is the object
    that it is about, of HeatObject and CoolObject the appliance; `receptacle_id` where a PutObject
    puts it; `pose` where the planner sent the agent for a GotoLocation.
    """

    index: int
    kind: str
    arguments: tuple[str, ...]
    object_id: str | None = None
    receptacle_id: str | None = None
    pose: state.Pose | None = None


@dataclass(frozen=True, slots=True)
class LowAction:
    """An action of the expert, within the subgoal with the index `high_index`.

    An interaction has the id of its object, for a Put the receptacle's too, and the mask of
    its target in the frame before it.
    """

    high_index: int
    verb: Verb
    object_id: str | None = None
    receptacle_id: str | None = None
    mask: MaskRuns = ()

    @property
    def target_id(self) -> str | None:
        """The id of what the action is done to: a Put's receptacle, else the object."""
        return self.receptacle_id or self.object_id


def read_high_actions(plan: Mapping[str, Any]) -> tuple[HighAction, ...]:
    """Return the subgoals of a plan."""
    return json_fields.read_list(plan, "high_pddl", _read_high_action, files.MAX_SUBGOALS)


def read_low_actions(
    plan: Mapping[str, Any], subgoals: Sequence[HighAction]
) -> tuple[LowAction, ...]:
    """Return the actions of a plan; the indices of their subgoals must not go back."""
    most = files.MAX_INTERACTIONS
    actions = json_fields.read_list(plan, "low_actions", _read_low_action, most)
    last = max((subgoal.index for subgoal in subgoals), default=-1)
    before = 0
    for i, action in enumerate(actions):
        if not before <= action.high_index <= last:
            why = f"should be from {before} to {last}, is {action.high_index}"
            raise json_fields.FieldError(f"low_actions[{i}].high_idx", why, FIX_TAKE_AGAIN)
        before = action.high_index
    return actions


def _read_high_action(raw: Mapping[str, Any]) -> HighAction:
    done = json_fields.as_mapping(raw.get("discrete_action"), "discrete_action")
    with json_fields.faults_under("discrete_action"):
        kind = json_fields.get_text(done, "action")
        if kind not in (*SUBGOALS, "End", "NoOp"):
            why = f"is an unknown subgoal: {json_fields.short_repr(kind)}"
            raise json_fields.FieldError("action", why, FIX_TAKE_AGAIN)
        given = json_fields.as_list(done.get("args"), "args")
        arguments = tuple(json_fields.as_text(each, "args") for each in given)
    planned = json_fields.as_mapping(raw.get("planner_action", {}), "planner_action")
    with json_fields.faults_under("planner_action"):
        return HighAction(
            json_fields.as_integer(raw.get("high_idx"), "high_idx"),
            kind,
            arguments,
            _text_if_given(planned, "cleanObjectId") or _text_if_given(planned, "objectId"),
            _text_if_given(planned, "receptacleObjectId"),
            _read_location(_text_if_given(planned, "location")),
        )


def _text_if_given(raw: Mapping[str, Any], field: str) -> str | None:
    return json_fields.get_text(raw, field) if field in raw else None


def _read_location(text: str | None) -> state.Pose | None:
    """Return the pose of "loc|x|z|rotation|horizon", in steps of the grid and quarter turns."""
    if text is None:
        return None
    parts = text.split("|")[1:]
    try:
        x, z, turns, horizon = map(int, parts)
    except ValueError:
        why = f"should be loc|x|z|rotation|horizon, is {json_fields.short_repr(text)}"
        raise json_fields.FieldError("location", why, FIX_TAKE_AGAIN) from None
    return state.Pose(x * GRID_SIZE_METRES, z * GRID_SIZE_METRES, turns % 4 * 90.0, float(horizon))


def _read_low_action(raw: Mapping[str, Any]) -> LowAction:
    index = json_fields.as_integer(raw.get("high_idx"), "high_idx")
    done = json_fields.as_mapping(raw.get("discrete_action"), "discrete_action")
    name = json_fields.get_text(done, "action")
    verb = VERB_BY_ACTION.get(name)
    if verb is None:
        why = f"is an unknown action: {json_fields.short_repr(name)}"
        raise json_fields.FieldError("discrete_action.action", why, FIX_TAKE_AGAIN)
    if verb in body.ALFRED.walk_verbs or verb in (Verb.LOOK_UP, Verb.LOOK_DOWN):
        return LowAction(index, verb)
    with json_fields.faults_under("api_action"):
        call = json_fields.as_mapping(raw.get("api_action"), "")
        object_id = json_fields.get_text(call, "objectId")
        read = json_fields.get_text
        receptacle_id = read(call, "receptacleObjectId") if verb is Verb.PLACE else None
    with json_fields.faults_under("discrete_action.args"):
        arguments = json_fields.as_mapping(done.get("args"), "")
        runs = json_fields.as_list(arguments.get("mask"), "mask", MAX_MASK_PIXELS)
        mask = tuple(json_fields.read_each(runs, _read_run, "mask"))
    return LowAction(index, verb, object_id, receptacle_id, mask)


def _read_run(entry: object) -> tuple[int, int]:
    pair = json_fields.as_list(entry, "")
    if len(pair) != 2:
        why = f"should be a start and a length, is {json_fields.short_repr(pair)}"
        raise json_fields.FieldError("", why, FIX_TAKE_AGAIN)
    start, length = (json_fields.as_integer(each, "") for each in pair)
    if start < 0 or length < 1 or start + length > MAX_MASK_PIXELS:
        why = f"lies outside of the frame's {MAX_MASK_PIXELS} pixels: {start}, {length}"
        raise json_fields.FieldError("", why, FIX_TAKE_AGAIN)
    return start, length
