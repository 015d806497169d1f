"""Compared games, cached until all games of a run are compared.

To compare all of TEACh's games takes minutes.  After Ctrl-C or a power cut, the same command
continues where it stopped.  A game is compared again if it was compared by other code or with
another map, or if its file has changed since.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from tatc.atomic_files import make_folder
from tatc.code_identity import code_hash
from tatc.errors import OutputError, os_errors_as
from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, Disagreement
from tatc.evaluation.fidelity.game_fidelity import GameFidelity


class FidelityCache:
    """A file with one line for each game that was compared."""

    def __init__(self, paths: Sequence[Path], map_name: str) -> None:
        """Name the file for games that this code compares with this map."""
        of = [code_hash(), map_name, *(str(path.absolute()) for path in paths)]
        name = sha256("\n".join(of).encode()).hexdigest()[:12]
        self.path = user_data_path("tatc") / "fidelity" / f"{name}.unfinished.jsonl"

    def cached_games(self) -> dict[Path, GameFidelity]:
        """Return the results of games whose files have not changed since."""
        found: dict[Path, GameFidelity] = {}
        for entry in self._entries():
            path = Path(entry["path"])
            if entry["stamp"] == _file_stamp(path):
                found[path] = _read_entry(entry)
        return found

    def add(self, measured: GameFidelity) -> None:
        """Save the result of a game; a file that was skipped is not saved, and is read again.

        Raises:
            OutputError: the file cannot be written.

        """
        if measured.skipped:
            return
        make_folder(self.path.parent)
        with os_errors_as(OutputError, "cannot be written", self.path, fix="make room there"):
            with self.path.open("a", encoding="utf-8") as file:
                # The line before may be torn.
                file.write("\n" + json.dumps(_entry_json(measured)))

    def delete(self) -> None:
        """Delete the file: all games are compared."""
        self.path.unlink(missing_ok=True)

    def _entries(self) -> Iterator[dict[str, Any]]:
        lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        for line in lines:
            try:
                yield json.loads(line)
            except ValueError:  # empty, or torn as it was written
                continue


def _file_stamp(path: Path) -> list[int] | None:
    """Return a value that changes when the file is written, None if there is no file."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return [facts.st_size, facts.st_mtime_ns]


def _entry_json(fidelity: GameFidelity) -> dict[str, Any]:
    tally = fidelity.counts
    return {
        "path": fidelity.path,
        "stamp": _file_stamp(Path(fidelity.path)),
        "plan": fidelity.plan,
        "game": fidelity.game_id,
        "asked": tally.compared,
        "agreed": tally.agreed,
        "apart": [astuple(each) for each in tally.disagreements],
    }


def _read_entry(entry: Mapping[str, Any]) -> GameFidelity:
    apart = [Disagreement(*each) for each in entry["apart"]]
    tally = AgreementCounts(Counter(entry["asked"]), Counter(entry["agreed"]), apart)
    return GameFidelity(entry["path"], entry["plan"], entry["game"], tally)
