"""Inspect runs sessions with models in either role or both, and its own reader opens the log."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra: inspect")

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from tatc.apps.serving.inspect_task import last_turns, teach_tatc
from tatc.base.errors import BadInput
from tatc.home.actions import Role
from tatc.session.records import SessionEnd, read_record
from tatc.session.text_world.text_agents import MAX_ANSWERS_WITHOUT_CALL
from tests.session.text_world.scripted_models import SCRIPTS, Call

pytestmark = pytest.mark.filterwarnings("default")  # what Inspect's own imports warn of


def with_usage(output: ModelOutput) -> ModelOutput:
    """Return the output with a usage; without one Inspect looks for tokenizer data."""
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def as_output(call: Call) -> ModelOutput:
    return with_usage(ModelOutput.for_tool_call("mockllm", *call))


def scripted(role: Role) -> Callable[..., ModelOutput]:
    """Return a mock model that follows the script of a role."""
    script = SCRIPTS[role]()

    def answer(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        if len(messages) == 2:
            return as_output(next(script))
        return as_output(script.send(messages[-1].text))

    return answer


def run(outputs: Any, log_folder: Path, **options: Any) -> EvalLog:
    """Run the task with a mock model; return the log as Inspect's reader opens it."""
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    options = {"tasks": "coffee", "rooms": "kitchen-01", "context_turns": 1000} | options
    (log,) = inspect_eval(
        teach_tatc(**options), model=model, log_dir=str(log_folder), display="none"
    )
    return read_eval_log(log.location)


@pytest.mark.parametrize("role", list(Role))
def test_a_scripted_model_makes_coffee(role: Role, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    log = run(scripted(role), tmp_path, role=role.name.lower(), save=str(folder))
    assert log.status == "success", log.error
    (sample,) = log.samples or []
    assert sample.id == "kitchen-01_coffee_1"
    (score,) = (sample.scores or {}).values()
    assert score.value == {"success": 1.0, "goal_conditions": 1.0}
    assert score.explanation.startswith("success: 3 of 3 goal conditions are met, 2 of them at")
    (saved,) = folder.iterdir()
    record = read_record(saved)
    assert record.end is SessionEnd.SUCCESS
    assert dict(record.options)[role.name.lower()] == "tools"


def test_a_model_that_calls_no_tool_ends_the_session(tmp_path: Path) -> None:
    def talk(*_: Any) -> ModelOutput:
        return with_usage(ModelOutput.from_content("mockllm", "Hello."))

    (sample,) = run(talk, tmp_path).samples or []
    assert sample.store["tatc"]["end"] == "gave_up"
    assert [m.role for m in sample.messages].count("assistant") == MAX_ANSWERS_WITHOUT_CALL


def test_answers_are_bounded_and_a_wrong_call_is_answered(tmp_path: Path) -> None:
    def open_unknown(*_: Any) -> ModelOutput:
        return as_output(("do", {"action": "open", "object": "Mug_99"}))

    (sample,) = run(open_unknown, tmp_path, max_calls=4).samples or []
    answers = [m.text for m in sample.messages if m.role == "tool"]
    assert len(answers) == 4
    assert all("no object has been called Mug_99" in text for text in answers)
    assert sample.store["tatc"]["interactions"] == 0


def test_two_models_play_both_agents_in_turn(tmp_path: Path) -> None:
    def talk(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        if "You are the Commander" in messages[0].text:
            return as_output(("say", {"words": "Turn left."}))
        return as_output(("ask", {"question": "What is next?"}))

    (sample,) = run(talk, tmp_path, role="both", max_calls=6).samples or []
    texts = [m.text for m in sample.messages if m.role == "user"]
    assert any("Heard: What is next?" in text for text in texts)
    assert any("Heard: Turn left." in text for text in texts)


def test_forks_are_branches_in_the_log(tmp_path: Path) -> None:
    """The session stops after its fork; of the forks the first turns, the second looks up."""
    calls: list[Call] = [
        ("turn", {"direction": "left"}),
        ("stop", {}),
        *[("turn", {"direction": "left"}), ("stop", {})],
        *[("look", {"direction": "up"}), ("stop", {})],
    ]
    outputs = [as_output(call) for call in calls]
    log = run(outputs, tmp_path, fork_at=1, forks=2, save=str(tmp_path / "records"))
    assert log.status == "success", log.error
    (sample,) = log.samples or []
    kinds = [event.event for event in sample.events]
    assert kinds.count("branch") == 2 and kinds.index("anchor") < kinds.index("branch")
    outcome = sample.store["tatc"]
    assert [each["interactions"] for each in (outcome, *outcome["forks"])] == [1, 2, 2]
    records = [read_record(each) for each in (tmp_path / "records").iterdir()]
    assert sorted(dict(each.options).get("restores", 0) for each in records) == [0, 1, 1]


def test_a_model_is_shown_its_last_answers() -> None:
    messages: Any = [*"su"]
    from inspect_ai.model import ChatMessageAssistant

    answers = [ChatMessageAssistant(content=str(i)) for i in range(5)]
    for answer in answers:
        messages += [answer, "result"]
    assert last_turns(messages, 2) == ["s", "u", answers[3], "result", answers[4], "result"]
    assert last_turns(messages, 5) == messages


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"role": "driver"}, "unknown role 'driver'"),
        ({"tasks": "no such task"}, "unknown task"),
        ({"rooms": "nowhere-01"}, "nowhere-01"),
        ({"count": 0}, "count: should be 1 or more"),
        ({"fork_at": 0}, "fork_at: should be 1 or more"),
        ({"seed": "3"}, "seed: should be a whole number"),
        ({"max_calls": 1.5}, "max_calls: should be a whole number"),
        ({"role": 1}, "unknown role '1'"),
        ({"rooms": 1}, "unknown room '1'"),
        ({"follower": "rule"}, "tool calls play the Follower already"),
        ({"role": "both", "commander": "rule"}, "tool calls play the Commander already"),
    ],
)
def test_wrong_options_are_refused_with_the_fix(options: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        teach_tatc(**options)


@pytest.mark.parametrize("tasks", [102, [102], "102", "coffee,", ["Coffee"]])
def test_tasks_come_as_yaml_reads_them(tasks: Any) -> None:
    made = teach_tatc(tasks=tasks, rooms=["kitchen-01"], seed=3.0)
    assert [each.id for each in made.dataset] == ["kitchen-01_coffee_3"]


@pytest.mark.parametrize(
    "call",
    [
        ("move", {"direction": "left", "times": 2.0}),
        ("move", {"direction": "left", "times": None}),
        ("ask", {"question": None}),
    ],
)
def test_numbers_and_nulls_reach_the_tool(call: Call, tmp_path: Path) -> None:
    (sample,) = run(lambda *_: as_output(call), tmp_path, max_calls=1).samples or []
    (answer,) = (m for m in sample.messages if m.role == "tool")
    assert answer.error is None and "refused" not in answer.text


def test_the_command_of_inspect_finds_the_task(tmp_path: Path) -> None:
    if not entry_points(group="inspect_ai", name="tatc"):
        pytest.skip("tatc is not installed, so that its entry points are not known")
    words = ["-m", "inspect_ai._cli.main", "eval", "tatc/teach_tatc", "-T", "role=follower"]
    words += ["-T", "tasks=102", "-T", "max_calls=1", "--model", "mockllm/model"]
    words += ["--log-dir", str(tmp_path), "--display", "none"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = tmp_path.glob("*.eval")
    assert read_eval_log(str(path)).eval.task == "tatc/teach_tatc"
