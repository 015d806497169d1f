"""The units of a run of counters: cabinets, drawers, a sink, a stove and the worktop.

`s` and `start` are metres along the run's wall, `low` and `high` metres above the floor.
"""

from dataclasses import dataclass, field

from tatc.home.state import ObjectState
from tatc.sim.rooms.generator.room_layout import RoomLayout, Wall
from tatc.sim.rooms.room import create_object

WORKTOP_THICKNESS_METRES = 0.02
PLINTH_HEIGHT_METRES = 0.1
FRONT_GAP_METRES = 0.01
SINK_CABINET_CLEARANCE_METRES = 0.32
"""How far below the top a cabinet under a sink ends.  A cabinet that reached into the basin
would count as one that the basin is set into."""
WALL_CABINET_BOTTOM_METRES = 1.42
BURNER_HEIGHT_METRES = 0.02
BURNER_BY_KNOB = (0, 2, 3, 1)
"""The index of the burner that each knob controls, knobs from left to right."""


@dataclass(slots=True)
class Worktop:
    """A worktop and its spans that are not free, each from and to, metres along its wall."""

    start: float
    end: float
    counter_top: ObjectState
    taken_spans: list[tuple[float, float]] = field(default_factory=lambda: [])


@dataclass(frozen=True, slots=True)
class CounterRun:
    """Counters along one wall: their depth, and the height of their top, metres."""

    layout: RoomLayout
    wall: Wall
    depth: float
    height: float

    def add_front(self, object_type: str, s: float, size: tuple[float, float, float], low: float):
        """Add an object whose front lies a little behind the counter's front."""
        back = self.depth - FRONT_GAP_METRES - size[2]
        return self.layout.add_at_wall(object_type, self.wall, s, low, size, back)

    def add_cabinets(self, s: float, width: float, low: float, high: float) -> None:
        """Add a cabinet, or two side by side if one door would be too wide."""
        doors = 2 if width > 0.68 else 1
        each = width / doors
        for i in range(doors):
            size = (each - 2 * FRONT_GAP_METRES, high - low, min(0.45, self.depth - 0.1))
            self.add_front("Cabinet", s + i * each + FRONT_GAP_METRES, size, low)

    def add_drawers(self, s: float, width: float, low: float, high: float, count: int) -> None:
        """Add `count` drawers above each other."""
        each = (high - low) / count
        for i in range(count):
            wide, deep = width - 2 * FRONT_GAP_METRES, min(0.42, self.depth - 0.1)
            size = (wide, each - FRONT_GAP_METRES, deep)
            self.add_front("Drawer", s + FRONT_GAP_METRES, size, low + i * each)

    def add_base_unit(self, s: float, width: float) -> None:
        """Add the cabinets, drawers or both below the top of a plain unit."""
        high = self.height - WORKTOP_THICKNESS_METRES - 0.02
        style = self.layout.rng.choice(("cabinet", "drawers", "mixed", "mixed"))
        if style == "cabinet":
            self.add_cabinets(s, width, PLINTH_HEIGHT_METRES, high)
        elif style == "drawers":
            count = self.layout.rng.choice((3, 3, 4))
            self.add_drawers(s, width, PLINTH_HEIGHT_METRES, high, count)
        else:
            self.add_cabinets(s, width, PLINTH_HEIGHT_METRES, high - 0.17)
            self.add_drawers(s, width, high - 0.16, high, 1)

    def add_sink(self, s: float, width: float) -> None:
        """Add a sink with its basin and faucet, and cabinets below it."""
        rng, wall = self.layout.rng, self.wall
        high = self.height - SINK_CABINET_CLEARANCE_METRES
        self.add_cabinets(s, width, PLINTH_HEIGHT_METRES, high)
        height = round(rng.uniform(0.16, 0.19), 3)
        low = self.height - height
        sink = self.layout.add_at_wall("Sink", wall, s, low, (width, height, self.depth))
        wide = min(width - 0.12, round(rng.uniform(0.5, 0.72), 3))
        inner = (wide, round(rng.uniform(0.12, 0.145), 3), self.depth - 0.2)
        x, z = wall.point_at(s + width / 2, 0.15 + inner[2] / 2)
        middle = (x, self.height - 0.005 - inner[1] / 2, z)
        basin = create_object("SinkBasin", middle, inner, wall.yaw, owner=sink.objectId)
        self.layout.add_object(basin)
        tap = (0.19, round(rng.uniform(0.22, 0.34), 3), 0.15)
        self.layout.add_at_wall("Faucet", wall, s + width / 2 - tap[0] / 2, self.height, tap, 0.03)

    def add_stove(self, s: float, width: float) -> None:
        """Add four burners on the top, their knobs at the front and cabinets below."""
        self.add_cabinets(s, width, PLINTH_HEIGHT_METRES, self.height - 0.14)
        side = min(0.22, (self.depth - 0.1) / 2 - 0.01)
        middle, size = s + width / 2, (side, BURNER_HEIGHT_METRES, side)
        burners: list[ObjectState] = []
        for across in (-0.16, 0.16):
            at = middle + across - side / 2
            for d in (0.05, self.depth - 0.04 - side):
                burner = self.layout.add_at_wall("StoveBurner", self.wall, at, self.height, size, d)
                burners.append(burner)
        for i, number in enumerate(BURNER_BY_KNOB):
            x, z = self.wall.point_at(middle + (i - 1.5) * 0.14, self.depth + 0.025)
            center, controls = (x, self.height - 0.06, z), (burners[number].objectId,)
            size = (0.06, 0.06, 0.05)
            knob = create_object("StoveKnob", center, size, self.wall.yaw, controls=controls)
            self.layout.add_object(knob)

    def add_worktop(self, start: float, end: float) -> Worktop:
        """Add the worktop of a part of the run."""
        size = (end - start, WORKTOP_THICKNESS_METRES, self.depth)
        low = self.height - WORKTOP_THICKNESS_METRES
        top = self.layout.add_at_wall("CounterTop", self.wall, start, low, size)
        return Worktop(start, end, top)

    def add_wall_cabinets(self, s: float, width: float, height: float, low: float) -> None:
        """Add one or two wall cabinets of a total width, if the wall is free there."""
        if not self.layout.take_wall(self.wall, s, (width, height, 0.32), low, clearance=0.0):
            return
        doors = 2 if width > 0.68 else 1
        each = width / doors
        for i in range(doors):
            at, inner = s + i * each + FRONT_GAP_METRES / 2, (each - FRONT_GAP_METRES, height, 0.32)
            self.layout.add_at_wall("Cabinet", self.wall, at, low, inner)
