"""Agents that crash, and policies that are wrong: one clear line, and the exit status."""

from pathlib import Path

import pytest

from tatc.session.records import SessionEnd, read_record, write_record
from tests.command_line import run_tatc

COFFEE = ("--task", "coffee", "--room", "kitchen-01")
HEAD = """from tatc.commander.policies import policy
from tatc.commander.skills.hold import Hold


"""


def _policy(folder: Path, body: str, name: str = "simbotIsFilledWithCoffee") -> Path:
    """Write a policy of two lines at line 5, `body` at line 7; return its folder."""
    lines = f'@policy("{name}", override=True)\ndef brew(key, known):\n    {body}\n'
    (folder / "coffee.py").write_text(HEAD + lines)
    return folder


@pytest.fixture
def raising(tmp_path: Path) -> Path:
    return _policy(tmp_path, "return ()[3]")


def test_run_names_error_file_and_line(raising: Path) -> None:
    done = run_tatc("run", *COFFEE, "--no-save", "--quiet", "--policies", raising)
    assert (done.exit_code, done.stdout) == (3, "")
    where = f"{raising / 'coffee.py'}:7"
    assert done.stderr.splitlines() == [
        "add --traceback to see the calls before it",
        f"error: {where}: the Commander crashed: IndexError: tuple index out of range",
    ]
    told = run_tatc("run", *COFFEE, "--no-save", "--quiet", "--policies", raising, "--traceback")
    assert told.exit_code == 3
    assert told.stderr.startswith("Traceback (most recent call last):")
    assert "return ()[3]" in told.stderr and "in plans_for_key" in told.stderr


@pytest.mark.parametrize(
    ("body", "returned"),
    [
        ("return Hold(key.object_id)", "Hold(object_id="),
        ("return (Hold(key.object_id),)", "(Hold(object_id="),
        ("return ((Hold,),)", "((<class"),
        ("return None", "None, which"),
    ],
)
def test_policy_that_returns_no_plans(tmp_path: Path, body: str, returned: str) -> None:
    folder = _policy(tmp_path, body)
    done = run_tatc("run", *COFFEE, "--no-save", "--quiet", "--policies", folder)
    assert done.exit_code == 3
    line = done.stderr.splitlines()[-1]
    assert line.startswith(f"error: {folder / 'coffee.py'}:5: the policy brew returned {returned}")
    assert "return a tuple of plans" in line


def test_policy_for_misspelt_property(tmp_path: Path) -> None:
    folder = _policy(tmp_path, "return ()", "simbotIsFilledWithCofee")
    done = run_tatc("run", *COFFEE, "--no-save", "--policies", folder)
    assert (done.exit_code, done.stdout) == (2, "")
    start = f"error: {folder / 'coffee.py'}:5: unknown property 'simbotIsFilledWithCofee' "
    assert done.stderr.startswith(f"{start}(did you mean 'simbotIsFilledWithCoffee'")


def test_debug_ends_with_status_of_session(raising: Path) -> None:
    words = ("debug", *COFFEE, "--policies", raising, "--print")
    done = run_tatc(*words, "--at", 99)
    assert done.exit_code == 3
    assert "an agent crashed: IndexError: tuple index out of range" in done.stderr
    assert run_tatc(*words).exit_code == 0, "before the crash the session has no end"


def test_replay_ends_as_the_session_did(tmp_path: Path) -> None:
    path = tmp_path / "coffee.game.json"
    assert run_tatc("run", *COFFEE, "--save", path).exit_code == 0
    assert run_tatc("replay", path).exit_code == 0
    record = read_record(path)
    for end, status in ((SessionEnd.GAVE_UP, 1), (SessionEnd.CRASHED, 3)):
        object.__setattr__(record, "end", end)
        write_record(record, path, force=True)
        assert run_tatc("replay", path).exit_code == status
        at = len(record.interactions)
        assert run_tatc("debug", "--record", path, "--at", at, "--print").exit_code == status


@pytest.mark.parametrize("command", ["eval", "compare"])
def test_crashes_are_counted_and_decide_the_status_where_asked(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "class Crashes:\n    begin = lambda self: None\n    act = lambda self, view: 1 / 0\n"
    (tmp_path / "crashing_agent.py").write_text(text)
    words = [command, "--room", "kitchen-01", "--tasks", "coffee", "--out", tmp_path / "run"]
    words += ["--follower", "crashing_agent:Crashes"]
    words += ["--follower", "rule"] if command == "compare" else []
    assert run_tatc(*words).exit_code == 0
    assert run_tatc(*words, "--fail-on-crash").exit_code == 3


def test_agent_that_cannot_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "class Broken:\n    act = begin = None\n    def __init__(self):\n        1 / 0\n"
    (tmp_path / "broken_agent.py").write_text(text)
    for command in ("run", "debug"):
        done = run_tatc(command, *COFFEE, "--follower", "broken_agent:Broken")
        assert done.exit_code == 3
        assert "broken_agent.py:4: the Follower crashed: ZeroDivisionError" in done.stderr
