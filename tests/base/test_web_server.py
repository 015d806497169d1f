"""The server: it announces an address that answers, and refuses one it cannot have."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.server import ServerState

from tatc.base import web_server
from tatc.base.errors import BadInput
from tatc.base.web_server import AccessGuard, PathToken, RequestTimeoutProtocol, draw_token


async def answer(request: Request) -> PlainTextResponse:
    with suppress(ClientDisconnect):
        await request.body()
    return PlainTextResponse("here")


APP = Starlette(routes=[Route("/", answer, methods=["GET", "POST"])])


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[uvicorn.Server]:
    """Return a list to which every server is added that is started."""
    started: list[uvicorn.Server] = []
    run = uvicorn.Server.run

    def run_and_note(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        started.append(self)
        run(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "run", run_and_note)
    return started


def serve(announce: Callable[[str], None], closed: Callable[[], None]) -> None:
    web_server.serve(APP, PathToken(draw_token()), web_server.LOOPBACK, 0, announce, closed)


def test_the_announced_address_answers_until_the_server_ends(started: list[uvicorn.Server]):
    events: list[str] = []

    def announce(address: str) -> None:
        Thread(target=read_and_end, args=(address,)).start()

    def read_and_end(address: str) -> None:
        with urlopen(address) as answer:
            events.append(answer.read().decode())
        started[0].should_exit = True

    serve(announce, lambda: events.append("closed"))
    assert events == ["here", "closed"]


@pytest.mark.parametrize(
    "sent",
    [
        [b""],
        [b"GET / HTTP/1.1\r\nHost: x"],
        [b"POST /TOKEN/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nhalf"],
        [b"GET /TOKEN/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET /TOK"],
    ],
    ids=["nothing", "half a head", "half a body", "half a second request"],
)
def test_a_connection_without_a_whole_request_ends(
    sent: list[bytes], started: list[uvicorn.Server], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(RequestTimeoutProtocol, "request_seconds", 0.25)
    ended: list[bool] = []

    def connect(address: str) -> None:
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname or "", parts.port or 0)) as client:
            client.settimeout(15)
            for index, part in enumerate(sent):
                if index:
                    assert client.recv(1 << 16).startswith(b"HTTP/1.1 200")
                client.sendall(part.replace(b"TOKEN", parts.path.strip("/").encode()))
            with suppress(TimeoutError):
                while client.recv(1 << 16):
                    pass
                ended.append(True)
        started[0].should_exit = True

    def announce(address: str) -> None:
        Thread(target=connect, args=(address,)).start()

    serve(announce, lambda: None)
    assert ended == [True]


class Echo(asyncio.Protocol):
    """What a connection becomes that asks for a WebSocket: it answers what it gets."""

    def __init__(self, **_: object) -> None:
        pass

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


async def speak_over_a_web_socket(pause: float) -> list[bytes]:
    """Ask for a WebSocket, and after a pause of so many seconds say one word; return the answers.

    The last answer is empty if the server has closed the connection.
    """
    config = uvicorn.Config(APP, http=RequestTimeoutProtocol, ws=Echo, log_config=None)
    config.load()
    listening = await asyncio.get_running_loop().create_server(
        lambda: RequestTimeoutProtocol(config, ServerState(), {}), web_server.LOOPBACK, 0
    )
    async with listening:
        port = listening.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection(web_server.LOOPBACK, port)
        words = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        writer.write(words)
        first = await asyncio.wait_for(reader.read(1 << 16), 15)
        await asyncio.sleep(pause)
        writer.write(b"word")
        second = await asyncio.wait_for(reader.read(1 << 16), 15)
        writer.close()
    return [first, second]


def test_a_web_socket_stays_open_for_longer_than_a_request(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(RequestTimeoutProtocol, "request_seconds", 0.05)
    first, second = asyncio.run(speak_over_a_web_socket(pause=0.3))
    assert b"GET" in first
    assert second == b"word"


@pytest.mark.parametrize("occupied", [True, False])
def test_an_address_that_cannot_be_had_is_refused(occupied: bool):
    unused: Callable[..., None] = pytest.fail
    with socket.socket() as other:
        other.bind((web_server.LOOPBACK, 0))
        other.listen()
        host = web_server.LOOPBACK if occupied else "no.such.host.invalid"
        with pytest.raises(BadInput, match="cannot listen") as refused:
            web_server.serve(
                APP, PathToken(draw_token()), host, other.getsockname()[1], unused, unused
            )
    assert "--port" in str(refused.value)


ADDRESS = "ws://127.0.0.1:8000"


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text)
    await websocket.close(1001)


SOCKETS = Starlette(routes=[WebSocketRoute("/ws", echo)])
CLIENT = TestClient(AccessGuard(SOCKETS, PathToken("the-token"), {"localhost"}))


def test_with_the_token_messages_go_both_ways() -> None:
    with CLIENT.websocket_connect(f"{ADDRESS}/the-token/ws") as socket:
        socket.send_text("here")
        assert socket.receive_text() == "here"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        *((path, {}) for path in ("/ws", "/wrong/ws", "/the-token")),
        ("/the-token/ws", {"origin": "http://evil.example"}),
        ("/the-token/ws", {"host": "evil.example"}),
    ],
)
def test_without_it_or_from_elsewhere_none_is_opened(path: str, headers: dict[str, str]) -> None:
    connect = CLIENT.websocket_connect(ADDRESS + path, headers=headers)
    with pytest.raises(WebSocketDisconnect), connect:
        pass


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 404),
        ("LocalHost:8000", 404),
        ("tatc", 404),
        ("TATC:18700", 404),
        ("my-space.example", 404),
        ("My-Space.Example.:443", 404),
        ("[::1]:80", 404),
        ("10.0.0.7", 404),
        ("tatc.example", 403),
        ("my-space.example.evil", 403),
        ("tatc@evil.example", 403),
        ("[tatc", 403),
        ("", 403),
    ],
)
def test_a_server_answers_to_its_names_alone_whatever_their_case_and_port(
    host: str, status: int
) -> None:
    names = {"localhost", "Tatc", "my-space.example"}
    client = TestClient(AccessGuard(SOCKETS, PathToken("the-token"), names))
    got = client.get("/the-token/none", headers={"host": host, "origin": f"https://{host}"})
    assert got.status_code == status
    assert ("--allow-host" in got.text) == (status == 403)


def test_an_idle_one_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "WEBSOCKET_IDLE_SECONDS", 0.05)
    with CLIENT.websocket_connect(f"{ADDRESS}/the-token/ws") as socket:
        assert socket.receive()["type"] == "websocket.close"
