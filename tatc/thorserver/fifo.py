"""The client's two pipes: messages made of frames, as its FifoServer reads them.

A frame is a byte for its field, four for the length of its body, and the body.  The
server's pipe must be opened first, and the client's only after the first message, or
the two wait for each other.
"""

import json
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from errno import ENXIO
from importlib import import_module
from io import BufferedReader
from time import sleep
from typing import Any, cast

from tatc.errors import MissingExtra
from tatc.thorserver.messages import WireFault
from tatc.thorserver.pictures import Picture

_HEADER = struct.Struct("!BI")
_METADATA, _ACTION, _END = 1, 2, 255
_FIELDS = {
    "image": 4,
    "image_depth": 5,
    "image_classes": 8,
    "image_ids": 9,
    "image-thirdParty-camera": 10,
    "image_thirdParty_depth": 12,
    "image_thirdParty_image_ids": 14,
    "image_thirdParty_classes": 15,
}
LONGEST = 64_000_000
"""No action is longer, bytes."""
_WAIT = 0.05  # seconds between looks whether the client has opened its pipe
_LOOKS = 1200  # a minute: a client opens its pipe as soon as it has started us


class FifoWire:
    """Both pipes of one client."""

    def __init__(self, ours: str, theirs: str) -> None:
        """Open the pipe that we write; `theirs` is opened when first read.

        Raises:
            OSError: the client does not open its end.
            MissingExtra: msgpack, which comes with ai2thor, is not installed.

        """
        self._pack = _packer()
        self._ours = _opened(ours)
        self._path = theirs
        self._theirs: BufferedReader | None = None

    def send(self, metadata: Mapping[str, Any], pictures: Sequence[Picture]) -> None:
        """Send a message."""
        frames = [_frame(_METADATA, self._pack(metadata))]
        frames += [_frame(_FIELDS[each.part], each.data) for each in pictures]
        data = memoryview(b"".join([*frames, _frame(_END, b"")]))
        while data:
            data = data[os.write(self._ours, data) :]

    def receive(self) -> dict[str, Any] | None:
        """Return the client's next action, None where it has closed its pipe."""
        if self._theirs is None:
            self._theirs = open(self._path, "rb")
        action: dict[str, Any] | None = None
        while True:
            field, body = self._frame(self._theirs)
            if field is None:
                return None
            if field == _END:
                break
            if field != _ACTION:
                raise WireFault(f"a frame with the field {field} is none of an action")
            action = read_action(body)
        if action is None:
            raise WireFault("a message without an action came")
        return action

    def close(self) -> None:
        """Close both pipes."""
        with suppress(OSError):
            os.close(self._ours)
        if self._theirs is not None:
            self._theirs.close()

    @staticmethod
    def _frame(pipe: BufferedReader) -> tuple[int | None, bytes]:
        """Return the next frame, (None, b"") at the end of the pipe."""
        header = pipe.read(_HEADER.size)
        if not header:
            return None, b""
        if len(header) < _HEADER.size:
            raise WireFault("the pipe ended within a frame")
        field, length = _HEADER.unpack(header)
        if length > LONGEST:
            raise WireFault(f"a frame of {length} bytes is too long for an action")
        body = pipe.read(length)
        if len(body) < length:
            raise WireFault("the pipe ended within a frame")
        return field, body


def read_action(body: bytes | str) -> dict[str, Any]:
    """Return the action that a text holds.

    Raises:
        WireFault: it holds none.

    """
    try:
        action = json.loads(body)
    except (ValueError, RecursionError) as fault:
        raise WireFault(f"an action that is no JSON came: {fault}") from fault
    if not isinstance(action, dict):
        raise WireFault("an action that is no JSON object came")
    return cast(dict[str, Any], action)


def _frame(field: int, body: bytes) -> bytes:
    return _HEADER.pack(field, len(body)) + body


def _packer() -> Callable[[Mapping[str, Any]], bytes]:
    try:
        return import_module("msgpack").packb
    except ImportError as fault:
        raise MissingExtra("thor", "msgpack") from fault


def _opened(path: str) -> int:
    """Return the pipe, once the client has opened it for reading."""
    for _ in range(_LOOKS):
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as fault:
            if fault.errno != ENXIO:
                raise
            sleep(_WAIT)
        else:
            os.set_blocking(pipe, True)
            return pipe
    raise OSError(f"{path}: the client does not open its pipe")
