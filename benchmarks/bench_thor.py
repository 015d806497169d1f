"""Steps a second through the `ai2thor` client with tatc's world behind it."""

from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any

from tatc.sim.thor import ThorBuild, ThorClient
from tatc.thorserver import executable

ACTIONS = ("RotateRight", "MoveAhead", "LookDown", "RotateRight", "MoveAhead", "LookUp")
STEPS = 120
FORMS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("without frames", 300, {}),
    ("with frames, 300 x 300", 300, {"renderImage": True}),
    (
        "with frames, depth and ids, 300 x 300",
        300,
        {
            "renderImage": True,
            "renderDepthImage": True,
            "renderInstanceSegmentation": True,
        },
    ),
    ("with frames, 900 x 900", 900, {"renderImage": True}),
)


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield steps a second in a kitchen, one agent, one process."""
    for side in (300, 900):
        client = ThorClient(ThorBuild(executable()), side=side)
        try:
            client.load("FloorPlan3")
            for name, wanted, pictures in FORMS:
                if wanted == side:
                    yield f"steps {name}", _rate(client, pictures), "/s"
        finally:
            client.stop()


def _rate(client: ThorClient, pictures: dict[str, Any]) -> float:
    client.act("Pass", **pictures)
    start = perf_counter()
    for action in islice(cycle(ACTIONS), STEPS):
        client.act(action, **pictures)
    return STEPS / (perf_counter() - start)
