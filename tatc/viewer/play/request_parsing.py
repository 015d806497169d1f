"""What the page asks for, from JSON: every field is checked before anything happens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tatc.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Role, Verb
from tatc.errors import BadInput
from tatc.sim.object_search import SEARCH_VERBS

MAX_TEXT_CHARACTERS = 2000
"""Letters of what can be said at once."""

ROLES_BY_NAME = {"commander": Role.COMMANDER, "follower": Role.FOLLOWER}
_COMMANDER_TOOLS = (Verb.OPEN_PROGRESS_CHECK, *SEARCH_VERBS)
_ALLOWED_VERBS = {
    Role.COMMANDER: (*MOTION_VERBS, *_COMMANDER_TOOLS, Verb.TEXT),
    Role.FOLLOWER: (*MOTION_VERBS, *INTERACTION_VERBS, Verb.TEXT),
}
_VERBS_WITH_TEXT = (Verb.TEXT, *SEARCH_VERBS)


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A game that is asked for.

    `start` is the id of a session on the shelf, whose start is taken; else `task` and
    `room` ("" for the first that can hold it) say where.  `partner` is an agent's name
    or "person".
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
    """Return the game that is asked for.

    Raises:
        BadInput: a field is missing or impossible.

    """
    fields = request_fields(raw)
    seed = fields.get("seed", 1)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 10**9:
        raise BadInput("a seed is a whole number from 0")
    words = {
        name: _text_field(fields, name, "")
        for name in ("partner", "wording", "task", "params", "room", "start")
    }
    params = tuple(p.strip() for p in words.pop("params").split(",") if p.strip())
    return GameRequest(role=parse_role(fields), params=params, seed=seed, **words)


def parse_role(fields: object) -> Role:
    """Return the part that is asked for.

    Raises:
        BadInput: there is no such part.

    """
    name = _text_field(request_fields(fields), "part")
    if name not in ROLES_BY_NAME:
        raise BadInput("a part is commander or follower")
    return ROLES_BY_NAME[name]


def parse_action(raw: object, role: Role) -> Action:
    """Return what a person wants to do.

    Raises:
        BadInput: the part cannot do it, or a field is missing or impossible.

    """
    fields = request_fields(raw)
    name = _text_field(fields, "verb")
    verb = next((each for each in _ALLOWED_VERBS[role] if each.value == name), None)
    if verb is None:
        raise BadInput(f"{name!r} is nothing that the {role.name.lower()} can do")
    if verb in INTERACTION_VERBS:
        return Action(verb, parse_click(fields))
    if verb in _VERBS_WITH_TEXT:
        return Action(verb, text=_spoken_text(fields))
    return Action(verb)


def parse_click(raw: object) -> Click:
    """Return a point of the Follower's view.

    Raises:
        BadInput: it is none.

    """
    fields = request_fields(raw)
    x, y = fields.get("x"), fields.get("y")
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        raise BadInput("a click has x and y")
    if not (0 <= x < 1 and 0 <= y < 1):
        raise BadInput("a click lies in the picture: x and y from 0 to below 1")
    return Click(min(round(float(x), 4), 0.999), min(round(float(y), 4), 0.999))


def _spoken_text(fields: Mapping[str, Any]) -> str:
    text = " ".join(_text_field(fields, "text").split())
    if not text:
        raise BadInput("there are no words")
    return text


def request_fields(raw: object) -> Mapping[str, Any]:
    """Return the fields of what is asked for.

    Raises:
        BadInput: it is no JSON object.

    """
    if not isinstance(raw, dict):
        raise BadInput("what is asked for should be a JSON object")
    return cast(dict[str, Any], raw)


def _text_field(fields: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = fields.get(name, default)
    if not isinstance(value, str):
        raise BadInput(f"{name} should be words")
    if len(value) > MAX_TEXT_CHARACTERS:
        raise BadInput(f"{name} is longer than {MAX_TEXT_CHARACTERS} letters")
    return value
