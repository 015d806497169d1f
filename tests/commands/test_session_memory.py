"""`--goals` in sessions: names are recalled, and a session that was right is remembered."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

import tatc
from tatc.base.errors import BadInput
from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.run_conditions import check_one_uses, for_follower
from tatc.follower.listener.follower import ListenerFollower
from tatc.home.percepts import PerceptionLevel
from tatc.language.understanding.named_goals import NamedGoals, read_goals, write_goals
from tatc.session.agents.session_setup import SessionSetup, resolve_agents
from tatc.session.records import read_record
from tests.command_line import run_tatc

COFFEE = ("run", "coffee", "--room", "kitchen-01", "--commander", "me", "--follower", "listener")


def _run(typed: str, *words: str | Path) -> Result:
    return run_tatc(*[str(each) for each in words], input=typed)


def test_a_session_that_was_right_is_remembered_and_recalled(tmp_path: Path) -> None:
    memory, record = tmp_path / "mine.jsonl", tmp_path / "second.game.json"
    words = "make me a coffee, call it the morning special\nthank you\n"
    first = _run(words, *COFFEE, "--goals", memory, "--no-save")
    assert first.exit_code == 0
    assert "remembered: morning special" in first.output
    again = _run(
        "the morning special please\nthanks\n", *COFFEE, "--goals", memory,
        "--remember", "my brew", "--save", record, "--quiet", "--json",
    )  # fmt: skip
    assert again.exit_code == 0
    assert json.loads(again.stdout)["remembered"] == "my brew"
    special, brew = read_goals(memory).entries
    assert (special.name, brew.name) == ("morning special", "my brew")
    assert special.content == brew.content
    name, _, digest = str(dict(read_record(record).options)["goals"]).partition(" ")
    assert (name, len(digest)) == ("mine.jsonl", 12)


def test_what_was_not_called_right_is_not_remembered(tmp_path: Path) -> None:
    memory = tmp_path / "mine.jsonl"
    words = ("--goals", memory, "--remember", "my lunch", "--no-save")
    done = _run("make toast\n", *COFFEE, *words)
    assert done.exit_code == 1
    assert "not remembered" in done.output
    assert not memory.exists()


def test_rows_and_runs_name_the_memory(tmp_path: Path) -> None:
    memory, out = tmp_path / "mine.jsonl", tmp_path / "run"
    assert (
        _run("make a coffee, call it the brew\nthanks\n", *COFFEE, "--goals", memory).exit_code == 0
    )
    words = ("eval", "--room", "kitchen-01", "--tasks", "Coffee", "--commander", "speaker")
    chosen = ("--follower", "listener", "--goals", memory, "--out", out)
    done = _run("", *words, *chosen)
    assert done.exit_code == 0
    row = json.loads((out / "results.jsonl").read_text("utf-8").splitlines()[-1])
    label = json.loads((out / "run.json").read_text("utf-8"))["options"]["setup"]["goals"]
    assert row["goals"] == label
    assert label.startswith("mine.jsonl ")
    missing = _run("", *words, "--follower", "listener", "--goals", tmp_path / "none.jsonl")
    assert missing.exit_code == 2
    assert "there is no such memory" in missing.stderr


def test_of_several_followers_those_recall_names_that_can(tmp_path: Path) -> None:
    memory = tmp_path / "mine.jsonl"
    write_goals(NamedGoals(), memory)
    names = ("listener", "listener-no-memory", "rule")
    setups = [SessionSetup(follower=name).with_settings(goals=str(memory)) for name in names]
    kept = [for_follower(EvalOptions(setup=each)).setup.get("goals") for each in setups]
    assert kept == [str(memory), None, None]
    made = resolve_agents(setups[0]).make_follower()
    assert isinstance(made, ListenerFollower)
    with pytest.raises(BadInput, match="reads no dialogue that could recall a name"):
        resolve_agents(setups[1])


def test_of_several_followers_those_have_a_level_that_perceive() -> None:
    level, names = PerceptionLevel.MASKS, ("listener", "rule")
    setups = [SessionSetup(follower=name, perception=level) for name in names]
    kept = [for_follower(EvalOptions(setup=each)).setup.perception for each in setups]
    assert kept == [level, None]
    check_one_uses(setups[0], names)
    with pytest.raises(BadInput, match="none of the Followers perceives"):
        check_one_uses(setups[0], ("rule", "random"))


def test_a_follower_that_reads_no_dialogue_takes_no_goals(tmp_path: Path) -> None:
    goals = tmp_path / "mine.jsonl"
    write_goals(NamedGoals(), goals)
    done = _run("", *COFFEE, "--follower", "rule", "--goals", goals)
    assert done.stderr.splitlines() == [
        "error: --goals: the Follower rule reads no dialogue that could recall a name (leave it "
        "out, or name --follower listener)",
    ]
    for command in ("run", "eval", "compare", "debug", "understand"):
        assert "--memory" not in run_tatc(command, "--help").stdout


def test_compare_refuses_a_memory_that_nobody_recalls(tmp_path: Path) -> None:
    memory = tmp_path / "mine.jsonl"
    words = ("compare", "--room", "kitchen-01", "--follower", "rule", "--follower", "random")
    for file, message in (
        (memory, f"{memory}: there is no such memory"),
        (None, "--goals: none of the Followers reads dialogue that could recall a name"),
    ):
        if file is None:
            write_goals(NamedGoals(), memory)
        done = _run("", *words, "--goals", memory, "--out", tmp_path / "runs")
        assert done.exit_code == 2 and message in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_python_names_the_memory_too(tmp_path: Path) -> None:
    memory, missing = tmp_path / "mine.jsonl", tmp_path / "none.jsonl"
    write_goals(NamedGoals(), memory)
    pair = {"commander": "speaker", "follower": "listener"}
    record = tatc.run("Coffee", room="kitchen-01", goals=memory, **pair)
    assert str(dict(record.options)["goals"]).startswith("mine.jsonl ")
    for call in (
        lambda: tatc.run("Coffee", follower="listener", goals=missing),
        lambda: tatc.evaluate(rooms=["kitchen-01"], follower="listener", goals=missing),
        lambda: tatc.compare(["listener", "rule"], rooms=["kitchen-01"], goals=missing),
    ):
        with pytest.raises(BadInput, match="there is no such memory"):
            call()
