"""The units of a run of counters: cabinets, drawers, a sink, a stove, the worktop."""

from dataclasses import dataclass, field

from tatc.sim.rooms.frame import Wall
from tatc.sim.rooms.sketch import Sketch
from tatc.state import ObjectState

SLAB = 0.02
PLINTH = 0.1
GAP = 0.01
UNDER_SINK = 0.32
"""How far below the top a cabinet under a sink ends: clear of the well, which would
else count as let into it."""
WALL_CABINET_LOW = 1.42
BURNER = 0.02
KNOBS = (0, 2, 3, 1)
"""The burner that each knob owns, knobs from left to right."""


@dataclass(slots=True)
class Bench:
    """A stretch of worktop: what of it is taken, as from and to along the wall."""

    start: float
    end: float
    top: ObjectState
    taken: list[tuple[float, float]] = field(default_factory=lambda: [])


@dataclass(frozen=True, slots=True)
class Run:
    """Where counters stand: a wall, their depth and the height of their top."""

    sketch: Sketch
    wall: Wall
    depth: float
    top: float

    def front(self, kind: str, s: float, size: tuple[float, float, float], low: float):
        """Add something whose front is that of the counter, a little set back."""
        return self.sketch.on_wall(
            kind, self.wall, s, low, size, self.depth - GAP - size[2]
        )

    def cabinet(self, s: float, width: float, low: float, high: float) -> None:
        """Add a cabinet, or two side by side where one door would be too wide."""
        doors = 2 if width > 0.68 else 1
        each = width / doors
        for i in range(doors):
            size = (each - 2 * GAP, high - low, min(0.45, self.depth - 0.1))
            self.front("Cabinet", s + i * each + GAP, size, low)

    def drawers(self, s: float, width: float, low: float, high: float, n: int) -> None:
        """Add drawers one above the other."""
        each = (high - low) / n
        for i in range(n):
            size = (width - 2 * GAP, each - GAP, min(0.42, self.depth - 0.1))
            self.front("Drawer", s + GAP, size, low + i * each)

    def base(self, s: float, width: float) -> None:
        """Add what a plain unit has under its top."""
        high = self.top - SLAB - 0.02
        style = self.sketch.rng.choice(("cabinet", "drawers", "mixed", "mixed"))
        if style == "cabinet":
            self.cabinet(s, width, PLINTH, high)
        elif style == "drawers":
            self.drawers(s, width, PLINTH, high, self.sketch.rng.choice((3, 3, 4)))
        else:
            self.cabinet(s, width, PLINTH, high - 0.17)
            self.drawers(s, width, high - 0.16, high, 1)

    def sink(self, s: float, width: float) -> None:
        """Add a sink with its basin and faucet, and a cabinet under it."""
        rng, wall = self.sketch.rng, self.wall
        self.cabinet(s, width, PLINTH, self.top - UNDER_SINK)
        height = round(rng.uniform(0.16, 0.19), 3)
        low = self.top - height
        sink = self.sketch.on_wall("Sink", wall, s, low, (width, height, self.depth))
        inner = (
            min(width - 0.12, round(rng.uniform(0.5, 0.72), 3)),
            round(rng.uniform(0.12, 0.145), 3),
            self.depth - 0.2,
        )
        x, z = wall.at(s + width / 2, 0.15 + inner[2] / 2)
        middle = (x, self.top - 0.005 - inner[1] / 2, z)
        self.sketch.add("SinkBasin", middle, inner, wall.yaw, owner=sink.objectId)
        tap = (0.19, round(rng.uniform(0.22, 0.34), 3), 0.15)
        self.sketch.on_wall(
            "Faucet", wall, s + width / 2 - tap[0] / 2, self.top, tap, 0.03
        )

    def stove(self, s: float, width: float) -> None:
        """Add four burners on the top, their knobs at the front, an oven below."""
        self.cabinet(s, width, PLINTH, self.top - 0.14)
        side = min(0.22, (self.depth - 0.1) / 2 - 0.01)
        middle = s + width / 2
        burners = [
            self.sketch.on_wall(
                "StoveBurner",
                self.wall,
                middle + across - side / 2,
                self.top,
                (side, BURNER, side),
                d,
            )
            for across in (-0.16, 0.16)
            for d in (0.05, self.depth - 0.04 - side)
        ]
        for i, burner in enumerate(KNOBS):
            x, z = self.wall.at(middle + (i - 1.5) * 0.14, self.depth + 0.025)
            self.sketch.add(
                "StoveKnob",
                (x, self.top - 0.06, z),
                (0.06, 0.06, 0.05),
                self.wall.yaw,
                controls=(burners[burner].objectId,),
            )

    def slab(self, start: float, end: float) -> Bench:
        """Add the worktop of a stretch."""
        size = (end - start, SLAB, self.depth)
        top = self.sketch.on_wall("CounterTop", self.wall, start, self.top - SLAB, size)
        return Bench(start, end, top)

    def hang(self, s: float, width: float, height: float, low: float) -> None:
        """Add wall cabinets where the wall is free."""
        size = (width, height, 0.32)
        if not self.sketch.free(self.wall, s, size, low, front=0.0):
            return
        self.sketch.book(self.wall, s, size, low, front=0.0)
        doors = 2 if width > 0.68 else 1
        each = width / doors
        for i in range(doors):
            inner = (each - GAP, height, 0.32)
            self.sketch.on_wall(
                "Cabinet", self.wall, s + i * each + GAP / 2, low, inner
            )
