"""`tatc debug` without a terminal: text, a picture, a test, and errors in words."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from tatc.session.records import read_record, write_record
from tests.apps.debugger.debug_sessions import save_finished_session
from tests.command_line import run_tatc

TASK = ("--task", "coffee", "--room", "kitchen-01")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the breakpoints of whoever runs the tests out of it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def _debug(*options: str) -> Result:
    return run_tatc("debug", *options)


def _saved(path: Path) -> Path:
    save_finished_session(path)
    return path


def test_a_step_is_printed_with_all_that_is_known_of_it():
    done = _debug(*TASK, "--at", "8", "--print")
    assert done.exit_code == 0
    head, *_ = done.stdout.splitlines()
    assert head.split() == "Coffee in kitchen-01 step 8 of 8+ 2 of 3 goals session".split()
    for part in ("Dialogue", "Progress", "Decision", "In view", "Changes"):
        assert f"\n{part}\n" in done.stdout
    assert "simbotIsFilledWithCoffee is no, should be yes" in done.stdout


def test_a_step_of_the_fallback_says_why_and_what_policies_returned(tmp_path: Path):
    own = tmp_path / "own" / "coffee.py"
    own.parent.mkdir()
    own.write_text(
        "from tatc.commander.policies import policy\n"
        "@policy('simbotIsFilledWithCoffee', override=True)\n"
        "def brew(key, known):\n    print('brewing')\n    return ()\n"
    )
    shown = _debug(*TASK, "--policies", str(own.parent), "--at", "5", "--print").stdout
    assert "PDDL    the policy of simbotIsFilledWithCoffee has no plan for Mug" in shown
    assert "x simbotIsFilledWithCoffee of Mug 3: its policy has no plan" in shown
    assert "  asked brew (coffee.py:2)\n  plan  no plans\nprinted brewing\n" in shown


@pytest.mark.parametrize("words", [("--seed", "1"), ("--param", "Mug"), ("coffee",)])
def test_what_a_record_brings_is_not_asked_for_again(tmp_path: Path, words: tuple[str, ...]):
    path = _saved(tmp_path / "coffee.game.json")
    done = _debug("--record", str(path), *words, "--print")
    named = words[0] if words[0].startswith("--") else "the task"
    assert f"a record brings its own task, place and seed (leave out {named})" in done.stderr


def test_a_record_opens_at_a_step(tmp_path: Path):
    path = _saved(tmp_path / "coffee.game.json")
    done = _debug("--record", str(path), "--at", "3", "--print")
    assert done.exit_code == 0
    assert "step 3 of " in done.stdout and " record" in done.stdout


def test_people_can_be_watched_and_a_game_played_anew(sample_games: list[Path]):
    seen = _debug("--record", str(sample_games[0]), "--at", "0", "--print")
    assert seen.exit_code == 0
    assert "People played this game" in seen.stdout
    anew = _debug("--game", str(sample_games[0]), "--at", "0", "--print")
    assert anew.exit_code == 0
    assert "session" in anew.stdout.splitlines()[0]


def test_the_screen_is_written_as_a_picture(tmp_path: Path):
    path = tmp_path / "debug.svg"
    done = _debug(*TASK, "--at", "5", "--picture", str(path))
    assert (done.exit_code, done.stdout) == (0, f"{path}\n")
    assert path.read_text().startswith("<svg")
    again = _debug(*TASK, "--picture", str(path))
    assert again.exit_code == 2 and "--force" in again.stderr


def test_a_case_is_written_without_a_screen(tmp_path: Path):
    path = tmp_path / "test_coffee.py"
    done = _debug(*TASK, "--at", "9", "--save-case", str(path))
    assert done.exit_code == 0
    assert f"pytest {path}" in done.stdout
    assert path.exists() and path.with_suffix(".game.json.gz").exists()


def test_the_task_at_a_step_is_saved_in_pddl(tmp_path: Path):
    done = _debug(*TASK, "--at", "8", "--pddl-out", str(tmp_path / "out"))
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'out' / 'problem.pddl'}\n")
    at_start = (*TASK, "--pddl-out")
    assert _debug(*at_start, str(tmp_path / "out")).exit_code == 2
    assert _debug(*at_start, str(tmp_path / "start")).exit_code == 0
    out, start = ((tmp_path / name) for name in ("out", "start"))
    assert (out / "domain.pddl").read_text() == (start / "domain.pddl").read_text()
    assert "(holding mug-1)" not in (start / "problem.pddl").read_text()
    assert "(holding mug-1)" in (out / "problem.pddl").read_text()


def test_a_record_in_which_nothing_was_done_opens(tmp_path: Path):
    path = tmp_path / "empty.game.json"
    record = replace(read_record(_saved(path)), interactions=(), decisions=())
    write_record(record, path, force=True)
    done = _debug("--record", str(path), "--at", "0", "--print")
    assert done.exit_code == 0
    assert "step 0 of 0 " in done.stdout and "the session starts" in done.stdout


def test_a_record_of_a_newer_version_is_refused(tmp_path: Path):
    path = _saved(tmp_path / "new.game.json")
    path.write_text(path.read_text().replace('"tatc":{"format":1', '"tatc":{"format":9'))
    done = _debug("--record", str(path), "--print")
    assert done.exit_code == 2 and "update tatc" in done.stderr
