"""What is found: runs, records, games; each fault in its own place."""

import json
import os
from pathlib import Path
from shutil import copytree

import pytest

from tatc.apps.viewer.session_index import EntryKind, open_session_index
from tatc.base.errors import BadInput
from tests.command_line import forget_marks, run_tatc


def test_a_run_gives_its_sessions_with_their_figures(run_folder: Path) -> None:
    entries = open_session_index([run_folder]).entries
    assert [each.id for each in open_session_index([run_folder]).entries] == [
        each.id for each in entries
    ]
    assert len(entries) == 4
    assert {each.task for each in entries} == {"Coffee", "Water Plant"}
    for each in entries:
        assert (each.kind, each.source) == (EntryKind.RUN, str(run_folder))
        assert (each.end, each.met, each.error) == ("success", each.total, "")
        assert each.agents == ("rule", "rule")
        assert each.path is not None and each.path.is_file()


def test_shards_are_found_in_the_folder_that_holds_them(run_folder: Path, tmp_path: Path) -> None:
    for name in ("shard-1-of-2", "shard-2-of-2"):
        copytree(run_folder, tmp_path / name)
    entries = open_session_index([tmp_path]).entries
    assert len(entries) == len({each.id for each in entries}) == 8
    assert {Path(each.source).name for each in entries} == {"shard-1-of-2", "shard-2-of-2"}


def test_the_path_of_a_record_need_not_be_text(record: Path, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"\xff.game.json")
    odd.write_bytes(record.read_bytes())
    (tmp_path / "a.game.json").write_bytes(record.read_bytes())
    entries = open_session_index([tmp_path]).entries
    assert len({each.id for each in entries}) == 2 and not any(each.error for each in entries)


def test_the_same_start_makes_a_pair(run_folder: Path, record: Path) -> None:
    *of_run, single = open_session_index([run_folder, record]).entries
    assert single.kind is EntryKind.RECORD
    assert sum(each.pair_key == single.pair_key for each in of_run) == 1


def test_a_fault_stands_in_its_own_place(damaged: Path) -> None:
    found = {each.key: each for each in open_session_index([damaged]).entries}
    assert len(found) == 4
    faults = [each.error for each in found.values() if each.error]
    assert len(faults) == 3
    assert any("newer" in fault and "update tatc" in fault for fault in faults)
    assert any("cut" in fault and "is not JSON" in fault for fault in faults)
    assert any("other" in fault and "not a game" in fault for fault in faults)
    [whole] = [each for each in found.values() if not each.error]
    assert whole.task == "Coffee" and whole.end == "success"


def test_an_empty_run_is_an_empty_index_and_a_damaged_one_leaves_the_others(
    run_folder: Path, tmp_path: Path
) -> None:
    copytree(run_folder, tmp_path / "run")
    results = tmp_path / "run" / "results.jsonl"
    whole = results.read_text()
    results.write_text("")
    assert open_session_index([tmp_path / "run"]).entries == ()
    with pytest.raises(BadInput):
        open_session_index([tmp_path / "nothing"])
    results.write_text("{\n" + whole)
    broken, *rest = open_session_index([tmp_path / "run", run_folder]).entries
    assert "line 1" in broken.error and broken.path is None
    assert len(rest) == 8 and not any(each.error for each in rest)


@pytest.mark.parametrize("told", ["[]", "5", '{"options": 5}', '{"options": {"setup": []}}', "{"])
def test_what_a_run_tells_of_itself_may_be_nonsense(
    run_folder: Path, tmp_path: Path, told: str
) -> None:
    copytree(run_folder, tmp_path / "run")
    (tmp_path / "run" / "run.json").write_text(told)
    fault, *entries = open_session_index([tmp_path / "run"]).entries
    assert "run.json: " in fault.error and fault.path is None
    assert len(entries) == 4 and {each.agents for each in entries} == {("", "")}


@pytest.mark.parametrize(
    ("record", "why"),
    [
        *[(path, "outside the run") for path in ("../secret", "/etc/passwd", "nul\0")],
        ("records/../../secret", "outside the run"),
        (5, "should be a text"),
    ],
)
def test_a_run_cannot_name_files_outside_its_folder(
    run_folder: Path, tmp_path: Path, record: object, why: str
) -> None:
    copytree(run_folder, tmp_path / "run")
    (tmp_path / "secret").write_text("secret")
    results = tmp_path / "run" / "results.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    rows[0]["record"] = record
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    forget_marks(tmp_path / "run")
    first, *rest = open_session_index([tmp_path / "run"]).entries
    assert first.path is None and why in first.error
    assert all(each.path for each in rest)


def test_a_link_that_leads_out_of_a_run_is_not_followed(
    run_folder: Path, record: Path, tmp_path: Path
) -> None:
    copytree(run_folder, tmp_path / "run")
    secret = tmp_path / "secret.game.json.gz"
    secret.write_bytes(record.read_bytes())
    inside = tmp_path / "run" / "records" / record.name
    inside.unlink()
    inside.symlink_to(secret)
    faults = [each.error for each in open_session_index([tmp_path / "run"]).entries]
    assert sum("outside the run" in fault for fault in faults) == 1


def test_recorded_games_are_told_from_records(sample_games: list[Path]) -> None:
    entries = open_session_index([path.parent for path in sample_games[:1]]).entries
    assert len(entries) == len(sample_games)
    assert {each.kind for each in entries} == {EntryKind.GAME}
    assert all(each.agents == ("people", "people") for each in entries)


def test_where_nothing_can_be_read_nothing_is_served(tmp_path: Path) -> None:
    (tmp_path / "other.game.json").write_text('{"a": 1}')
    done = run_tatc("view", tmp_path / "other.game.json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("left out: ") and done.stderr.count("\n") == 1
