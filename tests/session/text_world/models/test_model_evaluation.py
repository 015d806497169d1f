"""Runs whose sessions a language model plays: rows, resuming, and what is refused."""

import json
from pathlib import Path

import pytest

from tests.language.llm.stub_endpoint import MODEL, StubEndpoint, failing
from tests.session.text_world.models.conftest import Run
from tests.session.text_world.models.scripted_endpoint import ScriptedModel, calling

EVAL = ("eval", "--room", "kitchen-04", "--tasks", "coffee", "--seeds", "1-2", "--follower", "llm")


def test_rows_name_the_model_its_calls_and_its_tokens(
    run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    estimate = json.loads(run(*EVAL, "--dry-run", "--json").stdout)
    assert estimate["sessions"] == 2 and estimate["calls_at_most"] == 600 and not stub.bodies
    first = ScriptedModel()
    answers = 25  # enough for the first session, too few for both
    stub.usual = lambda body: first(body) if len(stub.bodies) < answers else failing(500)(body)
    done = run(*EVAL, "--out", tmp_path / "run", "--save-records", "none")
    assert done.exit_code == 1 and "1 sessions were not answered" in done.stderr, done.output
    assert f"played by {MODEL}" in done.stdout and "1 sessions, 1 not answered" in done.stdout
    lines = (tmp_path / "run" / "results.jsonl").read_text().splitlines()
    one, two = (json.loads(line) for line in lines)
    assert one["models"] == two["models"] == f"follower {MODEL}"
    assert one["end"] == "success" and 10 < one["model_calls"] < answers
    assert one["model_tokens"] == one["model_calls"] * 720
    assert two["end"] == "model_failed" and two["unanswered"].startswith("answers 500: ")
    stub.usual = ScriptedModel()
    again = run(*EVAL, "--out", tmp_path / "run", "--save-records", "none", "--json")
    found = json.loads(again.stdout)
    assert again.exit_code == 0 and (found["sessions"], found["unanswered"]) == (2, 0)
    assert found["successes"] == 2 and not found["left_out"]


def test_one_process_asks_the_model_and_instances_have_no_such_agent(
    run: Run, tmp_path: Path
) -> None:
    done = run(*EVAL, "--workers", "2")
    assert done.exit_code == 2 and "one process asks the model" in done.stderr
    done = run("eval", tmp_path, "--kind", "tfd", "--follower", "llm")
    assert done.exit_code == 2 and "no language model plays in instances" in done.stderr


@pytest.mark.usefixtures("without_workers")
def test_models_are_compared_with_other_agents(
    run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    stub.usual = lambda body: calling("stop", {})
    sessions = ("--room", "kitchen-04", "--tasks", "coffee", "--json")
    followers = ("--follower", "rule", "--follower", "llm")
    done = run("compare", *sessions, *followers, "--out", tmp_path / "runs")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["paired"]["difference"] == 1.0
    stub.usual = ScriptedModel()
    dialogue = ("--follower", "llm", "--dialogue", "two-way")
    worth = run("compare", *sessions, *dialogue, "--out", tmp_path / "worth", answers="b")
    assert worth.exit_code == 0, worth.output
    (row,) = json.loads(worth.stdout)["dialogue"]
    assert row["success"] == 1.0
    unused = run("compare", *sessions, "--follower", "rule", "--follower", "random")
    assert unused.exit_code == 2 and "no agent is played by a model" in unused.stderr
