"""The interface of a connection to a client, by pipes or by HTTP."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tatc.apps.thorserver.wire_images import WireImage
from tatc.base.errors import TatcError


class ProtocolFault(TatcError):
    """The client sent something that is no message of its protocol."""


class ClientConnection(Protocol):
    """A connection to one client."""

    def send(self, metadata: Mapping[str, Any], images: Sequence[WireImage]) -> None:
        """Send the event that answers the last action.

        Raises:
            OSError: the client is gone.

        """
        ...

    def receive(self) -> dict[str, Any] | None:
        """Return the client's next action, or None if there are no more.

        Raises:
            ProtocolFault: the client sent no valid message.
            OSError: the client is gone.

        """
        ...
