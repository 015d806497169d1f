"""HTTP connections that end when a client does not send its request.

uvicorn closes a connection that is idle after an answer, and waits without end for the
rest of a request.  So a client that opens a connection and goes away, or sends a byte now
and then, would hold it as long as the server runs.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_CLIENT_SENDS = (h11.IDLE, h11.SEND_BODY)  # h11's states in which it is the client's turn


class RequestTimeoutProtocol(H11Protocol):
    """Closes a connection on which a whole request does not come in time."""

    request_seconds = 20.0
    """Seconds for a request, from the connection's start or from the end of the last answer."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for the first request."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._wait_for_client()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop_waiting()

    def data_received(self, data: bytes) -> None:
        """Go on with a request, and wait for the rest of it.

        A connection that became a WebSocket has another protocol from then on.
        """
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._wait_for_client()
        else:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._stop_waiting()
        super().on_response_complete()
        self._wait_for_client()

    def _wait_for_client(self) -> None:
        if self.conn.their_state not in _CLIENT_SENDS:
            self._stop_waiting()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.request_seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
