"""`tatc blame`: the step that lost a session, found in sessions in which a fault was planted."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import tatc
from benchmarks.blame.planting import Truth, plant
from tatc.evaluation.blame.blame_run import RunBlame
from tatc.evaluation.blame.blame_session import Blame
from tatc.home.actions import Action, Role, Verb
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import write_record
from tatc.session.start import start_from_room_name
from tatc.session.timeline import LiveSession
from tatc.tdl import shipped_library
from tests.command_line import run_tatc

SEED = 1
NEEDLESS_STEPS = 40


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Truth]:
    """Return the record of a session that a Follower lost which stopped, and the truth."""
    folder = tmp_path_factory.mktemp("planted")
    truth = plant(SEED, folder, 0)
    return folder / truth.file, truth


def _live_coffee() -> LiveSession:
    start = start_from_room_name("kitchen-01", shipped_library(), "coffee", (), 1)
    return LiveSession(start, SessionSetup())


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a session that was solved without detours."""
    live, path = _live_coffee(), tmp_path_factory.mktemp("solved") / "coffee.game.json"
    live.run_to(1000)
    write_record(live.record(), path)
    return path


def _blame(*words: object) -> dict[str, Any]:
    done = run_tatc("blame", *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (0, "stopped too early"),
        (1, "crashed"),
        (5, "missed utterance"),  # it drops what it took
        (7, "refused and repeated"),
        (8, "stopped too early"),
        (9, "planner gave up"),
        (12, "words of no use"),
        (20, "wrong object"),  # what should be boiled is cooked, and cannot be boiled any more
    ],
)
def test_the_step_of_a_planted_fault_is_found(tmp_path: Path, number: int, kind: str) -> None:
    truth = plant(SEED, tmp_path, number)
    found = _blame(tmp_path / truth.file)
    assert (found["agent"], found["step"], found["kind"]) == (truth.agent, truth.step, kind)
    assert found["verdict"] == "lost"
    share = found["commander_share"]
    assert share > 0.5 if truth.agent == "commander" else share < 0.5
    assert found["table"]["able_able"][1] and not found["table"]["own_own"][1]


def test_the_same_seed_plants_the_same_bytes(tmp_path: Path, planted: tuple[Path, Truth]) -> None:
    path, truth = planted
    assert plant(SEED, tmp_path, 0) == truth
    assert (tmp_path / truth.file).read_bytes() == path.read_bytes()


def test_a_session_says_in_words_what_happened(planted: tuple[Path, Truth]) -> None:
    path, truth = planted
    done = run_tatc("blame", path)
    assert done.exit_code == 0
    assert f"Culprit: the Follower at step {truth.step}: stopped too early" in done.stdout
    assert "its own Follower" in done.stdout
    assert "Commander 0 %, Follower 100 %" in done.stdout
    [line] = [each for each in done.stdout.splitlines() if each.startswith("Both branches: ")]
    opened = run_tatc(*shlex.split(line.partition(": ")[2])[1:], "--print")
    assert opened.exit_code in (0, 1)
    assert "fork 1" in opened.output


def test_every_step_finds_the_same_as_bisection(tmp_path: Path) -> None:
    truth = plant(SEED, tmp_path, 12)
    one, other = (_blame(tmp_path / truth.file, *words) for words in ((), ("--every-step",)))
    assert one | {"continuations": 0} == other | {"continuations": 0}


def test_a_solved_session_has_nothing_to_blame(solved: Path) -> None:
    found = _blame(solved)
    assert (found["verdict"], found["step"]) == ("nothing to blame", None)
    assert found["steps"] == found["able_steps"]


def test_the_first_needless_step_of_a_slow_session_is_found(tmp_path: Path) -> None:
    live = _live_coffee()
    live.run_to(5)
    first = len(live.moments) - 1
    for _ in range(NEEDLESS_STEPS):
        live.act_by_hand(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    live.run_to(1000)
    path = tmp_path / "slow.game.json"
    write_record(live.record(), path)
    found = _blame(path)
    assert (found["verdict"], found["agent"]) == ("took too long", "follower")
    assert abs(found["step"] - first) <= 2
    assert found["table"] is None


def test_a_pair_that_fails_from_the_start_blames_the_start(planted: tuple[Path, Truth]) -> None:
    found = _blame(planted[0], "--with", "rule,random")
    assert found["verdict"] == "the able pair fails from the start"
    assert found["agent"] == ""


def test_a_budget_that_is_spent_is_said(planted: tuple[Path, Truth]) -> None:
    found = _blame(planted[0], "--budget", 1)
    assert (found["verdict"], found["continuations"]) == ("the budget is spent", 1)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--with", "nobody,rule"), "nobody"),
        (("--with", "rule,nobody"), "nobody"),
        (("--with", "rule"), "--with: should be a Commander and a Follower"),
        (("--budget", "0"), "--budget"),
        (("--map", "nowhere.map"), "nowhere.map"),
    ],
)
def test_wrong_options_are_refused(
    planted: tuple[Path, Truth], words: tuple[str, ...], why: str
) -> None:
    done = run_tatc("blame", planted[0], *words)
    assert done.exit_code == 2
    assert why in done.output
    assert done.output.count("\n") == 1


@pytest.mark.parametrize("text", ["", "{}", "no record"])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.game.json"
    path.write_text(text)
    done = run_tatc("blame", path)
    assert done.exit_code == 2
    assert "odd.game.json" in done.output


def test_a_run_has_a_table_which_the_report_shows(tmp_path: Path) -> None:
    run, page = tmp_path / "run", tmp_path / "page.html"
    rooms = ("--room", "kitchen-01", "--tasks", "coffee", "--seeds", "1-2")
    run_tatc("eval", *rooms, "--follower", "random", "--out", run)
    found = _blame(run)
    by_agent = {each["name"]: each["sessions"] for each in found["by_agent"]}
    assert (by_agent["follower"], by_agent["commander"]) == (2, 0)
    assert sum(each["sessions"] for each in found["by_kind"]) == 2
    assert len(found["blames"]) == 2
    assert "follower" in run_tatc("blame", run, "--workers", 2).stdout
    assert run_tatc("report", run, "--html", page).exit_code == 0
    assert "<td>follower</td><td>2</td><td>100.00</td>" in page.read_text()
    (run / "blame.json").write_text('{"by_agent": [{"name": 1}], "by_kind": []}')
    done = run_tatc("report", run, "--html", page, "--force")
    assert done.exit_code == 2
    assert "blame.json" in done.output


def test_python_blames_a_record(solved: Path) -> None:
    record = tatc.run("coffee", room="kitchen-01", follower="random")
    found = tatc.blame(record)
    assert isinstance(found, Blame)
    assert (found.agent, found.command) == ("follower", "")
    assert repr(found).startswith("<Blame kitchen-01_coffee_1: lost by the follower at ")
    assert found._repr_html_().count("<td>follower</td>") == 1
    assert repr(RunBlame((found,))) == "<RunBlame of 1 session: follower 1>"
    assert "<td>follower</td><td>1</td><td>1</td>" in RunBlame((found,))._repr_html_()
    pytest.importorskip("pandas", reason="needs pandas")
    assert list(RunBlame((found, found)).to_dataframe()["step"]) == [found.step] * 2
