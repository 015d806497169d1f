"""WebSockets pass the guard as requests do, and end when nothing comes."""

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from tatc.base import web_server
from tatc.base.web_server import AccessGuard, PathToken

ADDRESS = "ws://127.0.0.1:8000"


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text)
    await websocket.close(1001)


APP = Starlette(routes=[WebSocketRoute("/ws", echo)])
CLIENT = TestClient(AccessGuard(APP, PathToken("the-token"), {"localhost"}))


def test_with_the_token_messages_go_both_ways() -> None:
    with CLIENT.websocket_connect(f"{ADDRESS}/the-token/ws") as socket:
        socket.send_text("here")
        assert socket.receive_text() == "here"


@pytest.mark.parametrize("path", ["/ws", "/wrong/ws", "/the-token"])
def test_without_it_none_is_opened(path: str) -> None:
    with pytest.raises(WebSocketDisconnect), CLIENT.websocket_connect(ADDRESS + path):
        pass


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
def test_from_elsewhere_none_is_opened(headers: dict[str, str]) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        CLIENT.websocket_connect(f"{ADDRESS}/the-token/ws", headers=headers),
    ):
        pass


def test_an_idle_one_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "WEBSOCKET_IDLE_SECONDS", 0.05)
    with CLIENT.websocket_connect(f"{ADDRESS}/the-token/ws") as socket:
        assert socket.receive()["type"] == "websocket.close"
