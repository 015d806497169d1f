"""What an operator sends is checked before anything is done, and answered in one line."""

import json
from typing import Any

import anyio
import pytest

from tatc.apps.serving.operator import with_operator
from tatc.apps.serving.session_table import LiveSessions
from tatc.base.web_server import OPERATOR_KEY

TOO_MANY_DIGITS = b"1" * 5000  # for Python to read them as a number


def answer_to(*messages: dict[str, Any]) -> tuple[int, bytes]:
    """Return status and body of the answer to a request to save that comes in these messages."""
    left, sent = list(messages), list[Any]()

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    async def clients(*_: object) -> None:
        raise AssertionError("a client's application got an operator's request")

    scope = {"type": "http", "method": "POST", "path": "/operator/save", "headers": []}
    app = with_operator(clients, LiveSessions())
    anyio.run(app, scope | {OPERATOR_KEY: True}, receive, send)
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "session is missing or no text"),
        (b"[]", "the request is no JSON object"),
        (b"\xff", "it is not text in UTF-8"),
        (b'{"session": "a', "is not JSON"),
        (b'{"session": %s}' % TOO_MANY_DIGITS, "a number in it has too many digits"),
        (b'{"session": %s%s}' % (b"[" * 8, b"]" * 8), "nested deeper than 8 levels"),
        (b'{"session": "\\ud800"}', r"there is no session '\ud800'"),
    ],
)
def test_what_is_no_request_is_refused_in_one_line(body: bytes, why: str) -> None:
    status, answer = answer_to({"type": "http.request", "body": body})
    told = json.loads(answer)["error"]
    assert status == 400 and why in told and "\n" not in told


def test_an_operator_that_goes_away_is_no_fault() -> None:
    assert answer_to({"type": "http.disconnect"}) == (400, b"")
