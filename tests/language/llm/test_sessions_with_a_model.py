"""Sessions and instances whose dialogue a model reads: what is asked, and what is recorded."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

from tatc.evaluation.runs.run_identity import read_run_file
from tatc.language.llm import ModelSettings
from tatc.session.session_record import model_options
from tests.command_line import run_tatc
from tests.language.llm.conftest import KEY
from tests.language.llm.goal_answers import COFFEE, goal_saying
from tests.language.llm.stub_endpoint import MODEL, StubEndpoint, failing, saying

LISTENER = ["--commander", "speaker", "--follower", "listener"]
SESSION = ["run", "coffee", "--room", "kitchen-01", *LISTENER]


def _tatc(stub: StubEndpoint, folder: Path, *words: str | Path) -> Result:
    model = ["--model", MODEL, "--base-url", stub.base_url, "--answers", str(folder / "answers")]
    return run_tatc(*words, *model)


@pytest.fixture
def played(stub: StubEndpoint, tmp_path: Path) -> Path:
    """Return the record of a session, of whose words the model reads all but the first."""
    stub.script, stub.usual = [saying("no goal"), saying("no goal")], goal_saying(COFFEE)
    path = tmp_path / "coffee.game.json"
    done = _tatc(stub, tmp_path, *SESSION, "--save", path)
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith("the lexicon reads in place of the model: the model's answer is")
    assert "Success: 3 of 3" in done.stdout and f"(model {MODEL})" in done.stdout
    return path


def test_a_session_names_its_readings_and_is_the_same_offline(
    played: Path, stub: StubEndpoint, tmp_path: Path
) -> None:
    options = json.loads(played.read_text())["tatc"]["options"]
    assert options["model"] == MODEL and options["understanding"] == "model 1, lexicon 1"
    sent, stub.usual = len(stub.bodies), failing(500)
    again = tmp_path / "again.game.json"
    done = _tatc(stub, tmp_path, *SESSION, "--save", again, "--offline", "--quiet")
    assert done.exit_code == 0 and len(stub.bodies) == sent
    assert again.read_bytes() == played.read_bytes()
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in each for each in files)
    assert stub.base_url not in played.read_text()


def test_instances_name_their_readings(stub: StubEndpoint, tmp_path: Path) -> None:
    game, instances, out = tmp_path / "game.json", tmp_path / "tfd", tmp_path / "run"
    words = ["run", "coffee", "--room", "kitchen-01", "--save", game, "--quiet"]
    assert run_tatc(*words).exit_code == 0
    assert run_tatc("instances", game, "--kind", "tfd", "--out", instances).exit_code == 0
    tfd = ["eval", instances, "--kind", "tfd", "--games", game, "--follower", "listener"]
    estimate = json.loads(_tatc(stub, tmp_path, *tfd, "--dry-run", "--json").stdout)
    assert estimate["requests"] == 1 and estimate["request_tokens"] > 500 and not stub.headers
    stub.usual = goal_saying(COFFEE)
    done = _tatc(stub, tmp_path, *tfd, "--out", out, "--workers", "2")
    assert done.exit_code == 0, done.output
    (row,) = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert row["understanding"] == "model" and row["end"] == "success"
    assert f"dialogue read by {MODEL}" in done.stdout
    model = read_run_file(out)["options"]["setup"]["model"]
    assert model["name"] == MODEL and stub.base_url not in (out / "run.json").read_text()
    for option in (["--goal", "true"], ["--follower", "rule"]):
        refused = _tatc(stub, tmp_path, *tfd, *option)
        assert refused.exit_code == 2 and refused.stderr.count("\n") == 1, refused.output


def test_a_record_names_no_folder_of_a_models_file() -> None:
    model = ModelSettings("/home/me/models/qwen.gguf", "http://localhost/v1")
    assert model_options(model, "model") == (("model", "qwen.gguf"), ("understanding", "model"))
    assert model_options(None, "") == ()


@pytest.mark.parametrize("command", ["run", "eval"])
def test_a_model_that_cannot_be_asked_ends_the_command_before_any_session(
    command: str, stub: StubEndpoint, tmp_path: Path
) -> None:
    words = ["coffee"] if command == "run" else ["--room", "kitchen-01", "--tasks", "coffee"]
    endpoint = ["--base-url", stub.base_url, "--answers", str(tmp_path)]
    done = run_tatc(command, *words, *LISTENER, "--model", "stub-9", *endpoint)
    assert done.exit_code == 2 and "The model stub-9 does not exist" in done.stderr
    done = _tatc(stub, tmp_path, command, *words, *LISTENER, "--dry-run")
    assert done.exit_code == 2 and "nobody knows the words of a session" in done.stderr
    done = _tatc(stub, tmp_path, command, *words)
    assert done.exit_code == 2
    assert "the Follower rule reads no dialogue that a model could read" in done.stderr
