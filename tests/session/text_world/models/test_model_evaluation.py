"""Runs whose sessions a language model plays: rows, resuming, and what is refused."""

import json
from pathlib import Path

import pytest

from tests.command_line import run_tatc
from tests.language.llm.stub_endpoint import MODEL, Behaviour, StubEndpoint, cut_off, failing
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
    assert done.exit_code == 1 and "not answered: 1 session" in done.stderr, done.output
    assert f"played by {MODEL}" in done.stdout and "1 session, 1 not answered" in done.stdout
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
    stub.usual = lambda body: calling("stop", {})
    named = ("--follower", "rule", "--follower", f"llm:{MODEL}", "--perception", "truth")
    where = ("--base-url", stub.base_url, "--answers", tmp_path / "c", "--out", tmp_path / "named")
    done = run_tatc("compare", *sessions, *named, *where)
    assert done.exit_code == 0, done.output
    assert f"llm:{MODEL}" in json.loads(done.stdout)["followers"]
    unused = run("compare", *sessions, "--follower", "rule", "--follower", "random")
    assert unused.exit_code == 2 and "no agent is played by a model" in unused.stderr


@pytest.mark.usefixtures("without_workers")
@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (failing(429, "You exceeded your current quota of 60"), "answers 429: You exceeded"),
        (failing(403, "no"), "answers 403"),
        (lambda body: cut_off(body), "breaks off"),
    ],
)
def test_outages_are_not_the_models_score(
    fault: Behaviour, why: str, run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    out = ("--out", tmp_path / "run", "--json")
    stub.usual = fault
    done = run(*EVAL, *out)
    found = json.loads(done.stdout)
    assert done.exit_code == 1 and "not answered: 2 sessions" in done.stderr
    assert (found["sessions"], found["unanswered"], found["success_rate"]) == (0, 2, None)
    assert not found["failures"]
    text = run_tatc("report", tmp_path / "run", "--html", tmp_path / "p.html")
    assert why in text.stdout and why in (tmp_path / "p.html").read_text()
    if "429" in why:
        assert "quota of 60" in text.stdout, "digits tell outages apart"
    stub.usual = lambda body: calling("stop", {})
    again = json.loads(run(*EVAL, *out).stdout)
    assert (again["sessions"], again["unanswered"], again["left_out"]) == (2, 0, [])


@pytest.mark.usefixtures("without_workers")
def test_the_budget_of_a_run_is_none_of_its_sessions(
    run: Run, stub: StubEndpoint, tmp_path: Path
) -> None:
    stub.usual = lambda body: calling("stop", {})
    out = ("--out", tmp_path / "run", "--json")
    done = run(*EVAL, *out, "--max-tokens", "2200")
    found = json.loads(done.stdout)
    assert done.exit_code == 1 and (found["sessions"], found["unanswered"]) == (1, 1), done.output
    assert "are spent) (name more with --max-tokens)" in run_tatc("report", tmp_path / "run").stdout
    for endless in ("inf", "1e9", "nan"):
        assert run(*EVAL, "--timeout", endless).exit_code == 2
    again = json.loads(run(*EVAL, *out).stdout)
    assert (again["sessions"], again["unanswered"]) == (2, 0), "it goes on with more tokens"
