"""Wakes coroutines from any thread."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress


class Notifier:
    """Wakes its listeners; what is new they look up themselves, so that none misses anything."""

    def __init__(self) -> None:
        """Begin without listeners."""
        self._listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    def notify(self) -> None:
        """Wake all listeners; may be called from any thread."""
        for event, loop in tuple(self._listeners.items()):
            with suppress(RuntimeError):  # the listener's loop is closed
                loop.call_soon_threadsafe(event.set)

    @contextmanager
    def subscription(self) -> Generator[asyncio.Event]:
        """Yield an event that each `notify` sets; clear it before looking for what is new."""
        event = asyncio.Event()
        self._listeners[event] = asyncio.get_running_loop()
        try:
            yield event
        finally:
            del self._listeners[event]
