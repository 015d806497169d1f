"""What the page asks for, from JSON: every field is checked before anything happens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tatc.actions import INTERACTIONS, MOTIONS, Action, Click, Role, Verb
from tatc.errors import BadInput
from tatc.sim.searching import TOOLS

LONGEST = 2000
"""Letters of what can be said at once."""

PARTS = {"commander": Role.COMMANDER, "follower": Role.FOLLOWER}
_TOOLS = (Verb.OPEN_PROGRESS_CHECK, *TOOLS)
_VERBS = {
    Role.COMMANDER: (*MOTIONS, *_TOOLS, Verb.TEXT),
    Role.FOLLOWER: (*MOTIONS, *INTERACTIONS, Verb.TEXT),
}
_SPEAKING = (Verb.TEXT, *TOOLS)


@dataclass(frozen=True, slots=True)
class Wish:
    """A game that is asked for.

    `start` is the id of a session on the shelf, whose start is taken; else `task` and
    `room` ("" for the first that can hold it) say where.  `partner` is an agent's name
    or "person".
    """

    part: Role
    partner: str
    wording: str
    task: str
    params: tuple[str, ...]
    room: str
    seed: int
    start: str


def parse_wish(raw: object) -> Wish:
    """Return the game that is asked for.

    Raises:
        BadInput: a field is missing or impossible.

    """
    fields = fields_of(raw)
    seed = fields.get("seed", 1)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 10**9:
        raise BadInput("a seed is a whole number from 0")
    words = {
        name: _words(fields, name, "")
        for name in ("partner", "wording", "task", "params", "room", "start")
    }
    params = tuple(p.strip() for p in words.pop("params").split(",") if p.strip())
    return Wish(part=parse_part(fields), params=params, seed=seed, **words)


def parse_part(fields: object) -> Role:
    """Return the part that is asked for.

    Raises:
        BadInput: there is no such part.

    """
    name = _words(fields_of(fields), "part")
    if name not in PARTS:
        raise BadInput("a part is commander or follower")
    return PARTS[name]


def parse_action(raw: object, role: Role) -> Action:
    """Return what a person wants to do.

    Raises:
        BadInput: the part cannot do it, or a field is missing or impossible.

    """
    fields = fields_of(raw)
    name = _words(fields, "verb")
    verb = next((each for each in _VERBS[role] if each.value == name), None)
    if verb is None:
        raise BadInput(f"{name!r} is nothing that the {role.name.lower()} can do")
    if verb in INTERACTIONS:
        return Action(verb, parse_click(fields))
    if verb in _SPEAKING:
        return Action(verb, text=_said(fields))
    return Action(verb)


def parse_click(raw: object) -> Click:
    """Return a point of the Follower's view.

    Raises:
        BadInput: it is none.

    """
    fields = fields_of(raw)
    x, y = fields.get("x"), fields.get("y")
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        raise BadInput("a click has x and y")
    if not (0 <= x < 1 and 0 <= y < 1):
        raise BadInput("a click lies in the picture: x and y from 0 to below 1")
    return Click(min(round(float(x), 4), 0.999), min(round(float(y), 4), 0.999))


def _said(fields: Mapping[str, Any]) -> str:
    text = " ".join(_words(fields, "text").split())
    if not text:
        raise BadInput("there are no words")
    return text


def fields_of(raw: object) -> Mapping[str, Any]:
    """Return the fields of what is asked for.

    Raises:
        BadInput: it is no JSON object.

    """
    if not isinstance(raw, dict):
        raise BadInput("what is asked for should be a JSON object")
    return cast(dict[str, Any], raw)


def _words(fields: Mapping[str, Any], name: str, otherwise: str | None = None) -> str:
    value = fields.get(name, otherwise)
    if not isinstance(value, str):
        raise BadInput(f"{name} should be words")
    if len(value) > LONGEST:
        raise BadInput(f"{name} is longer than {LONGEST} letters")
    return value
