"""A session as a test of pytest's: it passes as it is, and fails when things change."""

import ast
import json
from pathlib import Path

import pytest

from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.pytest_cases import write_pytest_case
from tatc.base.errors import GameFormatError, OutputError
from tatc.home.actions import Action, Click, Role, Verb
from tatc.session.records import read_record, write_record
from tatc.session.timeline import read_finished_session
from tests.apps.debugger.debug_sessions import (
    open_finished,
    run_case,
    run_pytest,
    save_finished_session,
    start_debugger,
)
from tests.command_line import run_tatc


@pytest.fixture(scope="module")
def fork() -> Debugger:
    """Return a fork with manual actions of every form, after which agents went on."""
    debugger = start_debugger()
    debugger.go_to(8)
    debugger.act_by_hand(Role.FOLLOWER, Action(Verb.LOOK_UP))
    debugger.act_by_hand(Role.FOLLOWER, Action(Verb.PICKUP, Click(0.5, 0.25)))
    debugger.act_by_hand(Role.COMMANDER, Action(Verb.TEXT, text='Say "TurnLeft".'))
    debugger.go_to(20)
    return debugger


def test_a_fork_runs_underrun_pytest(fork: Debugger, tmp_path: Path):
    path = tmp_path / "test_fork.py"
    record = write_pytest_case(fork, path)
    assert len(read_record(record).interactions) == 20
    assert "Action(Verb.PICKUP, click=Click(0.5, 0.25))" in path.read_text()
    done = run_pytest(path)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout


def test_a_case_with_agents_of_the_users_own_runs_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    work, cases, elsewhere = (tmp_path / name for name in ("work", "cases", "elsewhere"))
    for folder in (work / "policies", cases, elsewhere):
        folder.mkdir(parents=True)
    (work / "own_follower.py").write_text("from tatc.follower import RuleFollower as Own\n")
    (work / "policies" / "mine.py").write_text("# replaces nothing\n")
    monkeypatch.chdir(work)
    line = "debug coffee --follower own_follower:Own --policies policies --at 6 --save-case"
    case = "../cases/test_own.py"
    done = run_tatc(*line.split(), case)
    assert done.exit_code == 0, done.output
    ran = run_pytest(cases / "test_own.py", elsewhere)
    assert ran.returncode == 0 and "2 passed" in ran.stdout, ran.stdout


def test_another_course_fails_and_names_the_step(fork: Debugger, tmp_path: Path):
    path = tmp_path / "test_fork.py"
    record = write_pytest_case(fork, path)
    text = path.read_text().replace("Verb.LOOK_UP", "Verb.LOOK_DOWN")
    path.write_text(text)
    with pytest.raises(AssertionError, match="step 9"):
        run_case(path)
    assert record.exists()


def test_what_people_did_is_held_to_the_world_alone(sample_games: list[Path], tmp_path: Path):
    debugger = open_finished(read_finished_session(sample_games[0]))
    debugger.go_to(30)
    path = tmp_path / "test_game.py"
    write_pytest_case(debugger, path)
    text = path.read_text()
    assert "the_world_answers" in text and "the_agents" not in text
    compile(text, str(path), "exec")


def session_in(place: str, path: Path) -> Path:
    """Save the record of a session in a place of this name."""
    save_finished_session(path)
    document = json.loads(path.read_text())
    document["tasks"][0]["episodes"][0]["world"] = place
    document["tatc"]["place"] = place
    path.write_text(json.dumps(document))
    return path


PLACES = [
    '"""+__import__("pathlib").Path("mark").touch()+"""',
    "'''+__import__('pathlib').Path('mark').touch()+'''",
    '" + str(__import__("pathlib").Path("mark").touch()) + "',
    "{record!r} {0} %s",
    "\N{LEFT DOUBLE QUOTATION MARK}caf\N{LATIN SMALL LETTER E WITH ACUTE}",
]


def test_no_text_of_a_record_is_anything_but_text_in_a_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for number, place in enumerate(PLACES):
        path = session_in(place, tmp_path / f"coffee-{number}.game.json")
        debugger = open_finished(read_finished_session(path))
        debugger.go_to(3)
        case = tmp_path / f"test_{number}.py"
        write_pytest_case(debugger, case)
        assert "MANUAL_ACTIONS = ()" in case.read_text()
        module = ast.parse(case.read_text())
        kinds = [type(statement) for statement in module.body]
        assert kinds == [ast.Expr, *[ast.ImportFrom] * 4, *[ast.Assign] * 4, *[ast.FunctionDef] * 2]
        assert ast.get_docstring(module) == f"Coffee in {place}, up to step 3, by `tatc debug`."
    done = run_pytest(tmp_path, tmp_path)
    assert done.returncode == 0 and f"{2 * len(PLACES)} passed" in done.stdout, done.stdout
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("place", ["two\nlines", "\x1b[2J", "a/b", "nul\0", "\u202e"])
def test_a_place_that_cannot_be_printed_is_refused(place: str, tmp_path: Path):
    path = session_in(place, tmp_path / "coffee.game.json")
    with pytest.raises(GameFormatError, match="printable name without slashes"):
        read_finished_session(path)


def test_files_that_exist_are_kept(fork: Debugger, tmp_path: Path):
    path = tmp_path / "test_fork.py"
    path.with_suffix(".game.json.gz").write_text("mine")
    with pytest.raises(OutputError, match="there is a file already"):
        write_pytest_case(fork, path)
    assert not path.exists()
    write_pytest_case(fork, path, force=True)
    write_record(read_record(path.with_suffix(".game.json.gz")), path, force=True)


def test_policies_of_ones_own_go_with_the_case(tmp_path: Path):
    policies = tmp_path / "policies"
    policies.mkdir()
    (policies / "coffee.py").write_text(
        "from tatc.commander.policies import policy\n\n\n"
        "@policy('simbotIsFilledWithCoffee', override=True)\n"
        "def fill(key, known):\n    return ()\n"
    )
    debugger = start_debugger(policies=(policies,))
    debugger.go_to(6)
    path = tmp_path / "test_own.py"
    write_pytest_case(debugger, path)
    debugger.close()
    run_case(path)
    (policies / "coffee.py").write_text("POLICIES = 0\n")
    with pytest.raises(AssertionError, match="step 3"):
        run_case(path)
