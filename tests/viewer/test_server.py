"""The server: it announces an address that answers, and refuses one it cannot have."""

import socket
from collections.abc import Callable
from threading import Thread
from urllib.request import urlopen

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tatc.errors import BadInput
from tatc.viewer import server

APP = Starlette(routes=[Route("/", lambda request: PlainTextResponse("here"))])


def test_the_announced_address_answers_until_the_server_ends(monkeypatch: pytest.MonkeyPatch):
    started: list[uvicorn.Server] = []
    run = uvicorn.Server.run

    def run_and_note(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        started.append(self)
        run(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "run", run_and_note)
    events: list[str] = []

    def announce(address: str) -> None:
        Thread(target=read_and_end, args=(address,)).start()

    def read_and_end(address: str) -> None:
        with urlopen(address) as answer:
            events.append(answer.read().decode())
        started[0].should_exit = True

    server.serve(APP, server.LOOPBACK, 0, announce, lambda: events.append("closed"))
    assert events == ["here", "closed"]


@pytest.mark.parametrize("occupied", [True, False])
def test_an_address_that_cannot_be_had_is_refused(occupied: bool):
    unused: Callable[..., None] = pytest.fail
    with socket.socket() as other:
        other.bind((server.LOOPBACK, 0))
        other.listen()
        host = server.LOOPBACK if occupied else "no.such.host.invalid"
        with pytest.raises(BadInput, match="cannot listen") as refused:
            server.serve(APP, host, other.getsockname()[1], unused, unused)
    assert "--port" in str(refused.value)
