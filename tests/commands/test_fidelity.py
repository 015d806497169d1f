"""`tatc fidelity`: what it prints, saves and refuses."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from typer.testing import Result

from tatc.evaluation.fidelity.fidelity_report import format_rates
from tatc.evaluation.runs.run_report import FIDELITY_FILE
from tests.command_line import run_tatc


def _tatc(*words: str | Path) -> Result:
    return run_tatc("fidelity", *words)


def _names(rates: dict[str, Any]) -> set[str]:
    return {
        f"{group}.{part}" if "n" not in inside else group
        for group, inside in rates.items()
        if group not in ADDED
        for part in inside
    }


ADDED = {"map", "by_plan", "per_session", "interval", "causes"}
NAMED = {
    "moves.accepted",
    "moves.refused",
    "clicks",
    "interactions.succeeded",
    "interactions.failed",
    "ends.clicks",
    "ends.helped",
}


@pytest.fixture(scope="module")
def report(sample_games: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run's folder with the report of three games, what was printed, and the page."""
    out = tmp_path_factory.mktemp("report")
    page = ("--html", out / "page.html")
    done = _tatc(*sample_games[:3], "--json", "--out", out, "--workers", "2", *page)
    assert done.exit_code == 0, done.stderr
    (out / "printed.json").write_text(done.stdout)
    return out


@pytest.fixture(scope="module")
def found(report: Path) -> dict[str, Any]:
    return json.loads((report / "printed.json").read_text())


def test_json_has_the_named_keys_and_the_same_by_plan(report: Path, found: dict[str, Any]) -> None:
    assert _names(found) == NAMED
    for plan, rates in found["by_plan"].items():
        assert re.fullmatch(r"FloorPlan\d+", plan)
        assert _names(rates) == NAMED
    asked = [found["by_plan"][p]["clicks"]["n"] for p in found["by_plan"]]
    assert sum(asked) == found["clicks"]["n"] > 0
    saved = json.loads((report / FIDELITY_FILE).read_text())
    assert {name: saved[name] for name in found} == found
    line = format_rates(saved)
    assert line.startswith(f"moves.accepted {100 * saved['moves']['accepted']['rate']:.1f} %, ")
    assert re.search(r"\(3 games, map shipped [0-9a-f]{12}\)$", line), "so `tatc report` tells it"


def test_json_has_rates_per_session_intervals_and_causes(
    sample_games: list[Path], found: dict[str, Any]
) -> None:
    assert ADDED <= set(found)
    sessions, intervals = found["per_session"], found["interval"]
    assert _names(sessions) == NAMED
    assert sessions["moves"]["accepted"]["n"] == 3
    single = [json.loads(_tatc(game, "--json").stdout) for game in sample_games[:3]]
    own = [each["moves"]["accepted"]["rate"] for each in single]
    assert sessions["moves"]["accepted"]["rate"] == pytest.approx(sum(own) / 3, abs=1e-5)
    for rates in (found, sessions):
        assert len(found["by_plan"]) > 1
        low, high = intervals["clicks"]["per_action" if rates is found else "per_session"]
        assert low <= rates["clicks"]["rate"] <= high
    assert single[0]["interval"]["clicks"] == {"per_action": None, "per_session": None}
    counts = [each["count"] for each in found["causes"]]
    assert 0 < len(counts) <= 10 and counts == sorted(counts, reverse=True)
    assert set(found["causes"][0]) == {"count", "measure", "verb", "reason"}


def test_the_table_is_the_same_by_one_worker(sample_games: list[Path], report: Path) -> None:
    done = _tatc(*sample_games[:3], "--out", report / "again.json")
    assert (report / "again.json").read_bytes() == (report / FIDELITY_FILE).read_bytes()
    lines = done.stdout.splitlines()
    assert lines[0].split("  ")[0] == "answers compared"
    assert "per session" in lines[0] and lines[0].count("95 %") == 2
    assert "mean over sessions" in lines[10] and "bootstrap over floor plans" in lines[10]
    assert any("cause of disagreement" in line for line in lines)


def test_the_page_is_complete_in_one_file(
    sample_games: list[Path], report: Path, found: dict[str, Any]
) -> None:
    page = (report / "page.html").read_text()
    assert "tatc fidelity" in page and str(sample_games[0].parent) not in page
    assert "<script" not in page and "src=" not in page and "<link" not in page
    assert "prefers-color-scheme: dark" in page
    assert f"<td>{100 * found['per_session']['clicks']['rate']:.2f}</td>" in page
    assert page.count("<rect") == 2 * len(NAMED)
    assert all(plan in page for plan in found["by_plan"])
    again = _tatc(*sample_games[:3], "--html", report / "page.html")
    assert again.exit_code == 2 and "there is a file already" in again.stderr


def test_each_disagreement_has_a_command_that_opens_it(report: Path) -> None:
    listed = json.loads((report / FIDELITY_FILE).read_text())["disagreements"]
    each = next(each for each in listed if "--at" in each["open"])
    tatc, command, *words = each["open"].split()
    assert (tatc, command) == ("tatc", "fidelity")
    done = _tatc(*words)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].endswith(each["verb"])
    assert "recorded" in done.stdout and "here" in done.stdout


def test_plans_are_chosen_and_bad_files_passed_over(
    sample_games: list[Path], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.game.json"
    bad.write_text("[]")
    out = tmp_path / "report.json"
    done = _tatc(*sample_games[:3], bad, "--json", "--out", out)
    assert done.exit_code == 1
    assert "skipped: " in done.stderr and "bad.game.json" in done.stderr
    plans = list(json.loads(done.stdout)["by_plan"])
    number = plans[0].removeprefix("FloorPlan")
    only = _tatc(*sample_games[:3], "--only-plans", number, "--json")
    assert list(json.loads(only.stdout)["by_plan"]) == plans[:1]
    without = _tatc(*sample_games[:3], "--without-plans", number, "--json")
    assert list(json.loads(without.stdout)["by_plan"]) == plans[1:]


def test_an_action_that_is_none_of_the_followers_is_refused(sample_games: list[Path]) -> None:
    done = _tatc(sample_games[0], "--at", "100000")
    assert done.exit_code == 2
    assert "there is no such action" in done.stderr


def test_a_map_never_shows_a_game_its_own_cells(sample_games: list[Path], tmp_path: Path) -> None:
    """A map of one game alone changes nothing for that game."""
    floor = tmp_path / "people.map.json"
    made = run_tatc("maps", "build", sample_games[0], "--out", floor, "--json")
    assert made.exit_code == 0
    plain = json.loads(_tatc(sample_games[0], "--json", "--no-map").stdout)
    mapped = json.loads(_tatc(sample_games[0], "--json", "--map", floor).stdout)
    name = f"people {json.loads(made.stdout)['hash']}"
    assert mapped == plain | {"map": name} and plain["map"] == "boxes"


def test_a_comparison_that_was_broken_off_goes_on(sample_games: list[Path], tmp_path: Path) -> None:
    """Ctrl-C once a game is done; the rest, and the same report in the end."""
    words = ["fidelity", *map(str, sample_games[:4]), "--json"]
    command = [Path(sys.executable).with_name("tatc"), *words]
    apart = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    with subprocess.Popen(command, env=apart, stderr=subprocess.PIPE) as process:
        lines = "*.unfinished.jsonl"
        while not any(path.read_bytes().endswith(b"}\n") for path in tmp_path.rglob(lines)):
            assert process.poll() is None
            sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert b"compared games are kept; the same command continues" in stderr
    again = subprocess.run(command, env=apart, capture_output=True, check=True)
    assert re.search(rb"continues: [123] of 4 games compared already", again.stderr)
    whole = _tatc(*words[1:])
    assert json.loads(again.stdout) == json.loads(whole.stdout)
    [report] = tmp_path.rglob("[!.]*.json*")  # besides the lock
    assert report.suffix == ".json"
