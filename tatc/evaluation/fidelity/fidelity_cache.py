"""Compared games, cached until all games of a run are compared.

Comparing all of TEACh's games takes minutes.  After Ctrl-C or a power cut, the same command
continues where it stopped.  A game is compared again if it was compared by other code or with
another map, or if its file has changed since.  A line has a hash of itself, so that one that was
damaged, or changed by hand, is measured again, whatever it says.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from tatc.base import code_identity, files, json_fields, json_lines
from tatc.evaluation.fidelity import agreement_counts, game_fidelity

_MAX_PLAN = 200  # characters


class FidelityCache:
    """A file with a line for each game of a run that was compared."""

    def __init__(self, paths: Sequence[Path], map_name: str) -> None:
        """Name the file for games that this code compares with this map."""
        self._paths = frozenset(paths)
        of = [code_identity.code_hash(), map_name, *(str(path.absolute()) for path in paths)]
        name = sha256("\n".join(of).encode(errors="surrogatepass")).hexdigest()[:12]
        self.path = user_data_path("tatc") / "fidelity" / f"{name}.unfinished.jsonl"

    def cached_games(self) -> dict[Path, game_fidelity.GameFidelity]:
        """Return the results of games whose files are unchanged; damaged lines are passed over."""
        found: dict[Path, game_fidelity.GameFidelity] = {}
        for stamp, measured in json_lines.read_entries(self.path, files.CACHE_LINE, _read_entry):
            path = Path(measured.path)
            if path in self._paths and stamp == _file_stamp(path):
                found[path] = measured
        return found

    def add(self, measured: game_fidelity.GameFidelity) -> None:
        """Save the result of a game; a file that was skipped is not saved, and is read again."""
        if measured.skipped:
            return
        tally = measured.counts
        entry = {
            "path": measured.path,
            "stamp": _file_stamp(Path(measured.path)),
            "plan": measured.plan,
            "game": measured.game_id,
            "asked": tally.compared,
            "agreed": tally.agreed,
            "apart": [astuple(each) for each in tally.disagreements],
        }
        files.make_folder(self.path.parent)
        json_lines.add_entry(entry | {"hash": entry_hash(entry)}, self.path)

    def delete(self) -> None:
        """Delete the file: all games are compared."""
        self.path.unlink(missing_ok=True)


def _file_stamp(path: Path) -> list[int] | None:
    """Return a value that changes when the file is written, None if there is no file."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return [facts.st_size, facts.st_mtime_ns]


def entry_hash(entry: Mapping[str, Any]) -> str:
    """Return the hash of a line's entry, without the one that it holds."""
    hashed = {name: value for name, value in entry.items() if name != "hash"}
    return sha256(json.dumps(hashed, sort_keys=True).encode()).hexdigest()[:16]


def _read_entry(entry: Mapping[str, Any]) -> tuple[list[int], game_fidelity.GameFidelity]:
    if entry.get("hash") != entry_hash(entry):
        raise json_fields.FieldError("hash", "is not that of the line")
    numbers = json_fields.as_list(entry.get("stamp"), "stamp")
    stamp = [json_fields.as_integer(each, "stamp") for each in numbers]
    listed = json_fields.as_list(entry.get("apart"), "apart")
    apart = json_fields.read_each(listed, _read_disagreement, "apart")
    compared, agreed = _read_counts(entry, "asked"), _read_counts(entry, "agreed")
    if any(count > compared[name] for name, count in agreed.items()):
        raise json_fields.FieldError("agreed", "has more than was compared")
    tally = agreement_counts.AgreementCounts(compared, agreed, apart)
    path, plan, game = (json_fields.get_text(entry, name) for name in ("path", "plan", "game"))
    if len(plan) > _MAX_PLAN:
        raise json_fields.FieldError("plan", "is too long")
    return stamp, game_fidelity.GameFidelity(path, plan, game, tally)


def _read_counts(entry: Mapping[str, Any], field: str) -> Counter[str]:
    given = json_fields.as_mapping(entry.get(field), field)
    return Counter({name: json_fields.as_count(count, field) for name, count in given.items()})


def _read_disagreement(raw: object) -> agreement_counts.Disagreement:
    values = json_fields.as_list(raw, "")
    if len(values) != len(fields(agreement_counts.Disagreement)):
        raise json_fields.FieldError("", "has another number of fields")
    *texts, index = values
    words = (json_fields.as_text(each, "") for each in texts)
    return agreement_counts.Disagreement(*words, index=json_fields.as_integer(index, ""))
