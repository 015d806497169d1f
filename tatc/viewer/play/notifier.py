"""A bell that any thread may ring, and that wakes whoever listens on the event loop."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress


class Notifier:
    """Wakes listeners; who is not listening misses nothing, as news are kept."""

    def __init__(self) -> None:
        """Begin without listeners."""
        self._listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    def notify(self) -> None:
        """Wake everyone."""
        for event, loop in tuple(self._listeners.items()):
            with suppress(RuntimeError):  # that loop has been closed
                loop.call_soon_threadsafe(event.set)

    @contextmanager
    def subscription(self) -> Generator[asyncio.Event]:
        """Give an event that is set at each ring; clear it before looking for news."""
        event = asyncio.Event()
        self._listeners[event] = asyncio.get_running_loop()
        try:
            yield event
        finally:
            del self._listeners[event]
