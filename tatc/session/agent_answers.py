"""What agents return, checked where it enters a session: what is no answer is its agent's crash."""

from itertools import islice
from math import isfinite
from typing import Any

from tatc.base import errors, files, plain_text
from tatc.commander import Decision
from tatc.home import actions

MAX_TEXT = 100_000  # the longest text that an agent may say or leave, in characters
_FARTHEST_CLICK = 1e6  # fractions of the view; beyond 0 to 1 a click is at its rim


def check_action(given: Any, role: actions.Role) -> actions.Action:
    """Return an agent's action, made of plain values, or raise its AgentCrash."""
    if not isinstance(given, actions.Action):
        raise answer_crash(role, f"it returned {_kind(given)}, which is no Action")
    verb: Any = given.verb
    try:
        verb = actions.Verb(verb)
    except (TypeError, ValueError) as fault:
        why = f"the verb of its action is {_kind(verb)}, which is no Verb"
        raise answer_crash(role, why) from fault
    click, text = given.click, given.text
    if click is not None:
        click = _check_click(click, role)
    if text is not None:
        text = _check_text(text, "the text of its action", role)
    return actions.Action(verb, click, text)


def _check_click(click: Any, role: actions.Role) -> actions.Click:
    try:
        x, y = float(click.x), float(click.y)
    except (AttributeError, OverflowError, TypeError, ValueError) as fault:
        why = f"its click is {_kind(click)} without two numbers x and y"
        raise answer_crash(role, why) from fault
    if not (isfinite(x) and isfinite(y) and max(abs(x), abs(y)) < _FARTHEST_CLICK):
        raise answer_crash(role, f"its click at x {x}, y {y} is no point of the view")
    return actions.Click(x, y)


def _check_text(text: Any, what: str, role: actions.Role) -> str:
    if not isinstance(text, str):
        raise answer_crash(role, f"{what} is {_kind(text)}, which is no text")
    if len(text) > MAX_TEXT:
        why = f"{what} has {len(text):,} characters, and the limit is {MAX_TEXT:,}"
        raise answer_crash(role, why)
    if not plain_text.is_encodable(text):
        why = f"{what} has half of a surrogate pair, which no file can hold"
        raise answer_crash(role, why)
    return "".join((text,))  # of a subclass, the text alone


def check_decisions(given: Any, role: actions.Role) -> list[Decision]:
    """Return a Commander's decisions, or raise its AgentCrash for what no record can hold."""
    found: list[Any] = [] if given is None else list(islice(given, files.MAX_INTERACTIONS + 1))
    if len(found) > files.MAX_INTERACTIONS:
        raise answer_crash(role, f"it has more than {files.MAX_INTERACTIONS:,} decisions")
    for each in found:
        if not isinstance(each, Decision):
            raise answer_crash(role, f"its decision is {_kind(each)}, which is no Decision")
        texts: dict[str, Any] = {name: getattr(each, name) for name in _DECISION_TEXTS}
        texts |= {f"alternative {i}": other for i, other in enumerate(each.alternatives)}
        values: dict[str, Any] = {"cost": each.cost}
        if (key := each.problem_key) is not None:
            texts |= {name: getattr(key, name) for name in _KEY_TEXTS}
            values["desired"] = key.desired
        for name, text in texts.items():
            _check_text(text, name, role)
        for name, value in values.items():
            if not (value is None or isinstance(value, int | str) or isfinite(value)):
                raise answer_crash(role, f"{name} of its decision is {_kind(value)}")
    return found


_DECISION_TEXTS = ("utterance", "policy", "skill", "reason", "fallback_reason")
_KEY_TEXTS = ("object_id", "object_type", "property_name")


def answer_crash(role: actions.Role, why: str) -> errors.AgentCrash:
    """Return the crash of an agent whose answer is of no use."""
    fix = "see docs/tutorial/follower.md" if role is actions.Role.FOLLOWER else ""
    return errors.AgentCrash(f"the {role.name.capitalize()} crashed: {why}", fix=fix)


def _kind(value: object) -> str:
    """Return what a value is, in words; its own may raise, and may be long."""
    name = type(value).__name__
    return "nothing" if value is None else f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
