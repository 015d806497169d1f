"""Reads rows of results, every field checked: a run's folder may come from elsewhere."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import PurePosixPath
from typing import Any

from tatc.base.json_fields import (
    FieldError,
    as_integer,
    as_list,
    as_mapping,
    as_number,
    faults_under,
    get_flag,
    short_repr,
)
from tatc.evaluation.runs.eval_options import TATC, TRUE_GOAL
from tatc.evaluation.runs.instance_dialogue import DialogueSource
from tatc.evaluation.runs.rows import (
    ALFRED_BENCHMARK,
    NO_GOAL_CONDITIONS,
    SessionFailure,
    SessionRow,
)
from tatc.evaluation.scoring import GoalConditionCounts
from tatc.home.percepts import PerceptionLevel
from tatc.home.state import RoomKind
from tatc.session.records import Benchmark, SessionEnd

_MAX_COUNT = 10**12
_MAX_PARAMS = 100
_FIELD_NAMES = frozenset(each.name for each in fields(SessionRow))
_FAILURE_FIELD_NAMES = frozenset(each.name for each in fields(SessionFailure))


def read_row(raw: object) -> SessionRow:
    """Return the row of which `SessionRow.to_json` returned this JSON.

    A field that was not there yet when the row was written has its default.

    Raises:
        FieldError: a field is missing, unknown or impossible.

    """
    row = as_mapping(raw, "")
    if strange := row.keys() - _FIELD_NAMES:
        raise FieldError(short_repr(min(strange)), "is no field of a result")
    end, skipped = _get_name(row, "end", ("", *SessionEnd)), _get_text(row, "skipped")
    if not end and not skipped:
        raise FieldError("end", "is missing")
    return SessionRow(
        key=_get_text(row, "key", empty=False),
        task=_get_text(row, "task"),
        params=tuple(
            _as_text(each, "params") for each in as_list(row.get("params"), "params", _MAX_PARAMS)
        ),
        place=_get_text(row, "place"),
        kind=_get_name(row, "kind", ("", *RoomKind)),
        split=_get_text(row, "split"),
        game=_get_optional_text(row, "game"),
        source=_get_optional_text(row, "source"),
        seed=as_integer(row.get("seed", 1), "seed"),
        skipped=skipped,
        end=end,
        before=_get_goal_conditions(row, "before"),
        after=_get_goal_conditions(row, "after"),
        commander_actions=_get_count(row, "commander_actions"),
        follower_actions=_get_count(row, "follower_actions"),
        steps=_get_count(row, "steps"),
        failed_actions=_get_count(row, "failed_actions"),
        opened=_get_count(row, "opened"),
        bumped=_get_count(row, "bumped"),
        shut=get_flag(row, "shut"),
        human_actions=_get_optional_count(row, "human_actions"),
        bound=_get_optional_count(row, "bound"),
        failure=_get_failure(row),
        record=_get_file(row, "record"),
        crash=_get_file(row, "crash"),
        benchmark=_get_name(row, "benchmark", (TATC, ALFRED_BENCHMARK, *Benchmark), TATC),
        stopped=get_flag(row, "stopped"),
        starts=_get_count(row, "starts"),
        finished=_get_count(row, "finished"),
        perception=_get_name(row, "perception", ("", *PerceptionLevel)),
        goal=_get_name(row, "goal", ("", TRUE_GOAL)),
        feedback=_get_count(row, "feedback"),
        questions=_get_optional_count(row, "questions"),
        speaker_seed=_get_optional_count(row, "speaker_seed"),
        typos=None if row.get("typos") is None else as_number(row["typos"], "typos", 1.0),
        dialogue=_get_name(row, "dialogue", ("", *DialogueSource)),
        understanding=_get_text(row, "understanding"),
        memory=_get_text(row, "memory"),
        models=_get_text(row, "models"),
        model_calls=_get_count(row, "model_calls"),
        model_tokens=_get_count(row, "model_tokens"),
    )


def _get_failure(row: Mapping[str, Any]) -> SessionFailure | None:
    if row.get("failure") is None:
        return None
    failure = as_mapping(row["failure"], "failure")
    with faults_under("failure"):
        if strange := failure.keys() - _FAILURE_FIELD_NAMES:
            raise FieldError(short_repr(min(strange)), "is no field of a failure")
        return SessionFailure(
            _get_text(failure, "problem"),
            _get_text(failure, "skill"),
            _get_text(failure, "reason"),
            _get_optional_count(failure, "step"),
            _get_text(failure, "refusal"),
        )


def _get_goal_conditions(row: Mapping[str, Any], field: str) -> GoalConditionCounts:
    """Return goal conditions; in a cascaded run, fewer than none may be met."""
    if field not in row:
        return NO_GOAL_CONDITIONS
    counts = as_mapping(row[field], field)
    with faults_under(field):
        met = as_integer(counts.get("met"), "met")
        if abs(met) > _MAX_COUNT:
            raise FieldError("met", f"is impossible: {met}")
        return GoalConditionCounts(_get_count(counts, "total"), met)


def _get_file(row: Mapping[str, Any], field: str) -> str | None:
    """Return the name of a file in the run's folder, None if there is none."""
    name = _get_optional_text(row, field)
    if name is not None:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or set(name) & set("\\\0") or not path.parts:
            raise FieldError(field, f"is outside the run's folder: {short_repr(name)}")
    return name


def _get_count(row: Mapping[str, Any], field: str) -> int:
    count = as_integer(row.get(field, 0), field)
    if not 0 <= count <= _MAX_COUNT:
        raise FieldError(field, f"is impossible: {short_repr(count)}")
    return count


def _get_optional_count(row: Mapping[str, Any], field: str) -> int | None:
    return None if row.get(field) is None else _get_count(row, field)


def _get_text(row: Mapping[str, Any], field: str, *, empty: bool = True) -> str:
    text = _as_text(row.get(field, ""), field)
    if not text and not empty:
        raise FieldError(field, "is missing")
    return text


def _get_optional_text(row: Mapping[str, Any], field: str) -> str | None:
    return None if row.get(field) is None else _get_text(row, field)


def _get_name(row: Mapping[str, Any], field: str, known: tuple[str, ...], default: str = "") -> str:
    name = _as_text(row.get(field, default), field)
    if name not in known:
        raise FieldError(field, f"is unknown: {short_repr(name)}")
    return name


def _as_text(value: object, field: str) -> str:
    """Return a text that can be printed; the bytes of a file's name need not be UTF-8."""
    if not isinstance(value, str):
        raise FieldError(field, f"should be a text, is {short_repr(value)}")
    return value.encode("utf-8", "backslashreplace").decode()
