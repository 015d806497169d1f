"""Rows of a run and claims of a record that are forged: what is counted, and what is verified."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.fuzz.functions import ReaderFault
from tatc.base.files import GAME, read_json

ROWS, CLAIMS = "forged.jsonl", "claims.json"
_HONEST, _OLDER = "run", "older"
_RECORD = "honest.game.json"
_CLAIMED = ("end", "success", "gc_total", "gc_satisfied", "decisions")


def make_forged(folder: Path) -> None:
    """Take a run, as it is and as if it were older, and a record; their claims lie beside them."""
    shutil.copytree(folder.parent / "run" / "run", folder / _HONEST)
    shutil.copytree(folder / _HONEST, folder / _OLDER)
    identity = json.loads((folder / _OLDER / "run.json").read_text("utf-8"))
    (folder / _OLDER / "run.json").write_text(json.dumps(identity | {"format": "tatc-run-1"}))
    shutil.copy(folder / _HONEST / "results.jsonl", folder / ROWS)
    shutil.copy(next((folder.parent / "games").glob("*.game.json")), folder / _RECORD)
    claims = json.loads((folder / _RECORD).read_text("utf-8"))["tatc"]
    (folder / CLAIMS).write_text(json.dumps({name: claims[name] for name in _CLAIMED}))


def count_forged_rows() -> None:
    """Report on a run with forged rows: those that it did not write never count."""
    from tatc.evaluation.runs.run_folder import RunFolder
    from tatc.evaluation.runs.run_report import read_report

    honest = RunFolder(Path(_HONEST)).rows()
    for name in (_HONEST, _OLDER):
        shutil.copy(ROWS, Path(name) / "results.jsonl")
        counted = read_report([RunFolder(Path(name))]).executed_rows
        if name == _HONEST and (strange := set(counted).difference(honest)):
            raise ReaderFault(f"counts a row that the run did not write: {strange.pop()}")
        for row in counted:
            if row.success and (row.after.unmet or not row.after.total):
                raise ReaderFault(f"counts a success with unmet conditions: {row}")
            if len([each for each in counted if each.key == row.key]) > 1:
                raise ReaderFault(f"counts a session twice: {row.key}")


def verify_forged_record() -> None:
    """Verify a record with other claims than it was made with: they are never believed."""
    from tatc.session.records import read_record
    from tatc.session.session_record import replay_record
    from tatc.sim.embedded.simulator import EmbeddedSimulator
    from tatc.tdl import shipped_library

    honest = read_record(_RECORD)
    document = json.loads(Path(_RECORD).read_text("utf-8"))
    claims: Any = read_json(Path(CLAIMS), GAME)
    document["tatc"] |= claims if isinstance(claims, dict) else {"end": claims}
    Path("forged.game.json").write_text(json.dumps(document))
    forged = read_record("forged.game.json")
    task = shipped_library().compile(forged.task_name, forged.task_params)
    found = replay_record(forged, EmbeddedSimulator(), task)
    told = replace(forged, decisions=honest.decisions)
    crashed = told == replace(honest, end=forged.end) and forged.end.value == "crashed"
    if found.is_same and told != honest and not crashed:
        raise ReaderFault(f"verified {forged}, which is {honest}")
