"""`tatc understand --model`: as a user types it, online, offline, and where it goes wrong."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import Result

from tatc.commands.options import language_model_options
from tatc.language.llm import ModelSettings
from tests.command_line import run_tatc
from tests.language.llm.conftest import KEY
from tests.language.llm.goal_answers import COFFEE, TOAST, goal_saying
from tests.language.llm.stub_endpoint import MODEL, StubEndpoint, failing

LINES = "Commander: a hot black drink for me\nFollower: which mug?\nCommander: the blue one\n"


def _understand(stub: StubEndpoint, folder: Path, *words: str, stdin: str = LINES) -> Result:
    model = ["--model", MODEL, "--base-url", stub.base_url, "--answers", str(folder / "answers")]
    model += ["--call-log", str(folder / "calls.jsonl")]
    return run_tatc("understand", "-", *model, *words, input=stdin)


def test_the_model_reads_and_a_run_offline_gives_the_same_bytes(
    stub: StubEndpoint, tmp_path: Path
) -> None:
    stub.usual = goal_saying(COFFEE, ("coffee", "hot black drink"))
    first = _understand(stub, tmp_path)
    assert first.exit_code == 0 and first.stderr == ""
    assert first.stdout.splitlines()[0] == "goal: Coffee"
    assert "read by: model" in first.stdout and '"hot black drink"' in first.stdout
    found = json.loads(_understand(stub, tmp_path, "--json").stdout)
    assert found["read_by"] == "model" and found["goal"]["task"] == "Coffee"
    stub.usual = failing(500)
    again = _understand(stub, tmp_path, "--offline")
    assert again.stdout_bytes == first.stdout_bytes and len(stub.bodies) == 1
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY not in path.read_text()


def test_where_the_model_fails_the_lexicon_reads(stub: StubEndpoint, tmp_path: Path) -> None:
    stub.usual = failing(500)
    done = _understand(stub, tmp_path, stdin="Commander: make a coffee\n")
    assert done.exit_code == 0
    assert "goal: Coffee" in done.stdout and "read by: lexicon in place of" in done.stdout
    line = "the lexicon reads in place of the model: http://127.0.0.1"
    assert done.stderr.startswith(line) and done.stderr.count("\n") == 1
    offline = _understand(stub, tmp_path, "--offline")
    assert offline.exit_code == 0 and "the answer is not in the cache" in offline.stderr


def test_a_dry_run_sends_nothing(stub: StubEndpoint, tmp_path: Path) -> None:
    found = json.loads(_understand(stub, tmp_path, "--dry-run", "--json").stdout)
    assert found["dry_run"] is True and found["requests"] == 1
    assert 500 < found["request_tokens"] < 10_000 and found["answer_tokens_at_most"] > 0
    assert "nothing was sent" in _understand(stub, tmp_path, "--dry-run").stdout
    assert not stub.bodies and not [*tmp_path.rglob("answers/*")]


def test_dialogue_leaves_the_machine_only_after_a_yes(
    stub: StubEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ModelSettings, "is_loopback", False)
    stub.usual = goal_saying(COFFEE)
    host = stub.base_url.split("/")[2]
    done = _understand(stub, tmp_path)
    assert done.exit_code == 2
    assert f"dialogue would leave this machine, for {host} (give --yes" in done.stderr
    monkeypatch.setattr(language_model_options, "_is_person_there", lambda: True)
    dialogue = tmp_path / "dialogue.txt"
    dialogue.write_text(LINES)
    words = ["understand", str(dialogue), "--model", MODEL, "--base-url", stub.base_url]
    done = run_tatc(*words, input="n\n")
    assert done.exit_code == 2 and f"Send dialogue to {host}?" in done.stderr
    assert not stub.bodies
    assert run_tatc(*words, input="y\n").exit_code == 0
    assert run_tatc(*words, "--yes").exit_code == 0
    assert len(stub.bodies) == 1, "the second time, it is in the cache"
    assert KEY not in stub.headers[0]["authorization"], "over http, to another machine"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--base-url", "http://localhost/v1"], "there is no model to ask"),
        (["--offline"], "there is no model to ask"),
        (["--dry-run"], "there is no model to ask"),
        (["--model", "m"], "the endpoint of --model is missing"),
        (["--model", "m", "--base-url", "localhost:80"], "--base-url: is no address"),
    ],
)
def test_bad_input_is_one_line(words: list[str], line: str) -> None:
    pytest.importorskip("openai", reason="needs the extra: llm")
    done = run_tatc("understand", "-", *words, input=LINES)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"error: {line}") and done.stderr.count("\n") == 1


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    words = ["understand", "-", "--model", "m", "--base-url", "http://localhost/v1"]
    done = run_tatc(*words, input=LINES)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
    assert "error: this needs openai (extra llm)" in done.stderr


def test_games_are_scored_with_the_model(
    stub: StubEndpoint, tmp_path: Path, sample_games: list[Path]
) -> None:
    games = [*map(str, sample_games[:2])]
    model = ["--model", MODEL, "--base-url", stub.base_url, "--answers", str(tmp_path)]
    words = ["understand", *games, "--score", "--quick", "--json", *model]
    estimate = json.loads(run_tatc(*words, "--dry-run").stdout)
    assert estimate["requests"] == 2 and not stub.bodies
    stub.script, stub.usual = [goal_saying(TOAST)], failing(500)
    found = json.loads(run_tatc(*words).stdout)
    assert found["n"] == 2 and found["read_by"] == "model 1, lexicon 1"
    done = run_tatc(*words, "--workers", "2")
    assert done.exit_code == 2 and "one process asks the model" in done.stderr
