"""`tatc debug` on a session that a model played: what it was asked, and a fork that goes on."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tatc.apps.debugger.branches import branch_of_session
from tatc.apps.debugger.command_prompt import CommandPrompt
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.base.errors import BadInput
from tatc.language.llm import ModelSettings
from tatc.session.records import SessionEnd, read_record
from tatc.session.timeline import read_finished_session
from tests.command_line import run_tatc
from tests.language.llm.stub_endpoint import MODEL, StubEndpoint
from tests.session.text_world.models.conftest import Run
from tests.session.text_world.models.scripted_endpoint import calling


def _debugger(record: Path, model: ModelSettings | None) -> tuple[Debugger, CommandPrompt]:
    source = read_finished_session(record)
    debugger = Debugger(branch_of_session(source), replace(source.setup, model=model))
    return debugger, CommandPrompt(debugger, FollowerCamera(source.start.scene))


def test_a_fork_at_a_call_goes_on_with_an_edited_message(
    played: Path, stub: StubEndpoint, tmp_path: Path
) -> None:
    settings = ModelSettings(MODEL, stub.base_url, cache=str(tmp_path / "other"))
    debugger, prompt = _debugger(played, settings)
    old = read_record(played).model_calls
    debugger.go_to(old[7].step)
    assert old[7].tool in prompt.execute("model").message
    sent, stub.usual = len(stub.bodies), lambda body: calling("stop", {})
    said = prompt.execute("message Put it down and stop.").message
    assert "the agents go on from step" in said and "at its next call" in said
    assert len(stub.bodies) == sent, "the record answers up to the fork"
    debugger.forward()
    assert debugger.branch.end is SessionEnd.GAVE_UP
    assert stub.bodies[-1]["messages"][-1]["content"] == "Put it down and stop."
    path = tmp_path / "fork.game.json"
    debugger.save(path)
    new = read_record(path).model_calls
    assert new[:7] == old[:7] and new[7].message == "Put it down and stop."
    again = tmp_path / "again.game.json"
    words = ["run", "--answers-from", str(path), "--save", str(again), "--quiet"]
    assert run_tatc(*words).exit_code == 1
    assert read_record(again).model_calls == new


def test_without_a_model_a_fork_ends_where_the_record_does_not_answer(played: Path) -> None:
    debugger, prompt = _debugger(played, None)
    debugger.go_to(read_record(played).model_calls[5].step)
    prompt.execute("message Something else.")
    assert "asks for something else than in the record" in debugger.forward().reason
    debugger.go_to(0)
    with pytest.raises(BadInput, match="there is no message"):
        prompt.execute("message")


def test_the_command_debugs_a_model(played: Path, run: Run, tmp_path: Path) -> None:
    done = run("debug", "--record", played, "--at", "3", "--print")
    assert done.exit_code == 0, done.output
    rule = tmp_path / "rule.game.json"
    document = json.loads(played.read_text())
    document["tatc"]["options"]["follower"] = "rule"
    del document["tatc"]["model_calls"], document["tatc"]["options"]["perception"]
    rule.write_text(json.dumps(document))
    done = run("debug", "--record", rule, "--print")
    assert done.exit_code == 2 and "no agent is played by a model" in done.stderr
    debugger, prompt = _debugger(rule, None)
    for line in ("message Turn left.", "model"):
        with pytest.raises(BadInput, match="no language model"):
            prompt.execute(line)
    assert debugger.at == 0
