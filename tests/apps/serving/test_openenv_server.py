"""OpenEnv's own client plays over a WebSocket, and its own validation passes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openenv", reason="needs the extra: openenv")

from openenv.core.generic_client import GenericEnvClient

from tatc.home.actions import Role
from tatc.session.records import SessionEnd, read_record
from tatc.session.start import load_split
from tests.session.text_world.scripted_models import SCRIPTS

pytestmark = pytest.mark.filterwarnings("default")  # what OpenEnv's own imports warn of
ROOT = Path(__file__).parents[3]


@contextmanager
def openenv_server(*options: str) -> Iterator[str]:
    """Run the command; yield the address that it prints."""
    words = [sys.executable, "-m", "tatc", "serve", "openenv", *options]
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Return the address of a server, and where it saves records."""
    folder = tmp_path_factory.mktemp("records")
    with openenv_server("coffee", "--room", "kitchen-01", "--save", str(folder)) as address:
        yield address, folder


def play(address: str, role: Role = Role.FOLLOWER) -> Any:
    """Play a session to its end; return the last result."""
    with GenericEnvClient(base_url=address).sync() as env:
        reset = env.reset()
        assert f"You are the {role.name.title()}" in reset.observation["rules"]
        tools = {tool["name"] for tool in reset.observation["tools"]}
        assert {"go_to", "ask"} <= tools or {"check", "tell"} <= tools
        script = SCRIPTS[role]()
        name, arguments = next(script)
        while True:
            result = env.step({"name": name, "arguments": arguments})
            if result.done:
                return result
            assert result.reward == 0
            name, arguments = script.send(result.observation["text"])


def test_scripted_followers_make_coffee_side_by_side(server: tuple[str, Path]) -> None:
    address, folder = server
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(play, [address, address]))
    assert [result.reward for result in results] == [1.0, 1.0]
    assert [read_record(each).end for each in folder.iterdir()] == [SessionEnd.SUCCESS]


def test_a_scripted_commander_makes_coffee(tmp_path: Path) -> None:
    options = ["--room", "kitchen-01", "--as", "commander", "--save", str(tmp_path)]
    with openenv_server("coffee", *options) as address:
        assert play(address, Role.COMMANDER).reward == 1.0
    (saved,) = tmp_path.iterdir()
    assert dict(read_record(saved).options)["commander"] == "tools"


def test_a_seed_draws_another_start_and_a_wrong_call_is_answered(server: tuple[str, Path]) -> None:
    with GenericEnvClient(base_url=server[0]).sync() as env:
        texts = [env.reset(seed=seed).observation["text"] for seed in (1, 2, 1)]
        assert texts[0] == texts[2] != texts[1]
        refused = env.step({"name": "fly", "arguments": {}})
        assert "there is no tool 'fly'" in refused.observation["text"]
        assert env.state()["step_count"] == 1


@pytest.mark.parametrize(
    "given",
    [
        *({"seed": seed} for seed in ("x/../../../../escaped/evil", 1.5, True, "", [1], 2**70)),
        *({"seed": float("inf")}, {"episode_id": 7}, {"episode_id": "x" * 300}, {"state": ["a"]}),
    ],
)
def test_a_reset_with_what_is_no_seed_or_id_is_refused(
    given: dict[str, Any], server: tuple[str, Path]
) -> None:
    before = {*server[1].parent.rglob("*")}
    with GenericEnvClient(base_url=server[0]).sync() as env:
        with pytest.raises(RuntimeError, match=f"{next(iter(given))}: (should be|is no)"):
            env.reset(**given)
        assert env.reset(seed=2.0).observation["text"] == env.reset(seed=2).observation["text"]
    made = {*server[1].parent.rglob("*")} - before  # such as the record of the test before
    assert {(path.parent, path.name[:17]) for path in made} <= {(server[1], "coffee_kitchen-01")}


def test_numbers_and_nulls_are_taken_and_long_texts_refused(server: tuple[str, Path]) -> None:
    calls = {
        "move left 2: done": ("move", {"direction": "left", "times": 2.0}),
        "words is too long": ("say", {"words": "x" * 1001}),
        "the argument object is missing": ("open", None),
    }
    with GenericEnvClient(base_url=server[0]).sync() as env:
        env.reset()
        for wanted, (name, arguments) in calls.items():
            result = env.step({"name": name, "arguments": arguments})
            assert wanted in result.observation["text"]


def test_without_the_token_no_connection_is_opened(server: tuple[str, Path]) -> None:
    base = server[0].rstrip("/").rpartition("/")[0]
    for address in (base, f"{base}/wrong"):
        with pytest.raises(Exception, match="403"):
            GenericEnvClient(base_url=address).sync().connect()
    headers = {"Origin": "https://evil.example"}
    with pytest.raises(Exception, match="403"):
        GenericEnvClient(base_url=server[0], headers=headers).sync().connect()


def test_the_example_collects_rollouts_of_a_split(tmp_path: Path) -> None:
    with openenv_server("--split", "train", "--save", str(tmp_path)) as address:
        words = [sys.executable, "examples/openenv_rollouts.py", address, "--episodes", "3"]
        done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["seed"] for each in found] == [0, 1, 2]
    calls = " ".join(turn["name"] for turn in found[0]["turns"])
    assert calls == "ask go_to go_to go_to stop"
    places = {read_record(each).scene.place for each in tmp_path.iterdir()}
    assert places == {load_split("train").draw(seed).place for seed in range(3)}


def test_sessions_beyond_the_limit_are_refused(tmp_path: Path) -> None:
    options = ["--split", "train", "--max-sessions", "1", "--save", str(tmp_path)]
    with openenv_server(*options) as address:
        with GenericEnvClient(base_url=address).sync() as env:
            env.reset(seed=1)
            with (
                pytest.raises(Exception, match="at capacity: 1/1 sessions"),
                GenericEnvClient(base_url=address).sync() as other,
            ):
                other.reset(seed=1)


def test_openenvs_own_validation_passes(server: tuple[str, Path]) -> None:
    words = [sys.executable, "-m", "openenv.cli", "validate", "--url", server[0], "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["passed"]
