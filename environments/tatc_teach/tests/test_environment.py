"""Episodes of both seats against an endpoint that answers by a script.

The tests of tatc do not collect these: verifiers needs an environment of its own.

    pytest environments/tatc_teach
"""

import asyncio
import json
from collections.abc import Callable
from functools import cache

import pytest
import tatc_teach
import verifiers.v1 as vf
from aiohttp import web
from tatc_teach.taskset import TeachTask

from tatc.apps.export.chat_demonstration import SessionPlan, checked_pair, demonstrate
from tatc.session.text_world import server_words
from tatc.session.text_world.wording import refusal

Request = dict
Script = Callable[[Request], dict]
KEY = "TATC_TEACH_TEST_KEY"
STOP = ("stop", "{}")


def called(*calls: tuple[str, str], number: int = 0) -> dict:
    """Return an answer with tool calls; `number` tells their ids from those of other answers."""
    made = [
        {
            "id": f"call{number:03}{at:02}",
            "type": "function",
            "function": {"name": n, "arguments": a},
        }
        for at, (n, a) in enumerate(calls)
    ]
    return {"role": "assistant", "content": None, "tool_calls": made}


def said(words: str) -> dict:
    return {"role": "assistant", "content": words}


def in_order(*answers: dict) -> Script:
    """Return a model that gives these answers one after the other."""
    return lambda request: answers[sum(m["role"] == "assistant" for m in request["messages"])]


def endpoint(scripts: dict[str, Script]) -> tuple[web.Application, list[Request]]:
    """Return an endpoint on which each model answers by its script, and the requests it gets."""
    requests: list[Request] = []

    async def complete(request: web.Request) -> web.Response:
        asked = await request.json()
        requests.append(asked)
        answer = scripts[asked["model"]](asked)
        choice = {"index": 0, "message": answer, "finish_reason": "stop"}
        found = {"id": "x", "object": "chat.completion", "created": 0, "model": asked["model"]}
        return web.json_response({**found, "choices": [choice]})

    app = web.Application(client_max_size=1 << 26)
    app.router.add_post("/v1/chat/completions", complete)
    return app, requests


def play(
    scripts: dict[str, Script], task: TeachTask, **settings: object
) -> tuple[vf.Episode, list[Request]]:
    """Play a session with a model of its name in each seat; return the episode and requests."""
    seats = {seat: {"model": seat, **settings.pop(seat, {})} for seat in ("commander", "follower")}
    env = tatc_teach.load_environment("valid_unseen", **seats, **settings)
    app, requests = endpoint(scripts)

    async def run() -> vf.Episode:
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]
        client = vf.EvalClientConfig(base_url=f"http://127.0.0.1:{port}/v1", api_key_var=KEY)
        try:
            async with env.serving():
                return await env.run_episode(task, vf.ModelContext("unnamed", client))
        finally:
            await runner.cleanup()

    episode = asyncio.run(run())
    assert episode.ok, [*episode.errors, *(t.errors for t in episode.traces)]
    return episode, requests


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "none")


@cache
def tasks() -> list[TeachTask]:
    return [*tatc_teach.load_environment("valid_unseen").taskset.take(20)]


@cache
def demonstration(role: str) -> tuple[TeachTask, dict]:
    """Return the first session that can be demonstrated, and the line of `tatc export`."""
    for task in tasks():
        plan = SessionPlan.of(task.start(), checked_pair(role, "rule", "rule", None))
        line, _ = demonstrate(False, ("test", lambda plan=plan: plan))
        if line is not None:
            return task, line
    raise AssertionError("no session can be demonstrated")


def answers_of(line: dict) -> list[dict]:
    return [each for each in line["messages"] if each["role"] == "assistant"]


def plain(messages: list[dict]) -> list[dict]:
    """Return messages without what servers write in different ways: content that is empty."""
    return [{**each, "content": each.get("content") or ""} for each in messages]


@pytest.mark.parametrize("role", ["follower", "commander"])
def test_an_experts_calls_earn_all_and_read_what_demonstrations_hold(role: str) -> None:
    task, line = demonstration(role)
    episode, requests = play({role: in_order(*answers_of(line))}, task, role=role)
    [trace] = episode.traces
    assert trace.rewards["goal_conditions"].value == trace.reward == 1.0
    assert trace.metrics["success"] == 1.0
    assert trace.metrics["calls"] == line["tatc"]["calls"] == len(requests)
    assert trace.metrics["steps"] > 0
    assert trace.metrics["refused_calls"] == trace.metrics["silent_answers"] == 0
    assert trace.agent.name == role
    assert trace.info["tatc"]["session"] == line["tatc"]["session"]
    assert plain(requests[-1]["messages"]) == plain(line["messages"][:-1])
    assert requests[-1]["tools"] == line["tools"]
    assert len(trace.branches) == 1  # so a trainer gets one sequence


@pytest.mark.parametrize("role", ["follower", "commander"])
def test_a_model_that_stops_at_once_earns_nothing(role: str) -> None:
    episode, _ = play({role: in_order(called(STOP))}, tasks()[0], role=role)
    [trace] = episode.traces
    assert trace.reward == trace.metrics["success"] == 0.0
    assert trace.metrics["calls"] == trace.num_turns == 1


@pytest.mark.parametrize("train", ["both", "follower", "commander"])
def test_two_models_play_one_session_and_earn_the_same(train: str) -> None:
    task, line = demonstration("follower")
    go_on = called(("say", '{"words": "Go on."}'))

    def commander(request: Request) -> dict:
        assert "say" in {each["function"]["name"] for each in request["tools"]}
        return go_on

    scripts = {"follower": in_order(*answers_of(line)), "commander": commander}
    episode, requests = play(scripts, task, train=train)
    traces = {trace.agent.name: trace for trace in episode.traces}
    assert traces.keys() == {"follower", "commander"}
    assert [trace.reward for trace in traces.values()] == [1.0, 1.0]
    trained = {name for name, trace in traces.items() if trace.agent.trainable}
    assert trained == ({"follower", "commander"} if train == "both" else {train})
    follower = [each for each in requests if each["model"] == "follower"]
    assert "Heard: Go on." in json.dumps(follower[-1]["messages"])
    assert "Task: " not in json.dumps(follower[-1]["messages"])
    assert all(len(trace.branches) == 1 for trace in traces.values())


def test_wrong_calls_are_answered_with_the_reason_and_counted() -> None:
    script = in_order(
        called(("teleport", "{}")),
        called(("turn", '{"direction": '), number=1),
        called(("turn", '{"direction": "up"}'), number=2),
        said("I see a mug."),
        called(("turn", '{"direction": "left"}'), number=4),
        called(STOP, number=5),
    )
    episode, requests = play({"follower": script}, tasks()[0], role="follower")
    [trace] = episode.traces
    assert trace.reward == 0.0
    assert (trace.metrics["calls"], trace.metrics["refused_calls"]) == (5, 3)
    assert trace.metrics["silent_answers"] == 1
    messages = requests[-1]["messages"]
    told = [each["content"] for each in messages if each["role"] == "tool"]
    assert "there is no tool 'teleport'" in told[0]
    assert refusal("no_json") in told[1]
    assert "direction should be" in told[2]
    assert {"role": "user", "content": server_words("call_a_tool")} in messages
    sent_back = [c for m in messages for c in m.get("tool_calls") or ()]
    assert [c["function"]["arguments"] for c in sent_back][:2] == ["{}", "{}"]


def test_a_model_that_never_calls_a_tool_ends_the_session() -> None:
    episode, requests = play({"commander": lambda _: said("Hm.")}, tasks()[0], role="commander")
    [trace] = episode.traces
    assert (trace.reward, trace.metrics["silent_answers"], len(requests)) == (0.0, 3, 3)
    assert trace.info["tatc"]["end"] == "model_failed"


def test_a_call_in_a_text_is_taken() -> None:
    written = said('{"name": "turn", "arguments": {"direction": "left"}}')
    episode, requests = play(
        {"follower": in_order(written, called(STOP))}, tasks()[0], role="follower"
    )
    [trace] = episode.traces
    assert (trace.metrics["calls"], trace.metrics["silent_answers"]) == (2, 0)
    assert requests[-1]["messages"][-1]["role"] == "user"
    assert "turn left: done" in requests[-1]["messages"][-1]["content"]


def test_all_calls_of_an_answer_are_carried_out() -> None:
    left = ("turn", '{"direction": "left"}')
    script = in_order(called(left, ("ask", "{}"), left), called(STOP, number=1))
    episode, requests = play({"follower": script}, tasks()[0], role="follower")
    [trace] = episode.traces
    assert (trace.metrics["calls"], trace.metrics["refused_calls"]) == (4, 0)
    told = [each for each in requests[-1]["messages"] if each["role"] == "tool"]
    assert [each["tool_call_id"] for each in told] == ["call00000", "call00001", "call00002"]
    assert "Heard: " in told[1]["content"]


def test_a_limit_ends_the_session_and_what_was_reached_is_scored() -> None:
    def ask(request: Request) -> dict:
        return called(("view", "{}"), number=len(request["messages"]))

    episode, requests = play(
        {"follower": ask}, tasks()[0], role="follower", follower={"max_turns": 4}
    )
    [trace] = episode.traces
    assert len(requests) == 4
    assert (trace.stop_condition, trace.reward) == ("max_turns", 0.0)
    assert trace.info["tatc"]["end"] == "budget_spent"


def test_splits_that_list_sessions_end_and_others_do_not() -> None:
    listed, drawn = map(tatc_teach.load_environment, ("valid_unseen", "train"))
    assert listed.taskset.bounded
    assert len([*listed.taskset]) == 240
    assert not drawn.taskset.bounded
    first, second = drawn.taskset.take(2)
    assert first.start().session_id != second.start().session_id
    assert first.start().session_id == TeachTask(first.data).start().session_id


def test_settings_that_cannot_be_are_refused() -> None:
    for settings in (
        {"split": "nowhere"},
        {"role": "nobody"},
        {"role": "follower", "agent": "llm"},
        {"grain": "coarse"},
    ):
        with pytest.raises(Exception, match=r"nowhere|nobody|llm|grain"):
            tatc_teach.load_environment(**settings)
