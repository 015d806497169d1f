"""Reading the report of a run from its folders."""

from collections.abc import Mapping, Sequence
from os.path import exists
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.evaluation.fidelity.fidelity_report import read_saved_report
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.run_report import RunReport, control_scores

FIDELITY_FILE = "fidelity.json"
"""The file of a run's folder in which `tatc fidelity --out` saves its rates."""

_SHARD_KEYS = ("sessions", "sessions_hash")


def read_report(runs: Sequence[RunFolder]) -> RunReport:
    """Join the shards of one run."""
    identities = [run.identity() for run in runs]
    for run, each in zip(runs, identities, strict=True):
        differing = _differing_keys(identities[0], each)
        if differing:
            why = f"is another run than {runs[0].path}: its {', '.join(differing)} differ"
            fix = "report on them one by one"
            raise BadInput(why, where=str(run.path), fix=fix)
    results = [run.results() for run in runs]
    rows = {row.key: row for each in results for row in each.rows}
    folders = {
        row.key: run.path for run, each in zip(runs, results, strict=True) for row in each.rows
    }
    controls, control_faults = control_scores(runs)
    fidelity, fidelity_fault = _read_fidelity(runs[0].path)
    faults = [fault for each in results for fault in each.faults]
    ordered = tuple(rows[key] for key in sorted(rows))
    unreadable = sum(not row.task for row in ordered)
    return RunReport(
        identity=identities[0],
        expected_sessions=sum(each["sessions"] for each in identities) + unreadable,
        rows=ordered,
        folders=folders,
        seconds={k: v for run in runs for k, v in run.session_seconds().items()},
        wall_seconds=sum(run.wall_seconds() for run in runs),
        controls=controls,
        fidelity=fidelity,
        faults=(*faults, *control_faults, *fidelity_fault),
    )


def _differing_keys(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the keys of two identities that differ, apart from those of shards."""

    def without_shard(identity: Mapping[str, Any], name: str) -> Any:
        value: Any = identity.get(name)
        return value | {"shard": None} if name == "options" else value

    names = [name for name in one if name not in _SHARD_KEYS]
    return [name for name in names if without_shard(one, name) != without_shard(other, name)]


def _read_fidelity(folder: Path) -> tuple[Mapping[str, Any] | None, tuple[str, ...]]:
    """Return the rates saved in a run's folder, None if there are none, and what is wrong."""
    path = folder / FIDELITY_FILE
    if not exists(path):
        return None, ()
    try:
        return read_saved_report(path), ()
    except BadInput as fault:
        return None, (fault.one_line,)
