"""A disk that is full: one line that names the file, and the same command continues later.

`/dev/full` refuses every write, as a full disk does.
"""

from pathlib import Path

import pytest

from tatc.base.errors import OutputError
from tatc.evaluation.runs.job_runners import JobResult
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_folder import RESULTS_FILE, RunFolder
from tests.command_line import run_tatc

FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


def test_a_result_that_finds_no_room_names_the_file(tmp_path: Path) -> None:
    (tmp_path / RESULTS_FILE).symlink_to(FULL)
    row = SessionRow(key="a", task="Coffee", params=(), place="kitchen-01", kind="", split="")
    with pytest.raises(OutputError, match=r"results\.jsonl: cannot be written: No space left"):
        RunFolder(tmp_path).add(JobResult(row), 0.0)


def test_a_list_of_instances_that_finds_no_room_is_named(
    tmp_path: Path, sample_games: list[Path]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".done.jsonl").symlink_to(FULL)
    words = ["instances", str(sample_games[0]), "--kind", "edh", "--out", str(out), "--force"]
    done = run_tatc(*words)
    assert done.exit_code == 2
    assert "/.done.jsonl: cannot be written: No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1
