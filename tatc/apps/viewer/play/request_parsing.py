"""Parses what the page asks for; every field is checked before anything happens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tatc.base.errors import BadInput
from tatc.base.plain_text import is_encodable
from tatc.home.actions import (
    INTERACTION_VERBS,
    MOTION_VERBS,
    ROLES_BY_NAME,
    Action,
    Click,
    Role,
    Verb,
)
from tatc.language import Wording
from tatc.sim.object_search import SEARCH_VERBS

MAX_TEXT_CHARACTERS = 2000
"""Longest text that can be said at once."""

_COMMANDER_TOOLS = (Verb.OPEN_PROGRESS_CHECK, *SEARCH_VERBS)
_ALLOWED_VERBS = {
    Role.COMMANDER: (*MOTION_VERBS, *_COMMANDER_TOOLS, Verb.TEXT),
    Role.FOLLOWER: (*MOTION_VERBS, *INTERACTION_VERBS, Verb.TEXT),
}
_VERBS_WITH_TEXT = (Verb.TEXT, *SEARCH_VERBS)


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A game that somebody wants to start.

    `start` is the id of a session in the index, from whose start the game begins; if it
    is "", `task` and `room` ("" for the first where the task can be done) define the
    start.  `partner` is an agent's name or "person".
    """

    role: Role
    partner: str
    wording: str
    task: str
    params: tuple[str, ...]
    room: str
    seed: int
    start: str


def parse_game_request(raw: object) -> GameRequest:
    """Return the game that a request asks for."""
    fields = request_fields(raw)
    seed = fields.get("seed", 1)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 10**9:
        raise BadInput("a seed is a whole number, 0 or greater")
    words = {
        name: _text_field(fields, name, "")
        for name in ("partner", "wording", "task", "params", "room", "start")
    }
    params = tuple(p.strip() for p in words.pop("params").split(",") if p.strip())
    return GameRequest(role=requested_role(fields), params=params, seed=seed, **words)


def requested_role(fields: object) -> Role:
    """Return the role that a request asks for."""
    name = _text_field(request_fields(fields), "part")
    if name not in ROLES_BY_NAME:
        raise BadInput("a role is commander or follower")
    return ROLES_BY_NAME[name]


def parse_action(raw: object, role: Role) -> Action:
    """Return the action that a person asks for."""
    fields = request_fields(raw)
    name = _text_field(fields, "verb")
    verb = next((each for each in _ALLOWED_VERBS[role] if each.value == name), None)
    if verb is None:
        raise BadInput(f"the {role.name.lower()} cannot do {name!r}")
    if verb in INTERACTION_VERBS:
        return Action(verb, parse_click(fields))
    if verb in _VERBS_WITH_TEXT:
        text = " ".join(_text_field(fields, "text").split())
        if not text:
            raise BadInput("the text is empty")
        return Action(verb, text=text)
    return Action(verb)


def parse_click(raw: object) -> Click:
    """Return a point of the Follower's view."""
    fields = request_fields(raw)
    x, y = fields.get("x"), fields.get("y")
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        raise BadInput("a click needs the numbers x and y")
    if not (0 <= x < 1 and 0 <= y < 1):
        raise BadInput("a click lies in the view: x and y are at least 0 and below 1")
    return Click(min(round(float(x), 4), 0.999), min(round(float(y), 4), 0.999))


def parse_wording(raw: object) -> Wording:
    """Return the wording in which a suggestion is wanted."""
    name = _text_field(request_fields(raw), "wording")
    if name not in tuple(Wording):
        raise BadInput(f"a wording is one of {', '.join(Wording)}")
    return Wording(name)


def request_fields(raw: object) -> Mapping[str, Any]:
    """Return the fields of a request."""
    if not isinstance(raw, dict):
        raise BadInput("a request should be a JSON object")
    return cast(dict[str, Any], raw)


def _text_field(fields: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = fields.get(name, default)
    if not isinstance(value, str) or not is_encodable(value):
        raise BadInput(f"{name} should be a text")
    if len(value) > MAX_TEXT_CHARACTERS:
        raise BadInput(f"{name} is longer than {MAX_TEXT_CHARACTERS} characters")
    return value
