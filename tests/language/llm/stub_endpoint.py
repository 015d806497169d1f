"""An OpenAI-compatible endpoint on loopback that answers as a test says, and no model."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

MODEL = "stub-1"
Behaviour = Callable[[dict[str, Any]], Response]
"""Returns the response to a request's body."""


@dataclass
class StubEndpoint:
    """Behaves once as each of `script` says, then always as `usual` does.

    `delay` seconds pass before each answer.  The question before sessions is answered, unless
    `is_checked_too`.
    """

    base_url: str = ""
    usual: Behaviour = lambda body: completion("no test said what to answer")
    script: list[Behaviour] = field(default_factory=list[Behaviour])
    delay: float = 0.0
    is_checked_too: bool = False
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    def reset(self) -> None:
        """Forget what a test said and what was asked."""
        self.__init__(base_url=self.base_url)

    async def answer(self, request: Request) -> Response:
        body = json.loads(await request.body())
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        answer = self._answer_to(body)  # before the delay, in which the next test may begin
        await anyio.sleep(self.delay)
        return answer

    def _answer_to(self, body: dict[str, Any]) -> Response:
        if body["model"] != MODEL:
            return error(404, f"The model {body['model']} does not exist")
        is_check = body["messages"][0]["content"] == "Say yes." and "response_format" not in body
        if is_check and not self.is_checked_too:
            return completion("yes")
        return (self.script.pop(0) if self.script else self.usual)(body)


def completion(text: str | None, *, usage: bool = True) -> Response:
    """Return a right answer with this text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    found: dict[str, Any] = {"id": "x", "object": "chat.completion", "choices": [choice]}
    if usage:
        found["usage"] = {"prompt_tokens": 700, "completion_tokens": 50, "total_tokens": 750}
    return JSONResponse(found)


def saying(text: str | None, *, usage: bool = True) -> Behaviour:
    return lambda body: completion(text, usage=usage)


def error(status: int, message: object) -> Response:
    """Return an error as OpenAI words it; it may be tried again at once."""
    content = {"error": {"message": message, "type": "stub", "code": None}}
    return JSONResponse(content, status, {"retry-after-ms": "1"})


def failing(status: int, message: str = "not now") -> Behaviour:
    return lambda body: error(status, message)


def cut_off(body: dict[str, Any]) -> Response:
    """Close the connection in the midst of the answer."""
    return Response(b'{"choices": [', headers={"content-length": "9999"})


def closed(body: dict[str, Any]) -> Response:
    """Close the connection before the answer."""
    return _NoResponse()


class _NoResponse(Response):
    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send nothing."""


@contextmanager
def stub_endpoint() -> Iterator[StubEndpoint]:
    """Serve until the block ends."""
    stub = StubEndpoint()
    routes = [Route("/v1/chat/completions", stub.answer, methods=["POST"])]
    config = uvicorn.Config(Starlette(routes=routes), "127.0.0.1", 0, log_level="critical")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.005)
        port = server.servers[0].sockets[0].getsockname()[1]
        stub.base_url = f"http://127.0.0.1:{port}/v1"
        yield stub
    finally:
        server.should_exit = True
        thread.join()
