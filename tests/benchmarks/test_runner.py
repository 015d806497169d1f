"""`python -m benchmarks` over a folder of small benchmarks, and how an interrupted command ends."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import benchmarks.__main__ as runner
import tatc
from benchmarks.bench_interrupts import classify_end

ROOT = Path(__file__).parents[2]
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
TAKES_SEED = """
def run(games, seed=1):
    yield "seed", float(seed), ""
"""


class _Printed:
    """What `python -m benchmarks WORDS` printed, with its exit status."""

    def __init__(self, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
        self.status = runner.main(words)
        self.out, self.err = capsys.readouterr()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "benchmarks"
    made.mkdir()
    (made / "bench_world.py").write_text(COUNTS)
    (made / "bench_load.py").write_text(NEEDS_GAMES)
    (made / "notes.py").write_text("raise RuntimeError")
    monkeypatch.setattr(runner, "BENCHMARKS_FOLDER", made)
    return made


def test_all_are_listed_and_run_in_name_order_and_say_when_there_is_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _Printed(capsys, ("--list",)).out == "load\nworld\n"
    done = _Printed(capsys, ())
    assert (done.status, done.out.split()) == (0, ["world:", "steps", "20,000", "/s"])
    assert done.err == "load: nothing to measure without --games PATH\n"


def test_json_is_one_object_a_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = _Printed(capsys, ("--json", "--games", str(tmp_path)))
    assert [json.loads(line) for line in done.out.splitlines()] == [
        {"benchmark": "load", "figure": "load", "value": 0.05, "unit": "s"},
        {"benchmark": "world", "figure": "steps", "value": 20000.0, "unit": "/s"},
        {"benchmark": "world", "figure": "games", "value": 1.0, "unit": "games"},
    ]
    assert done.err == ""


@pytest.mark.parametrize(
    ("value", "shown"),
    [("27310.38", "27,310"), ("7.73781", "7.74"), ("145.0", "145"), ("0.00052", "0.00052")],
)
def test_figures_show_the_digits_that_count(
    folder: Path, value: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bench_world.py").write_text(f"def run(games):\n yield 'x', {value}, 'm'")
    assert _Printed(capsys, ("world",)).out.split() == ["world:", "x", shown, "m"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("wrold", "unknown benchmark 'wrold' (did you mean 'world'? `python -m benchmarks --list`"),
        ("world --seed 7", "the benchmark world takes no --seed (leave it out)"),
        ("world --games nowhere", "--games nowhere: there is no such file or folder"),
        ("empty", "bench_empty.py: there is no function `run`"),
    ],
)
def test_a_wrong_word_is_one_line_and_status_2(
    words: str, error: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bench_empty.py").write_text("")
    done = _Printed(capsys, tuple(words.split()))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: ") and done.err.count("\n") == 1 and error in done.err


def test_options_go_to_the_benchmark_and_a_number_that_is_none_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bench_drawn.py").write_text(TAKES_SEED)
    assert _Printed(capsys, ("drawn", "--seed", "7")).out.split() == ["drawn:", "seed", "7"]
    with pytest.raises(SystemExit, match="2"):
        runner.main(["drawn", "--seed", "-1"])
    assert "'-1' is no whole number from 0 on" in capsys.readouterr().err


def test_every_benchmark_of_this_checkout_is_listed_and_loads() -> None:
    words = [sys.executable, "-m", "benchmarks", "--list"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = sorted((ROOT / "benchmarks").glob("bench_*.py"))
    assert done.stdout.split() == [path.stem.removeprefix("bench_") for path in paths]
    for path in paths:
        assert callable(runpy.run_path(str(path))["run"]), path


SCRIPT = "/home/me/.venv/bin/tatc"


@pytest.mark.parametrize(
    ("status", "files", "end"),
    [
        (130, (), "quiet"),
        (-2, (), "quiet"),
        (0, (), "done"),
        (7, (), "other"),
        (1, ("<frozen site>",), "python"),
        (1, (SCRIPT, "/usr/lib/python3.11/re/__init__.py"), "script"),
        (1, (SCRIPT, tatc.__file__, "/usr/lib/python3.11/enum.py"), "tatc"),
    ],
)
def test_the_last_frames_tell_whose_traceback_it_is(
    status: int, files: tuple[str, ...], end: str
) -> None:
    stderr = "".join(f'  File "{file}", line 3, in <module>\n' for file in files)
    if files:
        stderr = f"Traceback (most recent call last):\n{stderr}KeyboardInterrupt\n"
    assert classify_end(status, stderr, SCRIPT) == end
