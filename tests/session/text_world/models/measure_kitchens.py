"""How often the scripted model makes coffee as either agent, by each way in which a model plays.

    python -m tests.session.text_world.models.measure_kitchens [run|mcp|openenv|inspect|ROOM ...]

`run` is `tatc run` with a stub endpoint, `mcp` and `openenv` are the servers with the packages' own
clients, `inspect` is the Inspect task with a mock model.  Without a way named it takes those whose
packages are installed; without rooms it plays in ten kitchens.  Pytest does not collect this.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

from tatc.home.actions import Role
from tatc.session.records import SessionEnd, read_record
from tatc.sim.rooms import room_names
from tests.command_line import run_tatc
from tests.language.llm.stub_endpoint import MODEL, stub_endpoint
from tests.session.text_world.models.scripted_endpoint import ScriptedModel

KITCHEN_COUNT = 10
ROLES = {role.name.lower(): role for role in Role}


def play_by_run(room: str, role: str, folder: Path) -> str:
    """Play by `tatc run`, with the model behind an endpoint."""
    with stub_endpoint() as stub:
        stub.usual = ScriptedModel()
        words = ["run", "coffee", "--room", room, f"--{role}", "llm", "--json"]
        words += ["--model", MODEL, "--base-url", stub.base_url, "--answers", str(folder / "kept")]
        done = run_tatc(*words, "--save", folder / "run.game.json")
    return json.loads(done.stdout)["end"] if done.stdout else done.stderr.strip()


def play_by_mcp(room: str, role: str, folder: Path) -> str:
    """Play by `tatc serve mcp`, with the SDK's own client."""
    from tests.apps.serving.test_mcp_server import play, stdio_client

    async def main() -> str:
        async with stdio_client(folder, "--as", role, room=room) as client:
            return await play(client, ROLES[role])

    anyio.run(main)
    return _end_of_record_in(folder)


def play_by_openenv(room: str, role: str, folder: Path) -> str:
    """Play by `tatc serve openenv`, with OpenEnv's own client."""
    from tests.apps.serving.test_openenv_server import openenv_server, play

    options = ["--room", room, "--as", role, "--save", str(folder)]
    with openenv_server("coffee", *options) as address:
        result = play(address, ROLES[role])
    end = _end_of_record_in(folder)
    assert (result.reward == 1.0) == (end == SessionEnd.SUCCESS.value)
    return end


def play_by_inspect(room: str, role: str, folder: Path) -> str:
    """Play by the Inspect task, with a mock model; its log is opened by Inspect's own reader."""
    from tests.apps.serving.test_inspect_task import run, scripted

    log = run(scripted(ROLES[role]), folder, role=role, rooms=room)
    (sample,) = log.samples or []
    return str(sample.store["tatc"]["end"])


def _end_of_record_in(folder: Path) -> str:
    (saved,) = folder.glob("*.game.json*")
    return read_record(saved).end.value


WAYS: dict[str, tuple[str, Callable[[str, str, Path], str]]] = {
    "run": ("openai", play_by_run),
    "mcp": ("mcp", play_by_mcp),
    "openenv": ("openenv", play_by_openenv),
    "inspect": ("inspect_ai", play_by_inspect),
}
"""The package that each way needs, and what plays a session."""


def main(words: list[str]) -> None:
    """Print how each session ends, then how many succeed by each way and in each role."""
    rooms = [word for word in words if word not in WAYS]
    rooms = rooms or [name for name in room_names() if name.startswith("kitchen-")][:KITCHEN_COUNT]
    ways = [word for word in words if word in WAYS]
    ways = ways or [way for way, (package, _) in WAYS.items() if find_spec(package)]
    solved: Counter[tuple[str, str]] = Counter()
    for way in ways:
        for room in rooms:
            for role in ROLES:
                with TemporaryDirectory() as folder:
                    end = WAYS[way][1](room, role, Path(folder))
                solved[way, role] += end == SessionEnd.SUCCESS.value
                print(way, room, role, end, flush=True)  # noqa: T201
    for way in ways:
        for role in ROLES:
            print(f"{way}, {role}: {solved[way, role]} of {len(rooms)}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
