"""`tatc eval` and `tatc report`: from the command line to figures, pages and tables."""

import json
import re
from collections import Counter
from csv import DictReader
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tatc.evaluation.fidelity.agreement_counts import AgreementCounts
from tatc.evaluation.fidelity.fidelity_report import FidelityReport, save_report
from tatc.evaluation.fidelity.game_fidelity import GameFidelity
from tests.command_line import run_tatc

KEYS = {
    *("sessions", "success_rate", "goal_condition_rate", "plw_success_rate"),
    *("actions_ratio", "crashed", "seconds"),
}


def _eval(out: Path, *words: str) -> Result:
    room = ("--room", "kitchen-12", "--tasks", "coffee,water plant")
    return run_tatc("eval", *room, "--out", str(out), *words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "run"
    done = _eval(out, "--controls", "--seeds", "1")
    assert done.exit_code == 0, done.output
    return out


def test_json_has_the_figures_and_those_of_each_task(folder: Path) -> None:
    done = run_tatc("report", str(folder), "--json")
    value: dict[str, Any] = json.loads(done.stdout)
    assert value.keys() >= KEYS
    assert set(value["per_task"]) == {"Coffee", "Water Plant"}
    for each in value["per_task"].values():
        assert each.keys() >= KEYS
    assert value["sessions"] == 2 == sum(each["sessions"] for each in value["per_task"].values())
    assert value["plw_success_rate"] is None, "there is no recorded session"
    assert set(value["controls"]) == {"shifted", "never-opens", "straight"}
    assert value["run"]["map"] == "shipped" and value["expected"] == 2


def test_eval_again_gives_the_same_and_runs_nothing(folder: Path) -> None:
    before = (folder / "timings.jsonl").read_bytes()
    done = _eval(folder, "--seeds", "1", "--json")
    told = json.loads(done.stdout)
    again = json.loads(run_tatc("report", str(folder), "--json").stdout)
    assert told.pop("folder") == str(folder)
    assert told == again
    assert (folder / "timings.jsonl").read_bytes() == before


def test_the_table_stands_beside_what_was_published(folder: Path) -> None:
    text = run_tatc("report", str(folder)).stdout
    assert re.search(r"^Coffee +1 .* 54\.55 .* 120 +72 ", text, re.MULTILINE)
    assert re.search(r"^overall +2 .* 44\.42 ", text, re.MULTILINE)
    assert "pooled over its sessions of these tasks" in text
    assert "embedded world, not AI2-THOR" in text
    assert "Negative controls" in text and "never-opens" in text
    assert "pooled (TEACh's code)" in text and "mean (TEACh's paper)" in text


def test_the_page_is_whole_and_fetches_nothing(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run_tatc("report", str(folder), "--html", str(page)).exit_code == 0
    text = page.read_text("utf-8")
    assert text.startswith("<!doctype html>") and text.count("<svg") >= 1
    links = set(re.findall(r"https?://[^\"' <)]+", text))
    assert links <= {"http://www.w3.org/2000/svg"}
    assert "<script" not in text and "<link" not in text
    done = run_tatc("report", str(folder), "--html", str(page))
    assert done.exit_code == 2 and "--force" in done.stderr


def test_the_page_links_to_the_step_at_which_a_session_failed(tmp_path: Path) -> None:
    words = ("--commander", "tests.evaluation.runs.agents:Stops", "--seeds", "1-2")
    done = _eval(tmp_path / "run", *words)
    assert done.exit_code == 0, done.output
    page, site = tmp_path / "page.html", tmp_path / "the site"
    done = run_tatc("report", str(tmp_path / "run"), "--html", str(page), "--site", str(site))
    assert done.exit_code == 0, done.output
    links = re.findall(r'href="the%20site/session.html\?s=(\w+)#step=\d+"', page.read_text("utf-8"))
    assert len(links) == 3, "one for each kind of failure, of four sessions"
    written = {path.stem for path in (site / "data" / "session").iterdir()}
    assert written == set(links)
    assert (site / "session.html").exists()


def test_a_site_goes_with_a_page(folder: Path, tmp_path: Path) -> None:
    done = run_tatc("report", str(folder), "--site", str(tmp_path / "site"))
    assert done.exit_code == 2 and "--html" in done.stderr


def test_the_table_of_sessions(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "sessions.csv"
    assert run_tatc("report", str(folder), "--csv", str(path)).exit_code == 0
    with path.open(newline="") as file:
        rows = list(DictReader(file))
    assert [row["task"] for row in rows] == ["Coffee", "Water Plant"]
    assert all(row["steps"].isdigit() and row["bound"].isdigit() for row in rows)


def test_fidelity_is_shown_where_it_was_measured(folder: Path) -> None:
    assert "was not measured for this run" in run_tatc("report", str(folder)).stdout
    path = folder / "fidelity.json"
    report = FidelityReport()
    report.add(GameFidelity("a", "FloorPlan1", "a", AgreementCounts(Counter(clicks=8))))
    try:
        save_report(report.full_json("boxes", "boxes"), path)
        done = run_tatc("report", str(folder))
        assert "clicks 0.0 %" in done.stdout and done.exit_code == 0
        path.write_text('{"moves": 0.99}')
        done = run_tatc("report", str(folder))
        assert "was not measured for this run" in done.stdout and done.exit_code == 1
        assert done.stderr.startswith(f"left out: {path}: games: is missing (make it again with")
    finally:
        path.unlink()


def test_recorded_games_are_compared(sample_games: list[Path], tmp_path: Path) -> None:
    games = str(sample_games[0].parent)
    words = ("--tasks", "coffee", "--limit", "3", "--out", str(tmp_path), "--json")
    done = run_tatc("eval", games, *words)
    value = json.loads(done.stdout)
    assert value["sessions"] == 3
    assert value["plw_success_rate"] is not None
    assert 0 < value["per_task"]["Coffee"]["actions_ratio"]


def test_replay_tells_from_where_it_failed(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "all"
    _eval(out, "--save-records", "all")
    record = str(next((out / "records").iterdir()))
    whole = run_tatc("replay", record).stdout
    late = run_tatc("replay", record, "--from", "5").stdout
    assert len(late) < len(whole)
    assert late.splitlines()[0] == whole.splitlines()[0]


def test_a_room_of_a_file_is_named_by_it_and_may_lack_what_a_task_needs(tmp_path: Path) -> None:
    room, out = tmp_path / "attic.json", tmp_path / "run"
    made = run_tatc("rooms", "new", "--kind", "kitchen", "--seed", "77", "--out", room)
    assert made.exit_code == 0, made.output
    words = ("--room", room, "--tasks", "coffee,candles", "--noise", "1", "--save-records", "none")
    done = run_tatc("eval", *words, "--out", out)
    assert done.exit_code == 0, done.output
    assert "1 session, 1 that could not start" in done.stdout
    assert "could not start because" in done.stdout
    assert "this room cannot hold this task: there is no Candle" in done.stdout
    [failure] = json.loads(run_tatc("report", out, "--json").stdout)["failures"]
    assert failure["command"].startswith(f"tatc debug --room {room} --task Coffee ")


OWN = """
from tatc.follower import RuleFollower

class Own(RuleFollower):
    def act(self, observation):
        if LOST:
            raise ValueError("lost")
        return super().act(observation)
"""


def test_what_failed_is_stopped_at_debugged_and_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    words = ("eval", "--room", "kitchen-01", "--tasks", "coffee", "--seeds", "1-3", "--json")
    words += ("--out", "run", "--follower", "own_agent:Own")
    (tmp_path / "own_agent.py").write_text(f"LOST = True\n{OWN}")
    first = json.loads(run_tatc(*words, "-x").stdout)
    assert (first["sessions"], first["crashed"]) == (1, 1)
    debugged = run_tatc(*words, "--pdb", input="p LOST\nq\n" * 3)
    assert debugged.stdout.count("(Pdb) True") == 3 and "ValueError: lost" in debugged.stderr
    monkeypatch.setattr("own_agent.LOST", False)
    (tmp_path / "own_agent.py").write_text(f"LOST = False\n{OWN}")
    assert run_tatc(*words).exit_code == 2  # a named folder is protected
    again = json.loads(run_tatc(*words, "--last-failed").stdout)
    assert (again["sessions"], again["successes"], again["folder"]) == (3, 3, "run-last-failed")
    assert "no session failed in the last run" in run_tatc(*words, "--last-failed").stderr
