"""`tatc bench` over a folder of small benchmarks."""

import json
import runpy
from pathlib import Path

import pytest
from typer.testing import Result

from tatc.commands import bench
from tests.command_line import run_tatc

COUNTS = """
def run(games):
    yield "steps", 20000.0, "/s"
    if games is not None:
        yield "games", float(len(list(games.iterdir()))), "games"
"""
NEEDS_GAMES = """
def run(games):
    if games is not None:
        yield "load", 0.05, "s"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "benchmarks"
    made.mkdir()
    (made / "bench_world.py").write_text(COUNTS)
    (made / "bench_load.py").write_text(NEEDS_GAMES)
    (made / "notes.py").write_text("raise RuntimeError")
    monkeypatch.setattr(bench, "BENCHMARKS_FOLDER", made)
    return made


def _tatc(*words: str) -> Result:
    return run_tatc("bench", *words)


def test_all_run_in_name_order_and_say_when_there_is_nothing() -> None:
    done = _tatc()
    assert (done.exit_code, done.stdout.split()) == (0, ["world:", "steps", "20,000", "/s"])
    assert done.stderr == "load: nothing to measure without --games PATH\n"


def test_json_is_one_object_a_figure(tmp_path: Path) -> None:
    done = _tatc("--json", "--games", str(tmp_path))
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"benchmark": "load", "figure": "load", "value": 0.05, "unit": "s"},
        {"benchmark": "world", "figure": "steps", "value": 20000.0, "unit": "/s"},
        {"benchmark": "world", "figure": "games", "value": 1.0, "unit": "games"},
    ]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("value", "shown"),
    [("27310.38", "27,310"), ("7.73781", "7.74"), ("145.0", "145"), ("0.00052", "0.00052")],
)
def test_figures_show_the_digits_that_count(folder: Path, value: str, shown: str) -> None:
    (folder / "bench_world.py").write_text(f"def run(games):\n yield 'x', {value}, 'm'")
    assert _tatc("world").stdout.split() == ["world:", "x", shown, "m"]


def test_one_by_name() -> None:
    assert "world: steps" in _tatc("world").stdout


def test_list_runs_none() -> None:
    assert _tatc("--list").stdout == "load\nworld\n"


def test_an_unknown_name_gets_an_offer() -> None:
    done = _tatc("wrold")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "error: unknown benchmark 'wrold' (did you mean 'world'? `tatc bench --list` lists them)\n"
    )


def test_a_benchmark_without_run_is_named(folder: Path) -> None:
    (folder / "bench_empty.py").write_text("")
    done = _tatc("empty")
    assert done.exit_code == 2
    assert "bench_empty.py: there is no function `run`" in done.stderr


def test_without_a_checkout_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "BENCHMARKS_FOLDER", tmp_path / "nowhere")
    done = _tatc()
    assert (done.exit_code, done.stdout) == (2, "")
    assert "pip install -e ." in done.stderr and done.stderr.count("\n") == 1


def test_every_benchmark_of_this_checkout_loads() -> None:
    paths = sorted((Path(__file__).parents[2] / "benchmarks").glob("bench_*.py"))
    assert paths
    for path in paths:
        assert callable(runpy.run_path(str(path))["run"]), path
