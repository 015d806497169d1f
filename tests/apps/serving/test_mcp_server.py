"""An assistant plays either agent through the SDK's own client, over stdio and HTTP."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra: mcp")

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tatc.home.actions import Role
from tatc.session.records import SessionEnd, read_record
from tatc.session.session_record import replay_record
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.session.text_world.scripted_models import SCRIPTS

ROOT = Path(__file__).parents[3]
ROOM = "kitchen-01"
ENVIRONMENT = dict(os.environ) | {"PYTHONPATH": str(ROOT)}


def stdio_words(folder: Path, *options: str) -> list[str]:
    save = ["--save", str(folder)]
    return ["-m", "tatc", "serve", "mcp", "coffee", "--room", ROOM, *save, *options]


def stdio_client(folder: Path, *options: str) -> Client:
    words = stdio_words(folder, *options)
    return Client(
        StdioServerParameters(command=sys.executable, args=words, env=ENVIRONMENT, cwd=folder)
    )


async def call(client: Client, name: str, **arguments: Any) -> str:
    result = await client.call_tool(name, arguments)
    return "\n".join(part.text for part in result.content if part.type == "text")


async def play(client: Client, role: Role) -> str:
    """Play a session to its end; return the last text."""
    text, script = await call(client, "start"), SCRIPTS[role]()
    name, arguments = next(script)
    while "The session has ended" not in text:
        text = await call(client, name, **arguments)
        if name != "stop":
            name, arguments = script.send(text)
    return text


def test_an_assistant_commands_the_making_of_coffee_over_stdio(tmp_path: Path) -> None:
    async def main() -> str:
        async with stdio_client(tmp_path, "--as", "commander") as client:
            return await play(client, Role.COMMANDER)

    assert "success; 3 of 3 goal conditions are met." in anyio.run(main)
    (saved,) = tmp_path.iterdir()
    record = read_record(saved)
    assert record.end is SessionEnd.SUCCESS
    assert dict(record.options)["commander"] == "tools"
    assert replay_record(record, EmbeddedSimulator()).is_same


@asynccontextmanager
async def http_client(address: str, bearer: str, mode: str = "auto") -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": bearer}) as sender,
        Client(streamable_http_client(address, http_client=sender), mode=mode) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Return the address of a server with the clients ann and ben, and where it saves records."""
    folder = tmp_path_factory.mktemp("records")
    tokens = tmp_path_factory.mktemp("tokens") / "clients.txt"
    tokens.write_text("# who may play\nann ann-has-this-token\n\nben ben-has-another-one\n")
    words = [sys.executable, "-m", "tatc", "serve", "mcp", "coffee", "--room", ROOM, "--http"]
    words += ["--save", str(folder), "--tokens", str(tokens)]
    words += ["--allow-host", "my-space.example", "--allow-host", "tatc:8800"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), folder
        process.terminate()


ANN, BEN = "Bearer ann-has-this-token", "Bearer ben-has-another-one"


def test_an_assistant_follows_over_http(server: tuple[str, Path]) -> None:
    address, folder = server

    async def main() -> str:
        async with http_client(address, ANN) as client:
            return await play(client, Role.FOLLOWER)

    assert "success; 3 of 3 goal conditions are met." in anyio.run(main)
    assert [read_record(each).end for each in folder.iterdir()] == [SessionEnd.SUCCESS]


def test_numbers_and_nulls_are_taken_and_long_texts_refused(server: tuple[str, Path]) -> None:
    async def main() -> None:
        async with http_client(server[0], ANN) as client:
            await call(client, "start")
            assert "move left 2: done" in await call(client, "move", direction="left", times=2.0)
            assert "words is too long" in await call(client, "say", words="x" * 1001)
            assert "refused" not in await call(client, "ask", question=None)
            await call(client, "stop")

    anyio.run(main)


def test_a_client_of_an_older_protocol_plays_too(server: tuple[str, Path]) -> None:
    async def main() -> str:
        async with http_client(server[0], ANN, "legacy") as client:
            await call(client, "start")
            return await call(client, "turn", direction="left") + await call(client, "stop")

    assert "Last: turn left: done" in anyio.run(main)


def test_a_session_of_another_client_does_not_exist(server: tuple[str, Path]) -> None:
    async def main() -> None:
        async with http_client(server[0], ANN) as ann, http_client(server[0], BEN) as ben:
            started = re.match(r"Session (\w+)", await call(ann, "start"))
            assert started is not None
            refused = await ben.call_tool("turn", {"direction": "left", "session": started[1]})
            assert refused.is_error
            assert "you have no session" in str(refused.content)
            assert "no session is going on" in await call(ben, "turn", direction="left")
            turned = await call(ann, "turn", direction="left", session=started[1])
            assert "Last: turn left: done" in turned
            await call(ann, "stop", session=started[1])

    anyio.run(main)


def test_the_tools_are_the_text_worlds_and_none_goes_back(server: tuple[str, Path]) -> None:
    async def main() -> set[str]:
        async with http_client(server[0], ANN) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    names = anyio.run(main)
    assert {"start", "move", "go_to", "do", "ask", "stop"} <= names
    assert not [name for name in names if re.search("snapshot|restore|fork|state|undo", name)]


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer ann-has-this-toke"}, 401),
        ({"authorization": "Basic ann-has-this-token"}, 401),
        ({"origin": "https://evil.example"}, 403),
        ({"host": "evil.example"}, 403),
        ({"host": "tatc:18700"}, 200),
        ({"host": "My-Space.example"}, 200),
    ],
)
def test_without_a_token_or_from_elsewhere_nothing_is_answered(
    server: tuple[str, Path], changed: dict[str, str], status: int
) -> None:
    headers = {"authorization": ANN, "accept": "application/json, text/event-stream"} | changed
    request = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    got = httpx2.post(server[0], json=request, headers=headers)
    assert got.status_code == status
    assert ("--allow-host NAME" in got.text) == ("host" in changed and status == 403)


def test_a_large_request_is_refused(server: tuple[str, Path]) -> None:
    headers = {"authorization": ANN, "content-type": "application/json"}
    for content in (b" " * 70_000, iter([b" " * 40_000, b" " * 40_000])):
        assert httpx2.post(server[0], content=content, headers=headers).status_code == 413


CRASHING = """
class Crashing:
    decisions = ()
    def begin(self, oracle, task): pass
    def act(self, view): open("/home/alice/secret/model.pt")
"""


def test_a_client_learns_no_folder_of_the_servers(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CRASHING)

    async def main() -> str:
        async with stdio_client(tmp_path, "--commander", "mine:Crashing") as client:
            said = await call(client, "start")
            return said + await call(client, "ask") + await call(client, "turn", direction="left")

    told = anyio.run(main)
    assert "the Commander crashed: FileNotFoundError" in told and "model.pt" in told
    assert "alice" not in told and str(tmp_path) not in told


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_a_signal_ends_the_server_and_its_session_is_saved(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    command, pipe = [sys.executable, *stdio_words(tmp_path)], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT) as server:
        assert server.stdin and server.stdout and server.stderr

        def send(answers: bool, **message: Any) -> None:
            assert server.stdin and server.stdout
            server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
            server.stdin.flush()
            assert not answers or server.stdout.readline()

        client = {"name": "x", "version": "1"}
        begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        send(True, id=0, method="initialize", params=begin)
        send(False, method="notifications/initialized")
        for i, name, given in ((1, "start", {}), (2, "turn", {"direction": "left"})):
            send(True, id=i, method="tools/call", params={"name": name, "arguments": given})
        server.send_signal(number)  # while its stdin is open
        assert server.wait(30) == status
        assert b"Traceback" not in server.stderr.read()
    (saved,) = tmp_path.glob("*.game.json")
    assert read_record(saved).interactions
