"""Where an agent can go, and from where it sees an object.

GetReachablePositions answers on the grid of the world with what the agent's steps reach. On another
one, finer or turned with the agent, a step is possible where the body touches nothing along it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import ceil, hypot, inf

import networkx as nx
import numpy as np

from tatc.apps.thorserver import agent_actions, views
from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments, find_object
from tatc.apps.thorserver.thor_agent import ThorAgent
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import FieldError, as_list
from tatc.home import body, metadata
from tatc.home.actions import GRID_SIZE_METRES, HEADING_STEPS, Cell, cell_of
from tatc.home.state import AgentState, ObjectState, Vec3, yaw_sin_cos
from tatc.planners.grid import connected_cells
from tatc.sim.embedded.motion import cell_under

MIN_GRID_METRES = 0.05  # the finest grid on which positions are searched, metres
DEFAULT_MAX_STEPS = 10_000
MANY_POSES = 1_000_000
MAX_ERROR_METRES = 0.25  # how far a point may be from the nearest cell of the floor, metres
NO_PATH_ERROR = "Path to target could not be found"
_ANGLE_DIGITS = 4

WalkState = tuple[Cell, float]  # a cell and a yaw in degrees


def _get_reachable_positions(world: ThorWorld, arguments: Arguments) -> list[dict[str, float]]:
    step = arguments.number("gridSize", world.settings.step_metres)
    if step < MIN_GRID_METRES:
        raise ActionFailure(f"gridSize {step} is not served: {MIN_GRID_METRES} m is the finest")
    limit = arguments.integer("maxStepCount", DEFAULT_MAX_STEPS) / step**2
    if arguments.flag("directionsRelativeAgent"):
        positions = _positions_on_grid(world, step, world.agent_state.yaw)
    elif step == GRID_SIZE_METRES and not agent_actions.metres_off_grid(world.agent_state.position):
        positions = walkable_positions(world)
    else:
        positions = _positions_on_grid(world, step, 0.0)
    if len(positions) > limit:
        raise ActionFailure("Too many steps taken in GetReachablePositions.")
    return [metadata.write_vector(position) for position in positions]


def walkable_positions(world: ThorWorld) -> list[Vec3]:
    """Return the positions that the agent's steps reach, by x, then z; metres."""
    y = world.agent_state.position[1]
    cells = connected_cells(world.floor.free_cells, cell_under(world.agent_state))
    return [(x * GRID_SIZE_METRES, y, z * GRID_SIZE_METRES) for x, z in sorted(cells)]


def _positions_on_grid(world: ThorWorld, step: float, yaw: float) -> list[Vec3]:
    grid = _Grid(world.agent_state.position, step, yaw % 360.0)
    reached: dict[Cell, None] = {(0, 0): None}
    fringe: list[Cell] = [(0, 0)]
    while fringe:
        steps = [
            ((x, z), (x + dx, z + dz))
            for x, z in fringe
            for dx, dz in HEADING_STEPS
            if (x + dx, z + dz) not in reached
        ]
        free = _free_steps(world, grid, steps)
        fringe = sorted({end for (_, end), is_free in zip(steps, free, strict=True) if is_free})
        reached.update(dict.fromkeys(fringe))
    y = world.agent_state.position[1]
    return [(x, y, z) for x, z in (grid.point(*cell) for cell in reached)]


@dataclass(frozen=True, slots=True)
class _Grid:
    """A grid through a position: the length of its steps in metres, and the yaw of its z axis."""

    origin: Vec3
    step: float
    yaw: float

    def point(self, right: float, ahead: float) -> tuple[float, float]:
        sine, cosine = yaw_sin_cos(self.yaw)
        x, _, z = self.origin
        return (
            x + self.step * (right * cosine + ahead * sine),
            z + self.step * (ahead * cosine - right * sine),
        )


def _free_steps(world: ThorWorld, grid: _Grid, steps: Sequence[tuple[Cell, Cell]]) -> list[bool]:
    count = ceil(grid.step / agent_actions.CHECK_INTERVAL_METRES)
    ends = [[grid.point(*cell) for cell in step] for step in steps]
    along = [np.linspace(start, end, count + 1)[1:] for start, end in ends]
    fits = agent_actions.has_room_at(world, np.array(along, np.float64).reshape(-1, 2))
    return [all(fits[i : i + count]) for i in range(0, len(fits), count)]


def _shortest_path_to_object(world: ThorWorld, arguments: Arguments) -> dict[str, object]:
    obj = _named_object(world, arguments)
    start = arguments.vector("position", world.agent_state.position)

    def gap(cell: Cell) -> float:
        return obj.box.horizontal_distance(cell[0] * GRID_SIZE_METRES, cell[1] * GRID_SIZE_METRES)

    cells = connected_cells(world.floor.free_cells, cell_of(start[0], start[2]))
    return _path_result(world, start, min(sorted(cells), key=gap))


def _shortest_path_to_point(world: ThorWorld, arguments: Arguments) -> dict[str, object]:
    start = arguments.vector("position", world.agent_state.position)
    by_axes = Arguments((axis, arguments.get(axis)) for axis in "xyz")
    x, _, z = arguments.vector("target", agent_actions.target_position(by_axes, start))
    end = cell_of(x, z)
    if hypot(end[0] * GRID_SIZE_METRES - x, end[1] * GRID_SIZE_METRES - z) > MAX_ERROR_METRES:
        raise ActionFailure(NO_PATH_ERROR)
    return _path_result(world, start, end)


def _path_result(world: ThorWorld, start: Vec3, end: Cell) -> dict[str, object]:
    """Return the corners of a shortest path along the grid; AI2-THOR's is on a mesh."""
    graph = _floor_graph(world.floor.free_cells)
    try:
        begin = cell_of(start[0], start[2])
        cells: list[Cell] = nx.dijkstra_path(graph, begin, end, weight="metres")
    except (nx.NetworkXNoPath, nx.NodeNotFound) as fault:
        raise ActionFailure(NO_PATH_ERROR) from fault
    corners = [start] + [
        (x * GRID_SIZE_METRES, start[1], z * GRID_SIZE_METRES) for x, z in _corners(cells)[1:]
    ]
    return {"corners": [metadata.write_vector(corner) for corner in corners]}


def _floor_graph(free: frozenset[Cell]) -> "nx.Graph[Cell]":
    """Return the graph of neighbouring cells; diagonally only where no corner is cut."""
    graph: nx.Graph[Cell] = nx.Graph()
    graph.add_nodes_from(sorted(free))
    for x, z in sorted(free):
        for dx, dz in HEADING_STEPS[:2]:
            if (x + dx, z + dz) in free:
                graph.add_edge((x, z), (x + dx, z + dz), metres=GRID_SIZE_METRES)
        for dx in (1, -1):
            if {(x + dx, z), (x, z + 1), (x + dx, z + 1)} <= free:
                graph.add_edge((x, z), (x + dx, z + 1), metres=GRID_SIZE_METRES * hypot(1, 1))
    return graph


def _corners(cells: list[Cell]) -> list[Cell]:
    corners: list[Cell] = []
    direction = (inf, inf)
    for (x, z), (to_x, to_z) in pairwise(cells):
        if (to_x - x, to_z - z) != direction:
            corners.append((x, z))
            direction = (to_x - x, to_z - z)
    return [*corners, cells[-1]]


def _named_object(world: ThorWorld, arguments: Arguments) -> ObjectState:
    if arguments.get("objectId"):
        named = str(arguments["objectId"])
        return find_object(world, named, f"Cannot find sim object with id '{named}'")
    kind = str(arguments.get("objectType", ""))
    of_type = world.state.of_type(kind)
    if not of_type:
        raise ActionFailure(f"Object type '{kind}' was not found in the scene.")
    if len(of_type) > 1:
        why = f"Multiple objects of type '{kind}' were found in the scene, cannot disambiguate."
        raise ActionFailure(why)
    return of_type[0]


def expert_action(world: ThorWorld, arguments: Arguments) -> str | None:
    """Return the name of an expert's next action, None if the agent is there.

    It is the first on a shortest sequence of steps ahead and turns, as long as Initialize set
    them, to a place or to where an object is visible; looks come last.  Steps lead over the grid.
    """
    if not (arguments.get("objectId") or arguments.get("objectType")):
        return _action_towards(world, arguments.vector("position", (0.0, 0.0, 0.0)))
    return _action_to_see(world, _named_object(world, arguments))


def _action_towards(world: ThorWorld, place: Vec3) -> str | None:
    def gap(walked: tuple[WalkState, str | None]) -> float:
        (x, z), _ = walked[0]
        return hypot(x * GRID_SIZE_METRES - place[0], z * GRID_SIZE_METRES - place[2])

    return min(_walk(world), key=gap)[1]


def _action_to_see(world: ThorWorld, obj: ObjectState) -> str | None:
    agent, reach = world.acting_agent, world.settings.visibility_metres
    level = agent.state.horizon
    horizons = sorted({level, *body.TEACH.horizons}, key=lambda each: abs(each - level))
    for (cell, yaw), first in _walk(world):
        x, z = (steps * GRID_SIZE_METRES for steps in cell)
        if obj.box.horizontal_distance(x, z) > reach:
            continue
        for horizon in horizons:
            state = AgentState((x, agent.state.position[1], z), yaw, horizon)
            if _sees(world, ThorAgent(state, is_standing=agent.is_standing), obj, reach):
                look = "LookDown" if horizon > level else "LookUp"
                at_end = None if horizon == level else look
                return first or at_end
    raise ActionFailure(NO_PATH_ERROR)


def _walk(world: ThorWorld) -> Iterator[tuple[WalkState, str | None]]:
    """Yield what steps and turns lead to, nearest first, with the first action, if any."""
    free, settings = world.floor.free_cells, world.settings
    start = cell_under(world.agent_state), round(world.agent_state.yaw, _ANGLE_DIGITS)
    first_actions: dict[WalkState, str | None] = {start: None}
    fringe = [start]
    for state in fringe:  # grows during the loop
        yield state, first_actions[state]
        (x, z), yaw = state
        moves = [
            ((x, z), round((yaw - settings.turn_degrees) % 360.0, _ANGLE_DIGITS), "RotateLeft"),
            ((x, z), round((yaw + settings.turn_degrees) % 360.0, _ANGLE_DIGITS), "RotateRight"),
        ]
        dx, dz = agent_actions.cells_of_step(yaw, settings.step_metres) or (0, 0)
        steps = abs(dx + dz)
        way = [(x + dx * i // steps, z + dz * i // steps) for i in range(1, steps + 1)]
        # Open doors are asked about for the next step only: that one is taken now.
        if (
            way
            and free.issuperset(way)
            and (state != start or isinstance(agent_actions.end_of_step(world, dx, dz), AgentState))
        ):
            moves.insert(0, (way[-1], yaw, "MoveAhead"))
        for cell, there, action in moves:
            if (cell, there) not in first_actions:
                first_actions[cell, there] = first_actions[state] or action
                fringe.append((cell, there))


def interactable_poses(world: ThorWorld, arguments: Arguments) -> list[dict[str, float | bool]]:
    """Return the poses from which an object can be acted on, as arguments of Teleport."""
    named = arguments.text("objectId")
    obj = find_object(world, named, f"Object ID {named} appears to be invalid.")
    limit = arguments.integer("maxPoses", MANY_POSES)
    reach = arguments.number("maxDistance", world.settings.visibility_metres)
    if limit <= 0 or reach <= 0:
        raise ActionFailure(f"{'maxPoses' if limit <= 0 else 'maxDistance'} must be > 0.")
    horizons = arguments.numbers("horizons", body.TEACH.horizons)
    if not all(body.TEACH.min_horizon <= each <= body.TEACH.max_horizon for each in horizons):
        raise ActionFailure(
            f"Each horizon must be in [{body.TEACH.min_horizon:.0f}:{body.TEACH.max_horizon:.0f}]."
        )
    agents = _agents_within_reach(world, arguments, obj, reach)
    turn = world.settings.turn_degrees
    turns = range(max(round(360 / turn), 1))
    yaws = tuple((world.agent_state.yaw + turn * i) % 360.0 for i in turns)
    turned = product(arguments.numbers("rotations", yaws), horizons, _postures(arguments))
    poses: list[dict[str, float | bool]] = []
    for position, (yaw, horizon, standing) in product(agents, list(turned)):
        if len(poses) == limit:
            break
        if _sees(world, ThorAgent(AgentState(position, yaw, horizon), None, standing), obj, reach):
            x, y, z = position
            poses.append(
                {"x": x, "y": y, "z": z, "rotation": yaw, "standing": standing, "horizon": horizon}
            )
    return poses


def _sees(world: ThorWorld, agent: ThorAgent, obj: ObjectState, reach: float) -> bool:
    camera = world.camera_of(agent).scaled(views.VISIBILITY_SIDE_PIXELS)
    return views.is_visible_from(world, camera, world.state.index_of(obj.objectId), reach)


def _agents_within_reach(
    world: ThorWorld, arguments: Arguments, obj: ObjectState, reach: float
) -> Iterator[Vec3]:
    extent = world.state.geometry.object_bounds(world.state.index_of(obj.objectId))
    if extent is None:
        return
    (low_x, _, low_z), (high_x, _, high_z) = extent
    for x, y, z in _positions(world, arguments):
        dx, dz = max(low_x - x, 0.0, x - high_x), max(low_z - z, 0.0, z - high_z)
        if dx * dx + dz * dz <= reach * reach:
            yield x, y, z


def _positions(world: ThorWorld, arguments: Arguments) -> list[Vec3]:
    if arguments.get("positions") is None:
        return walkable_positions(world)
    given = as_list(arguments["positions"], "positions")
    positions = [Arguments(position=each).vector("position", (0.0, 0.0, 0.0)) for each in given]
    return [(x, world.agent_y, z) for x, y, z in positions if world.has_standing_room((x, y, z))]


def _postures(arguments: Arguments) -> tuple[bool, ...]:
    """Return which of standing and crouching to try; by default both."""
    if arguments.get("standings") is None:
        return True, False
    given = as_list(arguments["standings"], "standings")
    if not all(isinstance(each, bool) for each in given):
        raise FieldError("standings", "should be a list of true and false")
    return tuple(given)


NAVIGATION_ACTIONS: Mapping[str, ActionFunction] = {
    "GetReachablePositions": _get_reachable_positions,
    "GetShortestPath": _shortest_path_to_object,
    "GetShortestPathToPoint": _shortest_path_to_point,
    "PointNavExpertAction": lambda world, given: _action_towards(
        world, agent_actions.target_position(given, world.agent_state.position)
    ),
    "ObjectNavExpertAction": expert_action,
    "GetInteractablePoses": interactable_poses,
}
