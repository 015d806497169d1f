"""A connection by the client's HTTP server: a POST sends an event and returns an action."""

from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from json import dumps
from typing import Any

from tatc.apps.thorserver.client_connection import ProtocolFault
from tatc.apps.thorserver.fifo import parse_thor_action
from tatc.apps.thorserver.wire_images import WireImage

_BOUNDARY = "tatc-----part-----7f3a5d1c"
_TEXT_CONTENT_TYPE = 'text/plain; charset="utf-8"'
"""Spelt as the client's parser expects it, like `Content-disposition` below."""


class WsgiConnection:
    """A connection to one client."""

    def __init__(self, host: str, port: int, token: str) -> None:
        """Note the address; the first `send` connects."""
        self._connection = HTTPConnection(host, port)
        self._token = token
        self._response = b""

    def send(self, metadata: Mapping[str, Any], images: Sequence[WireImage]) -> None:
        """Send the event that answers the last action, and wait for the next action."""
        body = b"".join(self._parts(metadata, images))
        content_type = f"multipart/form-data; boundary={_BOUNDARY}"
        try:
            self._connection.request("POST", "/train", body, {"Content-Type": content_type})
            response = self._connection.getresponse()
            self._response = response.read()
        except HTTPException as fault:
            raise OSError(f"the client hung up: {fault}") from fault
        except UnicodeError as fault:  # of a host name that is none
            raise ProtocolFault(f"the client cannot be reached: {fault}") from fault
        if response.status != 200:
            raise ProtocolFault(f"the client answered with HTTP status {response.status}")

    def receive(self) -> dict[str, Any] | None:
        """Return the client's next action, or None if its response holds none."""
        action = parse_thor_action(self._response)
        return action if "action" in action else None

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _parts(self, metadata: Mapping[str, Any], images: Sequence[WireImage]) -> Iterator[bytes]:
        yield b"\r\n"  # clients before 2.5 look for a line's end before every boundary
        yield _multipart_part("metadata", _TEXT_CONTENT_TYPE, dumps(metadata).encode())
        yield _multipart_part("token", _TEXT_CONTENT_TYPE, self._token.encode(errors="replace"))
        for each in images:
            yield _multipart_part(each.part, "application/octet-stream", each.data, each.part)
        yield f"--{_BOUNDARY}--\r\n".encode()


def _multipart_part(name: str, content_type: str, data: bytes, file: str | None = None) -> bytes:
    named = f'; filename="{file}"' if file is not None else ""
    head = (
        f"--{_BOUNDARY}\r\n"
        f'Content-disposition: form-data; name="{name}"{named}\r\n'
        f"Content-Type: {content_type}\r\n\r\n"
    )
    return head.encode() + data + b"\r\n"
