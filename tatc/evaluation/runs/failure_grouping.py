"""Why a session failed: in words without names and numbers, so that failures group."""

import re
from collections import Counter
from collections.abc import Mapping

from tatc.evaluation.runs import rows
from tatc.home import actions, refusals
from tatc.session import records, session_types
from tatc.tdl import ProblemKey

_OBJECT_ID = re.compile(r"(?<![A-Za-z])([A-Za-z]+)((?:\|[-+.\w]*)+)")
_PIECE_TYPE = re.compile(r"\|([A-Za-z]+)(?:_\d+)?$")
_FIELD_NAME = re.compile(r"\b\w+=(?=['\"])")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def count_refusal(counts: Counter[str], event: session_types.SessionEvent) -> None:
    """Count why an action of the Follower's was refused, in plain words."""
    done, result = event.interaction, event.result
    if result is not None and not result.success and done.role is actions.Role.FOLLOWER:
        why = result.hint or generalise_text(result.message)
        counts[f"{done.verb} was refused: {why.rstrip('.')}"] += 1


def failure_of(
    result: session_types.SessionResult, refused: Mapping[str, int] | None = None
) -> rows.SessionFailure:
    """Return why a session that did not succeed failed; where nobody said why, what was `refused`.

    That is the most frequent refusal that `count_refusal` counted.
    """
    refusal = max(refused, key=lambda why: refused[why]) if refused else _last_refusal(result)
    decision = result.decisions[-1] if result.decisions else None
    keys = result.progress.problem_keys()
    if result.end in (records.SessionEnd.BUDGET_SPENT, records.SessionEnd.MODEL_FAILED):
        why = result.model_calls[-1].why or "no tool call in its answers"
        return rows.SessionFailure(_format_problem(keys), "", why, None)
    if decision is None:
        return rows.SessionFailure(_format_problem(keys), "", refusal, None)
    if decision.problem_key is not None:
        _, kind, name, wanted = decision.problem_key
        why = generalise_text(decision.reason or refusal)
        skill, code = generalise_text(decision.skill), refusals.refusal_code_of(decision.reason)
        quoted = "" if code is refusals.RefusalCode.UNKNOWN else code.value
        return rows.SessionFailure(f"{kind} {name} {wanted}", skill, why, decision.step + 1, quoted)
    skill, reason = _split_reason(decision)
    about = tuple(key for key in keys if key.object_id in decision.reason) or keys
    skill, reason = map(generalise_text, (skill, reason))
    return rows.SessionFailure(_format_problem(about), skill, reason, decision.step + 1)


def _split_reason(decision: records.RecordedDecision) -> tuple[str, str]:
    """Split "Skill('id'): id: reason", or "planner: reason", into its first part and the reason."""
    skill, found, reason = decision.reason.partition("): ")
    if found:
        return f"{skill})", reason
    who, found, reason = decision.reason.partition(": ")
    return (who, reason) if found and "|" not in who else ("", decision.reason)


def _format_problem(keys: tuple[ProblemKey, ...]) -> str:
    return next((f"{each.object_type} {each.property_name} {each.desired}" for each in keys), "")


def _last_refusal(result: session_types.SessionResult) -> str:
    # A check that is not met, and a search that finds nothing, are answers.
    tried = (each for each in reversed(result.interactions) if each.verb in actions.PRIMITIVE_VERBS)
    refused = (done.verb for done in tried if not done.success)
    return next((f"{verb} was refused" for verb in refused), "")


def generalise_text(text: str) -> str:
    """Replace object ids by their types, and leave out numbers and field names."""
    text = _FIELD_NAME.sub("", _OBJECT_ID.sub(_type_of_match, text))
    return _NUMBER.sub("#", text).replace("'", "").replace('"', "")


def _type_of_match(match: re.Match[str]) -> str:
    piece = _PIECE_TYPE.search(match[0])
    return piece[1] if piece else match[1]
