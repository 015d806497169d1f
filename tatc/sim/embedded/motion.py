"""The grid on which the Follower's body stands, its steps, turns and looks.

A translation is 0.25 m along or across the heading and is refused where the body
would touch something; turns always succeed; a look is refused beyond 30 degrees up
and 60 down (spec sections 1.1, 1.3; so say all recorded looks at the limit).  The
Commander's camera flies through everything (spec section 1.4).
"""

import logging
from collections.abc import Container, Iterable, Sequence
from functools import cached_property, lru_cache
from math import floor as whole
from types import MappingProxyType

from tatc.actions import GRID, LOOKS, TILT, TRANSLATIONS, TURN, TURNS, Verb
from tatc.sim.embedded.sweeps import Sweeps
from tatc.sim.floorplan.connected import STEPS, connected, way_out
from tatc.sim.floorplan.footing import Cell, Footing, footing
from tatc.sim.maps.floor_map import FloorMap
from tatc.state import AgentState, ObjectState, Pose, Scene

HIGHEST_LOOK = -30.0
LOWEST_LOOK = 60.0

_QUARTERS = {verb: i for i, verb in zip((0, 2, 3, 1), TRANSLATIONS, strict=True)}
"""Quarter turns from the heading to the way a translation goes."""
_TURNS = dict(zip(TURNS, (-TURN, TURN), strict=True))
_LOOKS = dict(zip(LOOKS, (-TILT, TILT), strict=True))
_RISES = dict(zip(LOOKS, (GRID, -GRID), strict=True))
_log = logging.getLogger(__name__)


class Floor:
    """Where the Follower can stand in one scene, and its motions there."""

    def __init__(
        self,
        scene: Scene,
        footing: Footing,
        stood: Iterable[Cell] = (),
        refused: Iterable[Cell] = (),
        opened: Container[str] = (),
    ) -> None:
        """Keep the footing; the start and the cells others `stood` on are free too.

        Cells that were `refused` to others are not.  `opened` are the models of what
        others show open.
        Where the scene itself lists its free cells, they take the place of the rule's.
        """
        things, body = scene.start.objects, scene.start.follower
        self._start = start = cell_of(body)
        self._sweeps = Sweeps(things, body.position[1], opened)
        ruled = frozenset(scene.cells) or footing.free()
        free = ((ruled | frozenset(stood)) - frozenset(refused)) | {start}
        self._free = free | way_out(footing, free, start)
        self._footing = footing
        self._things = things
        if start not in ruled and footing.within(start):
            _say(scene.place, self._blame(start), start)

    @staticmethod
    def of(scene: Scene, floor_map: FloorMap | None = None) -> "Floor":
        """Lay out the floor of a scene.

        With a map, what others stood on in the scene's floor plan is free as well, and
        what was refused to them is not; give `floor_map.without(game_id)` where the
        scene comes from a game.
        """
        things, body = scene.start.objects, scene.start.follower
        ground = footing(things, body.position)
        if floor_map is None:
            return Floor(scene, ground)
        place = scene.place
        stood, refused = floor_map.cells(place), floor_map.blocked(place)
        return Floor(scene, ground, stood, refused, floor_map.traces(place).opened)

    @property
    def free(self) -> frozenset[Cell]:
        """The cells on which the body fits, reachable or not."""
        return self._free

    @cached_property
    def connected(self) -> frozenset[Cell]:
        """The cells the body can walk to from where it starts."""
        return connected(self._free, self._start)

    @cached_property
    def _poses(self) -> tuple[Pose, ...]:
        cells = sorted(self.connected)
        return tuple(Pose(x * GRID, z * GRID, 0.0, 0.0) for x, z in cells)

    def reachable(self) -> tuple[Pose, ...]:
        """Return where the body can get to, by x, then z; yaw and horizon are 0."""
        return self._poses

    def move(
        self, agent: AgentState, verb: Verb, objects: Sequence[ObjectState] = ()
    ) -> AgentState | str:
        """Return the body after a motion, or AI2-THOR's kind of refusal.

        `objects` is the present state of the scene's objects, in the scene's order:
        open doors and drawers block too.  Without it they do not.
        """
        if verb in _QUARTERS:
            return self._step(agent, _QUARTERS[verb], objects)
        if verb in _TURNS:
            yaw = (agent.yaw + _TURNS[verb]) % 360.0
            return AgentState(agent.position, yaw, agent.horizon)
        if verb in _LOOKS:
            return _look(agent, _LOOKS[verb])
        return f"{verb} is not a motion of Agent 0"

    def _step(
        self, agent: AgentState, quarters: int, objects: Sequence[ObjectState]
    ) -> AgentState | str:
        y, here = agent.position[1], cell_of(agent)
        dx, dz = _step(agent, quarters)
        cell = (here[0] + dx, here[1] + dz)
        blocker = None
        if cell not in self._free:
            blocker = self._blame(cell)
        elif objects:
            blocker = self._sweeps.blocker(here, cell, objects)
        if blocker is not None:
            return (
                f"{blocker} is blocking Agent 0 from moving by "
                f"({dx * GRID:.4f}, 0.0000, {dz * GRID:.4f})"
            )
        there = (cell[0] * GRID, y, cell[1] * GRID)
        return AgentState(there, agent.yaw, agent.horizon)

    @cached_property
    def _rows(self) -> MappingProxyType[Cell, int]:
        cells = self._footing.cells
        return MappingProxyType({cell: i for i, cell in enumerate(cells)})

    def _blame(self, cell: Cell) -> str:
        row = self._rows.get(cell)
        i = -1 if row is None else int(self._footing.nearest[row])
        return "StructureObject" if i < 0 else self._things[i].objectId


@lru_cache(maxsize=1024)
def _say(place: str, blocker: str, start: Cell) -> None:
    """Say through logging, once a process, that a body starts inside something."""
    x, z = (steps * GRID for steps in start)
    spot = f"the body starts inside {blocker}, at x {x:g}, z {z:g}"
    _log.warning("%s: %s: it is let out", place, spot)


def cell_of(agent: AgentState) -> Cell:
    """Return the cell in which an agent stands."""
    x, _, z = agent.position
    return whole(x / GRID + 0.5), whole(z / GRID + 0.5)


def cell_ahead(agent: AgentState, verb: Verb) -> Cell:
    """Return the cell to which a translation leads."""
    x, z = cell_of(agent)
    dx, dz = _step(agent, _QUARTERS[verb])
    return x + dx, z + dz


def _step(agent: AgentState, quarters: int) -> Cell:
    """Return the step, in cells, so many quarter turns from the heading."""
    return STEPS[(whole(agent.yaw / TURN + 0.5) + quarters) % 4]


def camera_move(agent: AgentState, verb: Verb) -> AgentState | str:
    """Return the Commander's camera after a motion, or a refusal (spec 1.4).

    It moves along the cardinal direction nearest to its yaw, collides with nothing,
    and a look lifts or lowers it by 0.25 m.
    """
    x, y, z = agent.position
    if verb in _QUARTERS:
        dx, dz = _step(agent, _QUARTERS[verb])
        there = (x + dx * GRID, y, z + dz * GRID)
        return AgentState(there, agent.yaw, agent.horizon)
    if verb in _TURNS:
        yaw = (agent.yaw + _TURNS[verb]) % 360.0
        return AgentState(agent.position, yaw, agent.horizon)
    if verb in _RISES:
        return AgentState((x, y + _RISES[verb], z), agent.yaw, agent.horizon)
    return f"{verb} is not a motion of the Commander's camera"


def _look(agent: AgentState, tilt: float) -> AgentState | str:
    # The recorded start horizon is 30.00002: looks land on whole steps.
    horizon = round((agent.horizon + tilt) / TILT) * TILT
    if horizon < HIGHEST_LOOK or horizon > LOWEST_LOOK:
        way, limit = ("up", HIGHEST_LOOK) if tilt < 0 else ("down", LOWEST_LOOK)
        return f"can't look {way} beyond {abs(limit):.0f} degrees"
    return AgentState(agent.position, agent.yaw, horizon)
