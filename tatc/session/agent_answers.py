"""What agents return, checked where it enters a session: what is no answer is its agent's crash."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from math import isfinite
from typing import Any

from tatc.base import errors, plain_text
from tatc.commander import Decision
from tatc.home import actions
from tatc.tdl import ProblemKey

MAX_TEXT = 100_000
"""The longest text that an agent may say or leave, in characters."""
_FARTHEST_CLICK = 1e6  # fractions of the view; beyond 0 to 1 a click is at its rim
MAX_DECISIONS = 10_000
"""How many decisions of a session are kept; its utterances are fewer."""


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
        raise answer_crash(role, f"its click is {_kind(click)}, which is no Click") from fault
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


def check_decisions(given: Any, role: actions.Role) -> Sequence[Decision]:
    """Return a Commander's decisions, or raise its AgentCrash for what no record can hold."""
    found: list[object] = [] if given is None else list(islice(given, MAX_DECISIONS + 1))
    if len(found) > MAX_DECISIONS:
        raise answer_crash(role, f"it has more than {MAX_DECISIONS:,} decisions")
    return [_check_decision(each, role) for each in found]


def _check_decision(given: Any, role: actions.Role) -> Decision:
    if not isinstance(given, Decision):
        raise answer_crash(role, f"its decision is {_kind(given)}, which is no Decision")
    key: Any = given.problem_key
    if key is not None and not isinstance(key, ProblemKey):
        raise answer_crash(role, f"problem_key of its decision is {_kind(key)}, which is no key")
    texts = {name: _check_text(getattr(given, name), name, role) for name in _DECISION_TEXTS}
    others = tuple(_check_text(each, "an alternative", role) for each in given.alternatives)
    for name in () if key is None else ("object_id", "object_type", "property_name"):
        _check_text(getattr(key, name), name, role)
    for name, value in (("cost", given.cost), ("desired", 0 if key is None else key.desired)):
        if not (value is None or isinstance(value, int | str) or isfinite(value)):
            raise answer_crash(role, f"{name} of its decision is {_kind(value)}")
    return replace(given, **texts, alternatives=others)


_DECISION_TEXTS = ("utterance", "policy", "skill", "reason", "fallback_reason")


def answer_crash(role: actions.Role, why: str) -> errors.AgentCrash:
    """Return the crash of an agent whose answer is of no use."""
    fix = "see docs/tutorial/follower.md" if role is actions.Role.FOLLOWER else ""
    return errors.AgentCrash(f"the {role.name.capitalize()} crashed: {why}", fix=fix)


def _kind(value: object) -> str:
    """Return what a value is, in words; its own may raise, and may be long."""
    return "nothing" if value is None else f"a {type(value).__name__}"
