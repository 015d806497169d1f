"""The TEACh action space (ids, names, pose deltas), and the values that agents exchange.

`ACTION_TABLE` is spec section 1.1's.  Nothing here knows the world: a Follower needs this alone.
"""

import re
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from math import floor
from typing import Any

from tatc.base import errors, files, plain_text
from tatc.home import refusals


class Role(IntEnum):
    """Who acts; the value is TEACh's agent id (TEACh calls the Follower "Driver")."""

    COMMANDER = 0
    FOLLOWER = 1


ROLES_BY_NAME = {"follower": Role.FOLLOWER, "commander": Role.COMMANDER}
"""The roles as users, pages and addresses name them."""


class ActionType(StrEnum):
    """TEACh's action types, as its files spell them."""

    MOTION = "Motion"
    MAP_GOAL = "MapGoal"
    INTERACTION = "ObjectInteraction"
    CAMERA = "ChangeCamera"
    PROGRESS_CHECK = "ProgressCheck"
    KEYBOARD = "Keyboard"
    AUDIO = "Audio"


class Verb(StrEnum):
    """Names of TEACh's actions, as its files spell them."""

    STOP = "Stop"
    MOVE_TO = "Move to"
    FORWARD = "Forward"
    BACKWARD = "Backward"
    TURN_LEFT = "Turn Left"
    TURN_RIGHT = "Turn Right"
    LOOK_UP = "Look Up"
    LOOK_DOWN = "Look Down"
    PAN_LEFT = "Pan Left"
    PAN_RIGHT = "Pan Right"
    MOVE_UP = "Move Up"
    MOVE_DOWN = "Move Down"
    DOUBLE_FORWARD = "Double Forward"
    DOUBLE_BACKWARD = "Double Backward"
    NAVIGATION = "Navigation"
    PICKUP = "Pickup"
    PLACE = "Place"
    OPEN = "Open"
    CLOSE = "Close"
    TOGGLE_ON = "ToggleOn"
    TOGGLE_OFF = "ToggleOff"
    SLICE = "Slice"
    DIRTY = "Dirty"
    CLEAN = "Clean"
    FILL = "Fill"
    EMPTY = "Empty"
    POUR = "Pour"
    BREAK = "Break"
    BEHIND_ABOVE_ON = "BehindAboveOn"
    BEHIND_ABOVE_OFF = "BehindAboveOff"
    OPEN_PROGRESS_CHECK = "OpenProgressCheck"
    SELECT_OID = "SelectOid"
    SEARCH_OBJECT = "SearchObject"
    TEXT = "Text"
    SPEECH = "Speech"
    BEEP = "Beep"


PoseDelta = tuple[float, float, float, float, float, float]
"""Forward, left, up (metres), roll, pitch (down positive), yaw (left positive)."""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One row of TEACh's action table."""

    action_id: int
    verb: Verb
    type: ActionType
    pose_delta: PoseDelta | None = None


DEFINITIONS: dict[str, Any] = files.package_table("tatc.home", "definitions.json")
"""The `definitions` of a game file (spec 1.1) without tasks, which nothing reads."""
ACTION_TABLE: tuple[ActionSpec, ...] = tuple(
    ActionSpec(
        each["action_id"],
        Verb(each["action_name"]),
        ActionType(each["action_type"]),
        tuple(each.get("pose_delta", ())) or None,
    )
    for each in DEFINITIONS["actions"]
)
"""TEACh's action table; an entry's position is its dense index `action_idx`."""

SPEC_BY_VERB: dict[Verb, ActionSpec] = {spec.verb: spec for spec in ACTION_TABLE}
SPEC_BY_ID: dict[int, ActionSpec] = {spec.action_id: spec for spec in ACTION_TABLE}

TRANSLATION_VERBS = (Verb.FORWARD, Verb.BACKWARD, Verb.PAN_LEFT, Verb.PAN_RIGHT)
TURN_VERBS = (Verb.TURN_LEFT, Verb.TURN_RIGHT)
LOOK_VERBS = (Verb.LOOK_UP, Verb.LOOK_DOWN)
MOTION_VERBS = (*TRANSLATION_VERBS[:2], *TURN_VERBS, *LOOK_VERBS, *TRANSLATION_VERBS[2:])
"""In TEACh's order, which has them in pairs of opposites."""
INTERACTION_VERBS = (
    *(Verb.PICKUP, Verb.PLACE, Verb.OPEN, Verb.CLOSE),
    *(Verb.TOGGLE_ON, Verb.TOGGLE_OFF, Verb.SLICE, Verb.POUR),
)
"""The eight interactions offered to agents; each needs a click."""
PRIMITIVE_VERBS = frozenset(MOTION_VERBS + INTERACTION_VERBS)
"""What the world carries out: motions and object interactions."""

FOLLOWER_VERBS = (Verb.STOP, *MOTION_VERBS, *INTERACTION_VERBS)
"""The verbs that an evaluated Follower may use, in TEACh's order (spec section 1.2)."""

GRID_SIZE_METRES = 0.25  # the length of one translation in metres

Cell = tuple[int, int]  # a cell of the floor grid: x and z in steps of `GRID_SIZE_METRES`


def cell_of(x: float, z: float) -> Cell:
    """Return the grid cell nearest to a floor point (metres); halfway, that of the higher index."""
    return floor(x / GRID_SIZE_METRES + 0.5), floor(z / GRID_SIZE_METRES + 0.5)


HEADING_STEPS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""One step along yaw 0, 90, 180, 270."""
QUARTER_TURNS: dict[Verb, int] = dict(
    zip((*TRANSLATION_VERBS, *TURN_VERBS), (0, 2, 3, 1, 3, 1), strict=True)
)
"""Quarter turns to the right, from the heading to where a verb goes or turns."""
INTERACTION_REACH_METRES = 1.5
"""How far the clicked point may be from the agent's position, metres, inclusive (spec 2.3.4)."""
TURN_DEGREES = 90.0
LOOK_DEGREES = 30.0
YAW_CHANGES_DEGREES: dict[Verb, float] = {
    Verb.TURN_LEFT: -TURN_DEGREES,
    Verb.TURN_RIGHT: TURN_DEGREES,
}
LOOK_DIRECTIONS: dict[Verb, int] = {Verb.LOOK_UP: -1, Verb.LOOK_DOWN: 1}
"""The sign of the change that each look makes to the horizon."""


def cell_after(cell: Cell, yaw: float, verb: Verb) -> Cell:
    """Return the cell to which a translation leads from a cell, whether or not it is free."""
    dx, dz = HEADING_STEPS[(floor(yaw / TURN_DEGREES + 0.5) + QUARTER_TURNS[verb]) % 4]
    return cell[0] + dx, cell[1] + dz


@dataclass(frozen=True, slots=True)
class Click:
    """A point of the Follower's view, 0 to 1: `x` from its left edge, `y` from its upper one."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Action:
    """One action of an agent: a verb, with a click or a text where the verb needs one.

    `text` holds the words of a Text and the query of a SearchObject or SelectOid.
    """

    verb: Verb
    click: Click | None = None
    text: str | None = None

    def __post_init__(self) -> None:
        """Refuse a text that no record could hold."""
        if self.text is not None and not plain_text.is_encodable(self.text):
            raise errors.UnsavableText(self.text)


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The outcome of an action.

    `message` is the world's answer, `hint` what to tell a person about a failure (None where there
    is nothing to add), `object_id` the object that a successful interaction resolved to.
    """

    success: bool
    message: str = ""
    hint: str | None = None
    object_id: str | None = None

    @property
    def refusal_code(self) -> refusals.RefusalCode | None:
        """Why the action was refused, by its message; None for a success."""
        return None if self.success else refusals.refusal_code_of(self.message)


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one agent says to the other; `time` is in simulated seconds."""

    speaker: Role
    text: str
    time: float


OBJECT_TYPE_PATTERN = re.compile(r"[A-Z][A-Za-z0-9]*")
"""The name of an object type, as TEACh spells it."""


@dataclass(frozen=True, slots=True)
class PrimitiveStep:
    """One primitive as it is spoken; an interaction names its object type and its click.

    A click has two decimals, because two are spoken: see `round_click`.
    """

    verb: Verb
    object_type: str | None = None
    click: Click | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for what the language cannot say."""
        if self.verb not in PRIMITIVE_VERBS:
            raise ValueError(f"{self.verb!r} is not a primitive of the language")
        if (self.verb in INTERACTION_VERBS) != (self.click is not None):
            raise ValueError(f"{self.verb}: a click belongs to interactions alone")
        if (self.object_type is None) != (self.click is None):
            raise ValueError(f"{self.verb}: a click and its object go together")
        if self.object_type is not None and not OBJECT_TYPE_PATTERN.fullmatch(self.object_type):
            raise ValueError(f"{self.object_type!r} is not the name of an object type")
        if self.click is not None and round_click(self.click) != self.click:
            raise ValueError(f"{self.click} is not a click of two decimals below 1")

    @property
    def action(self) -> Action:
        """The action that the Follower takes for this step."""
        return Action(self.verb, self.click)


@dataclass(frozen=True, slots=True)
class FailureReport:
    """The Follower could not do a step, for this reason, and waits for an instruction."""

    step: PrimitiveStep
    reason: str

    def __post_init__(self) -> None:
        """Raise ValueError unless the reason is one line of single blanks."""
        if " ".join(self.reason.split()) != self.reason:
            raise ValueError(f"a reason is one line of single blanks: {self.reason!r}")


def round_click(click: Click) -> Click:
    """Return a click as it is spoken: with two decimals, each at most 0.99."""
    x, y = (min(0.99, max(0.0, round(v, 2))) for v in (click.x, click.y))
    return Click(x, y)
