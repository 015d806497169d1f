"""Shortest paths to objects and points.

AI2-THOR walks on a mesh of the floor; here paths lead along the cells of the grid, in
eight directions.
"""

from collections.abc import Mapping
from itertools import pairwise
from math import hypot, inf

import networkx as nx

from tatc.apps.thorserver.action_results import Arguments, ThorResult, failed_result, vector_or
from tatc.apps.thorserver.teleport_actions import target_position
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.home.actions import GRID_SIZE_METRES, Cell, cell_of
from tatc.home.metadata import write_vector
from tatc.home.state import ObjectState, Vec3
from tatc.sim.floorplan.connectivity import NEIGHBOUR_STEPS, connected_cells

MAX_ERROR_METRES = 0.25
"""How far a point may be from the nearest cell of the floor, metres."""
NO_PATH_ERROR = "Path to target could not be found"


def shortest_path_to_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the corners of a shortest path to where an object is nearest."""
    obj = named_object(world, arguments)
    if isinstance(obj, ThorResult):
        return obj
    start = vector_or(arguments, "position", world.agent_state.position)

    def gap(cell: Cell) -> float:
        return obj.box.horizontal_distance(cell[0] * GRID_SIZE_METRES, cell[1] * GRID_SIZE_METRES)

    cells = connected_cells(world.floor.free_cells, cell_of(start[0], start[2]))
    return _path_result(world, start, min(sorted(cells), key=gap))


def shortest_path_to_point(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the corners of a shortest path to a point of the floor."""
    start = vector_or(arguments, "position", world.agent_state.position)
    by_axes = {axis: arguments.get(axis) for axis in "xyz"}
    x, _, z = vector_or(arguments, "target", target_position(by_axes, start))
    end = cell_of(x, z)
    if hypot(end[0] * GRID_SIZE_METRES - x, end[1] * GRID_SIZE_METRES - z) > MAX_ERROR_METRES:
        return failed_result(NO_PATH_ERROR)
    return _path_result(world, start, end)


def named_object(world: ThorWorld, arguments: Arguments) -> ObjectState | ThorResult:
    """Return the object that `objectId` or `objectType` names, or the failure."""
    if arguments.get("objectId"):
        found = world.state.find(str(arguments["objectId"]))
        if found is None:
            return failed_result(f"Cannot find sim object with id '{arguments['objectId']}'")
        return found
    kind = str(arguments.get("objectType", ""))
    of_type = world.state.of_type(kind)
    if not of_type:
        return failed_result(f"Object type '{kind}' was not found in the scene.")
    if len(of_type) > 1:
        return failed_result(
            f"Multiple objects of type '{kind}' were found in the scene, cannot disambiguate."
        )
    return of_type[0]


def _path_result(world: ThorWorld, start: Vec3, end: Cell) -> ThorResult:
    """Return the corners of a shortest path, at the height of its start."""
    graph = _floor_graph(world.floor.free_cells)
    try:
        cells: list[Cell] = nx.dijkstra_path(
            graph, cell_of(start[0], start[2]), end, weight="metres"
        )
    except (nx.NetworkXNoPath, nx.NodeNotFound):
        return failed_result(NO_PATH_ERROR)
    corners = [start] + [
        (x * GRID_SIZE_METRES, start[1], z * GRID_SIZE_METRES) for x, z in _corners(cells)[1:]
    ]
    return ThorResult(return_value={"corners": [write_vector(corner) for corner in corners]})


def _floor_graph(free: frozenset[Cell]) -> "nx.Graph[Cell]":
    """Return the graph of neighbouring cells; diagonally only where no corner is cut."""
    graph: nx.Graph[Cell] = nx.Graph()
    graph.add_nodes_from(sorted(free))
    for x, z in sorted(free):
        for dx, dz in NEIGHBOUR_STEPS[:2]:
            if (x + dx, z + dz) in free:
                graph.add_edge((x, z), (x + dx, z + dz), metres=GRID_SIZE_METRES)
        for dx in (1, -1):
            if {(x + dx, z), (x, z + 1), (x + dx, z + 1)} <= free:
                graph.add_edge((x, z), (x + dx, z + 1), metres=GRID_SIZE_METRES * hypot(1, 1))
    return graph


def _corners(cells: list[Cell]) -> list[Cell]:
    """Return a path's ends and the cells where its direction changes."""
    corners: list[Cell] = []
    direction = (inf, inf)
    for (x, z), (to_x, to_z) in pairwise(cells):
        if (to_x - x, to_z - z) != direction:
            corners.append((x, z))
            direction = (to_x - x, to_z - z)
    return [*corners, cells[-1]]


NAMED_OBJECT_PARAMETERS = {
    "objectId": ParameterType.TEXT,
    "objectType": ParameterType.TEXT,
    "position": ParameterType.VECTOR,
    "rotation": ParameterType.ROTATION,
    "allowedError": ParameterType.FLOAT,
}
NAMED_OBJECT_REQUIRED = (("objectId",), ("objectType",))

PATH_ACTIONS: Mapping[str, ThorAction] = {
    "GetShortestPath": ThorAction(
        shortest_path_to_object, NAMED_OBJECT_PARAMETERS, NAMED_OBJECT_REQUIRED
    ),
    "GetShortestPathToPoint": ThorAction(
        shortest_path_to_point,
        {
            "position": ParameterType.VECTOR,
            "target": ParameterType.VECTOR,
            "x": ParameterType.FLOAT,
            "y": ParameterType.FLOAT,
            "z": ParameterType.FLOAT,
            "allowedError": ParameterType.FLOAT,
        },
        (("target",), ("x", "y", "z")),
    ),
}
