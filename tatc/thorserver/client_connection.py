"""What goes between us and the client, whichever way it goes."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tatc.errors import TatcError
from tatc.thorserver.wire_images import WireImage


class ProtocolFault(TatcError):
    """The client said something that is no message of its protocol."""


class ClientConnection(Protocol):
    """A way to the client."""

    def send(self, metadata: Mapping[str, Any], images: Sequence[WireImage]) -> None:
        """Send a message.

        Raises:
            OSError: the client is gone.

        """
        ...

    def receive(self) -> dict[str, Any] | None:
        """Return the client's next action, None where it has no more.

        Raises:
            WireFault: what came is no message.
            OSError: the client is gone.

        """
        ...
