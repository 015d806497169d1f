"""The OpenEnv server's latency with few and with many sessions live at a time.

OpenEnv's own client opens the sessions, from one process; each then makes some calls, one after
another, and all sessions at the same time.  This needs the extra openenv.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from tatc.base.errors import MissingExtra

LIVE_SESSIONS = (1, 10, 100, 1000)
CALL_COUNT, MIN_CALLS, MAX_CALLS = 5000, 5, 500
"""Calls of all sessions together, and the fewest and the most calls of each."""
_TURN = {"name": "turn", "arguments": {"direction": "left"}}
_SECONDS = 120.0
"""How long a client waits for a connection or an answer."""


def run(games: Path | None = None, sessions: int | None = None) -> Iterator[tuple[str, float, str]]:
    """Yield the latencies with each number of sessions, or with `sessions` alone.

    Raises:
        MissingExtra: openenv is not installed.

    """
    MissingExtra.check("openenv", "openenv", "websockets")
    wanted = LIVE_SESSIONS if sessions is None else (sessions,)
    with _server(max(wanted)) as address:
        for live in wanted:
            opening, latencies, took = asyncio.run(_play(address, live))
            yield f"{live} sessions: connecting and resetting all", opening, "s"
            yield f"{live} sessions: a call, median", 1e3 * median(latencies), "ms"
            longest = sorted(latencies)[int(0.95 * (len(latencies) - 1))]
            yield f"{live} sessions: a call, 95th percentile", 1e3 * longest, "ms"
            yield f"{live} sessions: calls", len(latencies) / took, "/s"


async def _play(address: str, live: int) -> tuple[float, list[float], float]:
    """Return what opening took, the latency of each call, and what all calls took, seconds."""
    from openenv.core.generic_client import GenericEnvClient

    clients = [
        GenericEnvClient(base_url=address, connect_timeout_s=_SECONDS, message_timeout_s=_SECONDS)
        for _ in range(live)
    ]
    try:
        began = perf_counter()
        await asyncio.gather(*(_open(client, seed) for seed, client in enumerate(clients)))
        opening, began = perf_counter() - began, perf_counter()
        count = min(max(CALL_COUNT // live, MIN_CALLS), MAX_CALLS)
        found = await asyncio.gather(*(_call(client, count) for client in clients))
        took = perf_counter() - began
    finally:
        await asyncio.gather(*(client.close() for client in clients))
    return opening, [latency for latencies in found for latency in latencies], took


async def _open(client: Any, seed: int) -> None:
    await client.connect()
    await client.reset(seed=seed % 8)


async def _call(client: Any, count: int) -> list[float]:
    latencies: list[float] = []
    for _ in range(count):
        began = perf_counter()
        result = await client.step(_TURN)
        latencies.append(perf_counter() - began)
        if result.done:
            raise RuntimeError("a session ended while its calls were timed")
    return latencies


@contextmanager
def _server(max_sessions: int) -> Iterator[str]:
    """Yield the address of a server that runs during the block."""
    with TemporaryDirectory() as folder:
        words = ["serve", "openenv", "coffee", "--room", "kitchen-01", "--save", folder]
        command = [sys.executable, "-m", "tatc", *words, "--max-sessions", str(max_sessions)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().strip()
            finally:
                process.terminate()
