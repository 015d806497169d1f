"""Steps per second through the `ai2thor` client, with tatc's world behind it."""

from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any

from tatc.apps.thorserver import executable
from tatc.sim.protocol import ThorBuild
from tatc.sim.thor import ThorClient

ACTIONS = ("RotateRight", "MoveAhead", "LookDown", "RotateRight", "MoveAhead", "LookUp")
STEPS = 120
FRAME_SETTINGS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("without frames", 300, {}),
    ("with frames, 300 x 300", 300, {"renderImage": True}),
    (
        "with frames, depth and ids, 300 x 300",
        300,
        {"renderImage": True, "renderDepthImage": True, "renderInstanceSegmentation": True},
    ),
    ("with frames, 900 x 900", 900, {"renderImage": True}),
)


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield the steps per second in a kitchen, with one agent in one process."""
    for side in (300, 900):
        client = ThorClient(ThorBuild(executable()), frame_size=side)
        try:
            client.load("FloorPlan3")
            for name, wanted, pictures in FRAME_SETTINGS:
                if wanted == side:
                    yield f"steps {name}", _steps_per_second(client, pictures), "/s"
        finally:
            client.stop()


def _steps_per_second(client: ThorClient, frame_arguments: dict[str, Any]) -> float:
    client.act("Pass", **frame_arguments)
    start = perf_counter()
    for action in islice(cycle(ACTIONS), STEPS):
        client.act(action, **frame_arguments)
    return STEPS / (perf_counter() - start)
