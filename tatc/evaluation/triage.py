"""Why a session failed, in words that group it with others of its kind."""

import re

from tatc.evaluation.rows import Failure
from tatc.records import Decision
from tatc.session import SessionResult
from tatc.tdl import ProblemKey

_ID = re.compile(r"([A-Za-z]+)((?:\|[-+.\w]*)+)")
_PIECE = re.compile(r"\|([A-Za-z]+)(?:_\d+)?$")
_FIELD = re.compile(r"\b\w+=(?=['\"])")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def failure_of(result: SessionResult) -> Failure:
    """Return what a session without success failed of."""
    told = result.decisions[-1] if result.decisions else None
    keys = result.progress.problem_keys()
    if told is None:
        return Failure(_problem(keys), "", _last_refusal(result), None)
    if told.problem_key is not None:
        _, kind, name, wanted = told.problem_key
        why = told.reason or _last_refusal(result)
        return Failure(
            f"{kind} {name} {wanted}", plain(told.skill), plain(why), told.step
        )
    skill, reason = _split(told)
    about = tuple(key for key in keys if key.object_id in told.reason) or keys
    return Failure(_problem(about), plain(skill), plain(reason), told.step)


def _split(told: Decision) -> tuple[str, str]:
    """Split "Skill('id'): id: reason", or "planner: reason", into who and why."""
    skill, found, reason = told.reason.partition("): ")
    if found:
        return f"{skill})", reason
    who, found, reason = told.reason.partition(": ")
    return (who, reason) if found and "|" not in who else ("", told.reason)


def _problem(keys: tuple[ProblemKey, ...]) -> str:
    if not keys:
        return ""
    first = keys[0]
    return f"{first.object_type} {first.property_name} {first.desired}"


def _last_refusal(result: SessionResult) -> str:
    """Return which kind of action was last refused, or nothing."""
    refused = (done.verb for done in reversed(result.interactions) if not done.success)
    return next((f"{verb} was refused" for verb in refused), "")


def plain(text: str) -> str:
    """Put types for object ids and leave out numbers and field names."""
    text = _FIELD.sub("", _ID.sub(_type, text))
    return _NUMBER.sub("#", text).replace("'", "").replace('"', "")


def _type(match: re.Match[str]) -> str:
    piece = _PIECE.search(match[0])
    return piece[1] if piece else match[1]
