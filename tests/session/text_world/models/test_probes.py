"""Probes: what a model is asked beside a session, and how its answers are scored."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from tatc.apps.debugger.branches import branch_of_session
from tatc.apps.debugger.command_prompt import CommandPrompt
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.evaluation.runs.rows import read_row
from tatc.home.actions import Role
from tatc.language.llm import ModelSettings
from tatc.session.records import ModelCallEnd, Record, RecordedModelCall, read_record
from tatc.session.text_world.probes import MAX_PROBES, Prober, score_probes
from tatc.session.text_world.reading import Reading
from tatc.session.text_world.wording import phrase
from tatc.session.timeline import Timeline, read_finished_session
from tests.command_line import run_tatc
from tests.language.llm.stub_endpoint import (
    MODEL,
    Behaviour,
    StubEndpoint,
    completion,
    failing,
    saying,
)
from tests.session.text_world.models.conftest import SESSION, Run
from tests.session.text_world.models.scripted_endpoint import ScriptedModel, calling

QUESTION = phrase("probes", "before")
ANSWERS = {
    "follower": ["the sink basin", '{"answer": "pick_up Mug"}', "Microwave"],
    "commander": ["<think>no? A mug...</think>Yes.", "Nothing", "Mug"],
}
SCORES = {
    "follower": {"where asked": 2, "where right": 1, "wants asked": 1, "wants right": 1},
    "commander": {"seen asked": 1, "seen right": 1, "holds asked": 2, "holds right": 1},
}


def is_probe(body: dict[str, Any]) -> bool:
    return QUESTION in body["messages"][-1]["content"]


def answering(probes: Iterator[Behaviour]) -> Behaviour:
    """Return a scripted model, which answers each probe as the next of these behaves."""
    script = ScriptedModel()
    return lambda body: next(probes)(body) if is_probe(body) else script(body)


@pytest.mark.parametrize("role", ["follower", "commander"])
def test_a_session_is_the_same_with_and_without_probes(
    role: str, run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    def play(name: str, *options: str) -> tuple[Record, list[dict[str, Any]]]:
        stub.usual, sent = answering(map(saying, ANSWERS[role])), len(stub.bodies)
        path = tmp_path / f"{name}.game.json"
        words = (*SESSION, f"--{role}", "llm", "--save", path, "--max-calls", "21", "--json")
        done = run(*words, *options, answers=name)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout).get("probes", {}) == (SCORES[role] if options else {})
        return read_record(path), stub.bodies[sent:]

    (plain, sent), (probed, all_sent) = play("plain"), play("probed", "--probes")
    asked = [body for body in all_sent if is_probe(body)]
    assert [body for body in all_sent if not is_probe(body)] == sent
    assert len(asked) == 3 and all(body["tools"] == sent[-1]["tools"] for body in asked)
    assert b"probe" not in (tmp_path / "plain.game.json").read_bytes()
    turns = tuple(call for call in probed.model_calls if not call.probe)
    options = tuple(option for option in probed.options if option != ("probes", 1))
    assert replace(probed, model_calls=turns, options=options) == plain
    again = tmp_path / "again.game.json"
    words = ("run", "--answers-from", tmp_path / "probed.game.json", "--save", again)
    done = run_tatc(*map(str, words))
    told = ", ".join(f"{name} {count}" for name, count in SCORES[role].items())
    assert f"Probes: {told}\n" in done.stdout, done.output
    assert again.read_bytes() == (tmp_path / "probed.game.json").read_bytes()


def test_two_models_are_asked_each_its_own(run: Run, stub: StubEndpoint, tmp_path: Path) -> None:
    scripts = {"Follower": [("ask", {}), ("stop", {})], "Commander": [("check", {})]}
    scripts["Commander"].append(("say", {"words": "Bring me the mug."}))

    def answer(body: dict[str, Any]) -> Response:
        role = (
            "Follower" if "You are the Follower" in body["messages"][0]["content"] else "Commander"
        )
        return completion("no") if is_probe(body) else calling(*scripts[role].pop(0))

    stub.usual, path, again = answer, tmp_path / "a.game.json", tmp_path / "b.game.json"
    run(*SESSION, "--commander", "llm", "--follower", "llm", "--save", path, "--probes")
    asked = [
        f"{call.role.name}: {call.probe or call.tool}" for call in read_record(path).model_calls
    ]
    assert asked == [
        *("FOLLOWER: ask", "COMMANDER: check", "COMMANDER: seen Mug", "COMMANDER: holds"),
        *("COMMANDER: say", "FOLLOWER: where Mug", "FOLLOWER: stop"),
    ]
    told = json.dumps([body["messages"] for body in stub.bodies if not is_probe(body)])
    assert QUESTION not in told
    run_tatc("run", "--answers-from", str(path), "--save", str(again), "--quiet")
    assert again.read_bytes() == path.read_bytes()


def test_a_probe_is_bound_to_no_form(run: Run, stub: StubEndpoint) -> None:
    script = ScriptedModel(as_json=True)
    stub.usual = lambda body: completion("hand") if is_probe(body) else script(body)
    done = run(*SESSION, "--follower", "llm", "--no-save", "--probes", "--constrain", "schema")
    assert done.exit_code == 0, done.output
    bound = {is_probe(body): "response_format" in body for body in stub.bodies[2:]}
    assert bound == {True: False, False: True}


def test_a_pinned_session_goes_on_with_probes(run: Run, stub: StubEndpoint, tmp_path: Path) -> None:
    path, pinned = tmp_path / "a.game.json", tmp_path / "b.game.json"
    stub.usual = answering(map(saying, ANSWERS["commander"]))
    run(*SESSION, "--commander", "llm", "--save", path, "--probes")
    stub.usual = lambda body: completion("hm") if is_probe(body) else calling("stop", {})
    again = ("run", "--answers-from", path, "--save", pinned, "--quiet", "--pin")
    assert run(*again, "2", answers="others").exit_code == 1
    old, new = read_record(path).model_calls, read_record(pinned).model_calls
    assert new[:2] == old[:2] and [call.probe for call in new] == ["", "seen Mug", "holds", ""]
    assert new[2].text == "hm" and new[3].tool == "stop"


@pytest.mark.parametrize(
    ("behaviour", "asked"),
    [
        (saying(""), 2),
        (saying(None), 2),
        (saying("<think>CounterTop"), 2),
        (saying("CounterTop or SinkBasin"), 2),
        (saying('{"answer": ["Mug", {'), 2),
        (saying("\u2014 " * 20_000), 2),
        (lambda body: calling("view", {}), 2),
        (failing(400, "no questions"), 0),
        (failing(500), 0),
    ],
)
def test_whatever_is_answered_the_session_goes_on(
    behaviour: Behaviour, asked: int, run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    stub.usual = answering(iter([behaviour] * 50))
    done = run(*SESSION, "--follower", "llm", "--no-save", "--probes", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["success"] and found["probes"].get("where asked", 0) == asked
    assert not found["probes"].get("where right", 0)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Record, Timeline]:
    """Return a session of rule-based agents, whose Commander speaks in steps."""
    path = tmp_path_factory.mktemp("rule") / "rule.game.json"
    words = (*SESSION, "--wording", "steps", "--save", str(path), "--quiet")
    assert run_tatc(*words).exit_code == 0
    return read_record(path), Timeline.of(path)


@pytest.mark.parametrize(
    ("probe", "moment", "answer", "is_right"),
    [
        ("where Mug", "start", "CounterTop", True),
        ("where Mug", "start", "on the Counter Top.", True),
        ("where Mug", "start", "SinkBasin_12", True),
        ("where Mug", "start", "hand", False),
        ("where Mug", "start", "not in the SinkBasin", False),
        ("where Mug", "held", "Hand", True),
        ("where Mug", "held", "SinkBasin", False),
        ("where Mug", "held", "unknown", False),
        ("where Toilet", "held", "unknown", True),
        ("where Toilet", "held", "nothing", False),
        ("wants", "told", "pick_up Mug", True),
        ("wants", "told", "Pick up the mug", True),
        ("wants", "told", "place Mug", False),
        ("wants", "start", "pick_up Mug", False),
        ("wants", "start", "", False),
        ("seen Mug", "held", "yes", True),
        ("seen Mug", "held", "no", False),
        ("seen Toilet", "held", "No!", True),
        ("holds", "held", "a Mug", True),
        ("holds", "held", "nothing", False),
        ("holds", "start", "nothing", True),
    ],
)
def test_an_answer_is_scored_by_the_state_at_its_step(
    probe: str, moment: str, answer: str, is_right: bool, session: tuple[Record, Timeline]
) -> None:
    record, timeline = session
    states = [each.snapshot for each in timeline.moments]
    told = next(each.index for each in timeline.moments if "pick up" in (each.utterance or ""))
    held = next(i for i, state in enumerate(states) if state.held_object() is not None)
    step, kind = {"start": 0, "told": told, "held": held}[moment], probe.split()[0]
    record = replace(record, model_calls=(_call(probe, step, answer),))
    assert score_probes(record, states) == {f"{kind} asked": 1, f"{kind} right": int(is_right)}


def test_what_no_session_of_ours_asks_is_not_scored(session: tuple[Record, Timeline]) -> None:
    record, timeline = session
    states = [each.snapshot for each in timeline.moments]
    calls = [_call(probe, 0, "no") for probe in ("", " ", "who Mug")]
    calls += [_call("holds", len(states), "nothing")]
    calls += [replace(_call("holds", 0, "nothing"), end=ModelCallEnd.FAILED)]
    assert score_probes(replace(record, model_calls=tuple(calls)), states) == {}


def _call(probe: str, step: int, text: str) -> RecordedModelCall:
    end = ModelCallEnd.ANSWERED
    return RecordedModelCall(
        role=Role.FOLLOWER, model="m", request="r", end=end, text=text, step=step, probe=probe
    )


def test_words_decide_what_a_follower_is_asked_and_how_often() -> None:
    prober = Prober(Role.FOLLOWER)
    assert prober.due(Reading("", "Holding: nothing\nIn view: as before")) == ()
    assert prober.due(Reading("", "Heard: Well, well.")) == ()
    told = Reading("", "Holding: nothing\nHeard: bring two forks to the dining table, please")
    assert prober.due(told) == ("where Fork",)
    assert prober.due(Reading("", "Heard: turn left")) == ("where Fork",), "as nothing else is"
    closed = Reading("", "Heard: turn left, pick up the butter knife on the counter top")
    asked = [probe for _ in range(MAX_PROBES) for probe in prober.due(closed)]
    assert asked[:2] == ["where ButterKnife", "wants"] and len(asked) == MAX_PROBES - 2


def test_what_is_missing_decides_what_a_commander_is_asked() -> None:
    prober = Prober(Role.COMMANDER)
    assert prober.due(Reading("", "Heard: Goal conditions met: 1 of 3\nMug_1 is here")) == ()
    checked = (
        "Heard: nothing\nGoal conditions met: 1 of 3\n[ ] Serve\n- Mug_1: Rinse\n- Egg_2: Cook"
    )
    asked = [prober.due(Reading("", checked)) for _ in range(3)]
    assert asked == [("seen Mug", "holds"), ("seen Egg", "holds"), ("seen Mug", "holds")]


@pytest.mark.usefixtures("without_workers")
def test_rows_and_reports_have_the_scores(run: Run, stub: StubEndpoint, tmp_path: Path) -> None:
    def evaluate(name: str, *options: str) -> tuple[dict[str, Any], dict[str, Any]]:
        stub.usual = answering(map(saying, ANSWERS["commander"]))
        words = ("eval", "--room", "kitchen-04", "--tasks", "coffee", "--commander", "llm")
        out = ("--out", tmp_path / name, "--save-records", "none")
        done = run(*words, *out, "--json", *options, answers=name)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout), json.loads((tmp_path / name / "results.jsonl").read_text())

    (_, plain), (found, row) = evaluate("plain"), evaluate("probed", "--probes")
    assert row.pop("probes") == found["probes"] == SCORES["commander"]
    assert found["per_task"]["Coffee"]["probes"] == SCORES["commander"]
    assert row == plain, "neither calls nor tokens of probes are the session's"
    assert dict(read_row(row | {"probes": {"seen asked": 1}}).probes) == {"seen asked": 1}
    told = run_tatc("report", str(tmp_path / "probed")).stdout
    assert "Probes: holds asked 2, holds right 1, seen asked 1, seen right 1\n" in told
    assert "Probes" not in run_tatc("report", str(tmp_path / "plain")).stdout


def test_an_estimate_counts_probes(run: Run) -> None:
    words = (*SESSION, "--follower", "llm", "--dry-run", "--json")
    counts = [
        json.loads(run(*words, *more).stdout)["calls_at_most"] for more in ((), ("--probes",))
    ]
    assert counts == [300, 300 + MAX_PROBES]


def test_an_edited_message_is_read_in_a_probe_too(
    run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    path, fork, again = (tmp_path / f"{name}.game.json" for name in "abc")
    stub.usual = answering(map(saying, ANSWERS["follower"]))
    run(*SESSION, "--follower", "llm", "--save", path, "--probes")
    source = read_finished_session(path)
    model = ModelSettings(MODEL, stub.base_url, cache=str(tmp_path / "other"))
    debugger = Debugger(branch_of_session(source), replace(source.setup, model=model))
    prompt = CommandPrompt(debugger, FollowerCamera(source.start.scene))
    debugger.go_to(next(call.step for call in read_record(path).model_calls if call.probe))
    assert "asked where Mug: the sink basin; " in prompt.execute("model").message
    prompt.execute("message Stop now.")
    stub.usual = _stopping
    debugger.forward()
    debugger.save(fork)
    calls = read_record(fork).model_calls
    assert [call.probe for call in calls[-3:]] == ["where Mug", "wants", ""]
    assert {call.message for call in calls[-3:]} == {"Stop now."}
    run_tatc("run", "--answers-from", str(fork), "--save", str(again), "--quiet")
    assert read_record(again).model_calls == calls


def _stopping(body: dict[str, Any]) -> Response:
    newest = body["messages"][-1]["content"]
    assert newest.startswith("Stop now.")
    return completion("unknown") if is_probe(body) else calling("stop", {})
