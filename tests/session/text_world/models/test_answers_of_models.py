"""What small and strange models answer, played through `tatc run`: no answer ends a session."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from tatc.home.actions import Role
from tatc.session.records import RecordedModelCall, read_record
from tests.command_line import run_tatc
from tests.language.llm.stub_endpoint import MODEL, StubEndpoint, completion, error, saying
from tests.session.text_world.models.conftest import SESSION, Run
from tests.session.text_world.models.scripted_endpoint import ScriptedModel, calling

Answer = Callable[[dict[str, Any]], Response]
TURN = '{"name": "turn", "arguments": {"direction": "left"}}'


def message(content: object, finish: str = "stop", **more: object) -> Answer:
    choice = {"message": {"content": content, **more}, "finish_reason": finish}
    return lambda body: Response(json.dumps({"choices": [choice], "usage": {}}))


def broken(arguments: str, name: str = "turn") -> Answer:
    return lambda body: calling(name, {}, raw=arguments)


def _play(
    run: Run, stub: StubEndpoint, path: Path, answers: Sequence[Answer], *options: str
) -> tuple[RecordedModelCall, ...]:
    """Play a session of these answers, then stop; and check that its record plays it again."""
    stub.script, stub.usual = [*answers], lambda body: calling("stop", {})
    done = run(*SESSION, "--follower", "llm", "--save", path, "--quiet", *options)
    assert done.exit_code == 1, done.output
    again = path.with_suffix(".again")
    words = ["run", "--answers-from", str(path), "--save", str(again), "--quiet"]
    assert run_tatc(*words).exit_code == 1
    assert again.read_bytes() == path.read_bytes()
    return read_record(path).model_calls


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (message(None, "length", reasoning_content="Let me see"), "was cut off after 500 tokens"),
        (message(""), "your answer was empty"),
        (message("<think>hm"), "held thought alone"),
        (message(None, refusal="I cannot do that."), "held words alone"),
        (message([{"type": "text", "text": "I would talk."}]), "held words alone"),
    ],
)
def test_an_answer_without_a_call_is_told_beside_the_newest_observation(
    answer: Answer, words: str, run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    answers = (lambda body: calling("turn", {"direction": "left"}), answer, answer)
    calls = _play(run, stub, tmp_path / "a.json", answers, "--context-tokens", "1000")
    assert [call.tool for call in calls] == ["turn", "", "", "stop"]
    first, second, third = (body["messages"] for body in stub.bodies[2:5])
    assert "1 in a row" in second[-1]["content"] and "2 in a row" in third[-1]["content"]
    for told in (second, third):
        assert words in told[-1]["content"]
        assert told[-1]["content"].startswith(first[-1]["content"]), "the observation stays"
        assert all(each["content"] for each in told if not each.get("tool_calls"))


@pytest.mark.parametrize(
    "answer",
    [
        broken('{"direction": "left"'),
        broken("left"),
        broken('["left"]'),
        broken("{}", "fly away!"),
    ],
)
def test_what_a_server_would_refuse_is_not_sent_back(
    answer: Answer, run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    calls = _play(run, stub, tmp_path / "a.json", [answer])
    assert len(calls) == 2 and len(stub.bodies) == 3
    (told,) = [each for each in stub.bodies[-1]["messages"] if each.get("tool_calls")]
    assert told["content"] is None
    function = told["tool_calls"][0]["function"]
    assert json.loads(function["arguments"]) == {} and function["name"].replace("_", "").isalnum()
    said = stub.bodies[-1]["messages"][-1]
    assert said["role"] == "tool" and "refused: " in said["content"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"<think>Perhaps {TURN}?</think>" + '{"name": "ask", "arguments": {}}', 2),
        (f"{TURN}\n" + '{"name": "ask", "arguments": {}}', 1),
        ("<think>so</think>Action: Turn\nAction Input: left", 1),
        ('{{"name": "TURN", "arguments": {{"direction": "LEFT"}}}}', 1),
        ('move("forward", "1")', 1),
        ('{"name": "turn", "arguments": "{\\"direction\\": \\"left\\"}"}', 1),
        ('{"tool": "go_to", "args": {"object": "mug_13"}}', 2),
    ],
)
def test_calls_in_text_are_carried_out(
    text: str, count: int, run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    _play(run, stub, path, [saying(text)])
    done = [each for each in read_record(path).interactions if each.success is not False]
    assert len(done) >= count
    told = json.dumps(stub.bodies[-1]["messages"])
    assert "<think>" not in told and "no tool call" not in told


def test_a_native_call_counts_before_the_text(run: Run, stub: StubEndpoint, tmp_path: Path) -> None:
    native = {"function": {"name": "ask", "arguments": "{}"}}
    _play(run, stub, tmp_path / "a.json", [message(TURN, tool_calls=[native])])
    done = read_record(tmp_path / "a.json").interactions
    verbs = [each.verb.name for each in done if each.role is Role.FOLLOWER]
    assert verbs[0] == "TEXT" and "TURN_LEFT" not in verbs


def test_a_server_that_takes_tools_and_shows_none_is_asked_for_json(
    run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    script = ScriptedModel(as_json=True)
    stub.usual = lambda body: completion("I talk.") if "tools" in body else script(body)
    path = tmp_path / "json.game.json"
    done = run(*SESSION, "--follower", "llm", "--save", path, "--quiet")
    assert done.exit_code == 0, done.output
    assert ["tools" in body for body in stub.bodies[1:6]] == [True, True, True, False, False]
    done = run(*SESSION, "--follower", "llm", "--no-save", "--tool-calls", "native")
    assert done.exit_code == 1 and "model failed" in done.stdout, "natively, it may not"


def test_a_context_that_is_too_long_is_shortened(
    run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    script = ScriptedModel()
    words = "This model's maximum context length is 900 tokens."
    stub.usual = lambda body: error(400, words) if len(body["messages"]) > 5 else script(body)
    path = tmp_path / "short.game.json"
    done = run(*SESSION, "--follower", "llm", "--save", path, "--quiet")
    assert done.exit_code == 0, done.output
    ends = [call.end for call in read_record(path).model_calls]
    assert 1 <= ends.count("rejected") < 10 and ends[-1] == "answered"
    stub.usual = lambda body: error(400, words) if "tools" in body else completion("yes")
    done = run(*SESSION, "--follower", "llm", "--no-save", "--quiet", answers="other")
    assert done.exit_code == 1 and words[:40] in done.stdout


def test_a_call_before_the_fallback_is_told_as_json(
    run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    def refuses(body: dict[str, Any]) -> Response:
        return error(400, "no tools here") if "tools" in body else calling("stop", {}, as_json=True)

    answers = (lambda body: calling("turn", {"direction": "left"}), refuses, refuses)
    _play(run, stub, tmp_path / "a.json", answers)
    said = [each["content"] for each in stub.bodies[-1]["messages"] if each["role"] == "assistant"]
    assert said == [TURN]


def test_each_agent_may_have_an_endpoint_and_a_key_of_its_own(
    run: Run, stub: StubEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TATC_COMMANDER_API_KEY", "of-the-commander")
    stub.usual = lambda body: calling("stop" if len(stub.bodies) > 4 else "ask", {})
    agents = ("--commander", f"llm:{MODEL}", "--follower", f"llm:{MODEL}")
    urls = ("--commander-base-url", stub.base_url, "--follower-base-url", stub.base_url)
    done = run_tatc(*SESSION, *agents, *urls, "--no-save", "--answers", str(tmp_path))
    assert done.exit_code == 1, done.output
    keys = {each["authorization"] for each in stub.headers}
    assert keys == {"Bearer of-the-commander", "Bearer none"}, "never the one of another endpoint"
    done = run_tatc(*SESSION, *agents[2:], *urls[:2], "--no-save")
    assert done.exit_code == 2 and "no Commander is played by a model" in done.stderr


def test_options_of_requests_are_sent_and_kept(
    run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    options = ("--temperature", "0.5", "--model-seed", "7", "--answer-tokens", "2000")
    _play(run, stub, tmp_path / "a.json", [], *options)
    body = stub.bodies[-1]
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.5, 7, 2000)
    kept = dict(read_record(tmp_path / "a.json").options)
    assert (kept["model_temperature"], kept["model_seed"]) == (0.5, 7)


def test_a_session_of_120_actions_ends_within_the_usual_budgets(run: Run) -> None:
    found = json.loads(run(*SESSION, "--follower", "llm", "--dry-run", "--json").stdout)
    tokens = found["request_tokens_at_most"] + found["answer_tokens_at_most"]
    assert 120 * tokens / found["calls_at_most"] < found["session_tokens"] < found["max_tokens"]
