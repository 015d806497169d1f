"""The client's HTTP server: a message is a POST, the next action its answer."""

from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from json import dumps
from typing import Any

from tatc.thorserver.fifo import read_action
from tatc.thorserver.messages import WireFault
from tatc.thorserver.pictures import Picture

_BOUNDARY = "tatc-----part-----7f3a5d1c"
_TEXT = 'text/plain; charset="utf-8"'
"""As the client's own parser wants it spelt, like `Content-disposition` below."""


class WsgiWire:
    """A connection to one client."""

    def __init__(self, host: str, port: int, token: str) -> None:
        """Connect when the first message is sent."""
        self._connection = HTTPConnection(host, port)
        self._token = token
        self._answer = b""

    def send(self, metadata: Mapping[str, Any], pictures: Sequence[Picture]) -> None:
        """Send a message and wait for the action that answers it."""
        body = b"".join(self._parts(metadata, pictures))
        kind = f"multipart/form-data; boundary={_BOUNDARY}"
        try:
            self._connection.request("POST", "/train", body, {"Content-Type": kind})
            response = self._connection.getresponse()
            self._answer = response.read()
        except HTTPException as fault:
            raise OSError(f"the client hung up: {fault}") from fault
        if response.status != 200:
            raise WireFault(f"the client answered with HTTP status {response.status}")

    def receive(self) -> dict[str, Any] | None:
        """Return the client's next action, None where it says that there is none."""
        action = read_action(self._answer)
        return action if "action" in action else None

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def _parts(
        self, metadata: Mapping[str, Any], pictures: Sequence[Picture]
    ) -> Iterator[bytes]:
        yield _part("metadata", _TEXT, dumps(metadata).encode())
        yield _part("token", _TEXT, self._token.encode())
        for each in pictures:
            yield _part(each.part, "application/octet-stream", each.data, each.part)
        yield f"--{_BOUNDARY}--\r\n".encode()


def _part(name: str, kind: str, data: bytes, file: str | None = None) -> bytes:
    named = f'; filename="{file}"' if file is not None else ""
    head = (
        f"--{_BOUNDARY}\r\n"
        f'Content-disposition: form-data; name="{name}"{named}\r\n'
        f"Content-Type: {kind}\r\n\r\n"
    )
    return head.encode() + data + b"\r\n"
