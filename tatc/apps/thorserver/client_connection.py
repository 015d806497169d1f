"""Connections to a client: the client's named pipes, or its HTTP server."""

import json
import os
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from errno import ENXIO
from http.client import HTTPConnection, HTTPException
from io import BufferedReader
from time import sleep
from typing import Any, cast

from tatc.apps.thorserver.wire_images import WireImage
from tatc.base import errors, files, plain_text


class ProtocolFault(errors.TatcError):
    """The client sent no message of its protocol; an OSError says that it is gone."""


_HEADER = struct.Struct("!BI")
_METADATA_FIELD, _ACTION_FIELD, _END_FIELD = 1, 2, 255
_IMAGE_FIELDS: dict[str, int] = files.package_table("tatc.apps.thorserver", "images.toml")["fields"]
MAX_ACTION_BYTES = 64_000_000  # the largest length of an action, in bytes; a longer one is damage
_MAX_INTEGER_DIGITS = 18  # what 64 bits hold for certain; msgpack takes no more
_PIPE_POLL_SECONDS = 0.05  # between checks whether the client has opened its pipe
_MAX_PIPE_POLLS = 1200  # a minute: a client opens its pipe right after it started the server


class FifoConnection:
    """A connection by the client's two named pipes, in the format of its FifoServer.

    A message consists of frames: a byte for the field, four bytes for the length of the
    body, and the body.  The server's pipe must be opened first, and the client's only after
    the first message, or both sides wait for each other forever.
    """

    def __init__(self, server_path: str, client_path: str) -> None:
        """Open the pipe that the server writes; the first `receive` opens the client's."""
        self._pack: Callable[..., bytes] = errors.MissingExtra.module("thor", "msgpack").packb
        self._server_pipe = _open_server_pipe(server_path)
        self._client_path = client_path
        self._client_pipe: BufferedReader | None = None

    def send(self, metadata: Mapping[str, Any], images: Sequence[WireImage]) -> None:
        """Send the event that answers the last action."""
        # What a client sent and gets back may hold halves of surrogate pairs.
        packed = self._pack(metadata, unicode_errors="backslashreplace")
        frames = [_pack_frame(_METADATA_FIELD, packed)]
        frames += [_pack_frame(_IMAGE_FIELDS[each.part], each.data) for each in images]
        data = memoryview(b"".join([*frames, _pack_frame(_END_FIELD, b"")]))
        while data:
            data = data[os.write(self._server_pipe, data) :]

    def receive(self) -> dict[str, Any] | None:
        """Return the client's next action, or None if it has closed its pipe."""
        if self._client_pipe is None:
            self._client_pipe = open(self._client_path, "rb")
        action: dict[str, Any] | None = None
        while True:
            field, body = self._read_frame(self._client_pipe)
            if field is None:
                return None
            if field == _END_FIELD:
                break
            if field != _ACTION_FIELD:
                raise ProtocolFault(f"the field {field} does not belong to an action")
            action = parse_thor_action(body)
        if action is None:
            raise ProtocolFault("the message has no action")
        return action

    def close(self) -> None:
        """Close both pipes."""
        with suppress(OSError):
            os.close(self._server_pipe)
        if self._client_pipe is not None:
            self._client_pipe.close()

    @staticmethod
    def _read_frame(pipe: BufferedReader) -> tuple[int | None, bytes]:
        header = pipe.read(_HEADER.size)
        if not header:
            return None, b""
        if len(header) < _HEADER.size:
            raise ProtocolFault("the pipe ended within a frame")
        field, length = _HEADER.unpack(header)
        if length > MAX_ACTION_BYTES:
            raise ProtocolFault(f"a frame of {length} bytes is too long for an action")
        body = pipe.read(length)
        if len(body) < length:
            raise ProtocolFault("the pipe ended within a frame")
        return field, body


def _pack_frame(field: int, body: bytes) -> bytes:
    return _HEADER.pack(field, len(body)) + body


def _open_server_pipe(path: str) -> int:
    """Return the server's pipe as soon as the client has opened it for reading."""
    for _ in range(_MAX_PIPE_POLLS):
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as fault:
            if fault.errno != ENXIO:
                raise
            sleep(_PIPE_POLL_SECONDS)
        else:
            os.set_blocking(pipe, True)
            return pipe
    raise OSError(f"{path}: the client does not open its pipe")


_BOUNDARY = "tatc-----part-----7f3a5d1c"
_TEXT_CONTENT_TYPE = 'text/plain; charset="utf-8"'
"""Spelt as the client's parser expects it, like `Content-disposition` below."""


class WsgiConnection:
    """A connection by the client's HTTP server: a POST sends an event, returns an action."""

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
        yield _multipart_part("metadata", _TEXT_CONTENT_TYPE, json.dumps(metadata).encode())
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


def parse_thor_action(body: bytes | str) -> dict[str, Any]:
    """Return the action in a JSON text.

    Long whole numbers become floats, halves of surrogate pairs question marks: none could be sent.
    """
    try:
        action = json.loads(body, parse_int=_parse_integer)
        text = json.dumps(action, ensure_ascii=False)
        if not plain_text.is_encodable(text):
            action = json.loads(text.encode("utf-8", "replace"), parse_int=_parse_integer)
    except (ValueError, RecursionError) as fault:
        raise ProtocolFault(f"an action that is no JSON came: {fault}") from fault
    if not isinstance(action, dict):
        raise ProtocolFault("an action that is no JSON object came")
    return cast(dict[str, Any], action)


def _parse_integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else float(digits)
