"""Agents that a file names: those of tatc run, others only if the user names them too."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from typer.testing import Result

from tatc.base.errors import BadInput
from tatc.evaluation.runs.rows import mark_of
from tatc.session.agents.agents import AgentsFromFile
from tatc.session.records import Record, read_record, write_record
from tatc.session.timeline import LiveSession, Timeline
from tests.apps.debugger.debug_sessions import save_finished_session
from tests.command_line import run_tatc

_INTRUDER = """
from pathlib import Path
Path({mark!r}).touch()
from tatc.follower import RuleFollower
class X(RuleFollower): pass
"""
Named = Callable[[str, str], Path]
_EVAL = ("--room", "kitchen-01", "--tasks", "coffee", "--save-records", "none")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with a module that leaves the file `mark` when it is imported."""
    (tmp_path / "intruder.py").write_text(_INTRUDER.format(mark=str(tmp_path / "mark")))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delitem(__import__("sys").modules, "intruder", raising=False)
    return tmp_path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """Return the record of a whole session."""
    path = tmp_path_factory.mktemp("whole") / "whole.game.json"
    save_finished_session(path)
    return read_record(path)


@pytest.fixture
def name_in_record(whole: Record, folder: Path) -> Named:
    """Return a function that saves a record which names an agent of a role."""

    def save(role: str, name: str) -> Path:
        options = tuple((k, name if k == role else v) for k, v in whole.options)
        write_record(replace(whole, options=options), folder / "named.game.json")
        return folder / "named.game.json"

    return save


def _save_case(record: Path, *options: str, at: int = 4) -> Result:
    """Save a step of the record as a test, in the current folder."""
    words = ("debug", "--record", record, "--at", str(at), "--save-case", "test_it.py")
    return run_tatc(*words, *options)


@pytest.mark.parametrize(
    ("role", "name"), [("commander", "intruder:X"), ("follower", "et:stolen.pth")]
)
def test_a_record_brings_in_no_agent(
    name_in_record: Named, folder: Path, role: str, name: str
) -> None:
    record = name_in_record(role, name)
    assert run_tatc("debug", "--record", record, "--at", "4", "--print").exit_code == 0
    done = _save_case(record)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {record}: tatc.options.{role}: {name!r} does not come")
    assert f"--{role}" in done.stderr and done.stderr.count("\n") == 1
    assert not (folder / "mark").exists()
    assert not (folder / "test_it.py").exists()


def test_an_agent_that_the_user_names_too_runs(name_in_record: Named, folder: Path) -> None:
    record = name_in_record("follower", "intruder:X")
    done = _save_case(record, "--follower", "intruder:X")
    assert done.exit_code == 0 and (folder / "mark").exists()
    assert "'intruder:X'" in (folder / "test_it.py").read_text()


def test_naming_one_agent_lets_in_no_other(name_in_record: Named, folder: Path) -> None:
    record = name_in_record("commander", "intruder:X")
    done = _save_case(record, "--follower", "rule")
    assert done.exit_code == 2 and "tatc.options.commander" in done.stderr
    assert not (folder / "mark").exists()


def test_an_agent_of_the_users_stands_in_for_the_records(
    name_in_record: Named, folder: Path
) -> None:
    """Even the default, which nothing but the words of the command tells from no option."""
    record = name_in_record("follower", "intruder:X")
    assert _save_case(record, "--follower", "rule").exit_code == 0
    assert not (folder / "mark").exists()
    assert "'intruder:X'" not in (folder / "test_it.py").read_text()


def test_options_that_are_not_given_stay_those_of_the_record(
    name_in_record: Named, folder: Path
) -> None:
    record = name_in_record("follower", "random")
    assert _save_case(record, "--noise", "0.5", at=0).exit_code == 0
    assert "'boxes', 'rule', 'random', 0.5, 'actions'" in (folder / "test_it.py").read_text()


def test_python_code_gets_the_same_answer(name_in_record: Named, folder: Path) -> None:
    saved = Timeline.of(name_in_record("follower", "intruder:X"))
    with pytest.raises(BadInput, match="no file can choose it"):
        LiveSession(saved.start, saved.setup)
    with pytest.raises(BadInput, match="no file can choose it"):
        LiveSession.continue_from(saved, 2)
    assert not (folder / "mark").exists()
    LiveSession(saved.start, replace(saved.setup, agents_from=None))
    assert (folder / "mark").exists()


@pytest.mark.parametrize("name", ["rule", "random", "et", "et-frame-blank", "pddl", "shifted"])
def test_tatcs_own_agents_are_for_files_to_name(name: str) -> None:
    AgentsFromFile("a.json").check(name, name)


@pytest.mark.parametrize("name", ["intruder:X", "et:stolen.pth", "et-blank:x", "no-such-entry"])
def test_other_agents_are_for_users_to_name(name: str) -> None:
    for field, agents in (("commander", (name, "rule")), ("follower", ("rule", name))):
        AgentsFromFile("a.json", (name,)).check(*agents)
        with pytest.raises(BadInput, match=f"a.json.{field}: '{name}' does not come with tatc"):
            AgentsFromFile("a.json", ("mine:X",)).check(*agents)


@pytest.fixture(scope="module")
def run_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that kept no record."""
    path = tmp_path_factory.mktemp("once") / "run"
    assert run_tatc("eval", *_EVAL, "--out", path).exit_code == 0
    return path


@pytest.fixture
def run(run_once: Path, folder: Path) -> Path:
    """Return a copy of that run for the test to change."""
    return copytree(run_once, folder / "run")


def _name_in_run(run: Path, **changes: Any) -> None:
    identity = json.loads((run / "run.json").read_text())
    for part in (identity, identity["options"], identity["options"]["setup"]):
        part |= {name: value for name, value in changes.items() if name in part}
    named = json.dumps(identity).encode()
    (run / "run.json").write_bytes(named)
    [row] = (run / "results.jsonl").read_bytes().splitlines()
    [timing] = map(json.loads, (run / "timings.jsonl").read_text().splitlines())
    (run / "timings.jsonl").write_text(json.dumps(timing | {"row": mark_of(named, row)}) + "\n")


def _exported(run: Path, *words: str) -> str:
    """Return the data of the run's one session, as a site holds it."""
    done = run_tatc(
        "view", run, "--export", run.parent / "site", "--no-pictures", "--force", *words
    )
    assert done.exit_code == 0, done.output
    [session] = (run.parent / "site" / "data" / "session").iterdir()
    return session.read_text()


@pytest.mark.parametrize("role", ["commander", "follower"])
def test_a_run_brings_in_no_agent(run: Path, role: str) -> None:
    _name_in_run(run, **{role: "intruder:X"})
    shown = _exported(run)
    assert f"options.setup.{role}" in shown and "no file can choose it" in shown
    assert not (run.parent / "mark").exists()


def test_a_run_goes_on_with_an_agent_that_the_user_names(run: Path) -> None:
    _name_in_run(run, follower="intruder:X")
    assert '"moments":[' in _exported(run, "--follower", "intruder:X")
    assert (run.parent / "mark").exists()


def test_a_run_opens_no_map(run: Path) -> None:
    _name_in_run(run, floor_map=str(run.parent / "secret.json"), map="theirs", map_hash="abc")
    (run.parent / "secret.json").write_text("{}")
    shown = _exported(run)
    assert "run with the map theirs abc" in shown and "--map" in shown
    assert "secret" not in shown


@pytest.mark.usefixtures("without_workers")
def test_a_run_is_shown_with_the_map_that_the_user_names(folder: Path) -> None:
    (folder / "map.json").write_text('{"format": "tatc-floor-map-1", "name": "mine", "plans": {}}')
    assert run_tatc("eval", *_EVAL, "--map", "map.json", "--out", "run").exit_code == 0
    assert "run with the map mine" in _exported(folder / "run")
    assert '"moments":[' in _exported(folder / "run", "--map", "map.json")


def test_a_report_reads_no_task_folder_that_a_run_names(run: Path) -> None:
    _name_in_run(run, definitions=[str(run.parent / "no-such-folder")])
    done = run_tatc("report", run, "--html", "page.html", "--site", "sessions")
    assert done.exit_code == 0, done.output
