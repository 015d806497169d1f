"""Shortest paths over a floor: tatc's planner and networkx on the same queries.

A query asks for the path (moves, turns and looks) from one pose to another; networkx has the
graph of the same cells, headings and verbs.  The floor is that of the first recorded game, or
of a shipped kitchen.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

import networkx as nx

from tatc.home.body import TEACH
from tatc.home.state import AgentState, Pose, Scene
from tatc.planners.grid import NavigationGrid
from tatc.session.records import find_games, read_start
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.rooms import load_room, room_names, start_state

QUERIES = 2000
ROUNDS = 5
YAWS_DEGREES = (0.0, 90.0, 180.0, 270.0)

Query = tuple[Pose, Pose]


def run(games: Path | None = None) -> Iterator[tuple[str, float, str]]:
    """Yield name, value and unit of each measure; `games` is a file or a folder."""
    scene = _scene(games)
    started = perf_counter()
    floor = WalkableGrid.from_scene(scene)
    cells = floor.reachable()
    yield "laying the floor of a scene", (perf_counter() - started) * 1e3, "ms"
    yield "cells of the floor", float(len(cells)), ""
    queries = _queries(cells)
    started = perf_counter()
    grid = NavigationGrid.from_poses(cells)
    yield "loading the grid", (perf_counter() - started) * 1e3, "ms"
    started = perf_counter()
    starts = [Pose(pose.x, pose.z, yaw, 0.0) for pose in cells for yaw in YAWS_DEGREES]
    for start in starts:
        grid.shortest_paths_from(start)
    took = perf_counter() - started
    yield "one search, all targets", took / len(starts) * 1e6, "us"
    yield "searches from every pose of the room", took * 1e3, "ms"
    ours = min(_grid_seconds(grid, queries) for _ in range(ROUNDS)) / len(queries)
    yield "a path, room loaded", ours * 1e6, "us"
    numbers = _number_poses(cells)
    graph = _graph(floor, numbers)
    numbered = [(numbers[start], numbers[goal]) for start, goal in queries]
    theirs = min(_networkx_seconds(graph, numbered) for _ in range(ROUNDS)) / len(queries)
    yield "the same path in networkx", theirs * 1e6, "us"
    yield "times faster than networkx, room loaded", theirs / ours, "x"


def _scene(games: Path | None) -> Scene:
    if games is not None:
        return read_start(find_games([str(games)])[0]).scene
    kitchen = next(name for name in room_names() if name.startswith("kitchen"))
    return start_state(load_room(kitchen), 0)


def _queries(cells: Sequence[Pose]) -> list[Query]:
    rng = random.Random(0)

    def pose() -> Pose:
        cell = rng.choice(cells)
        return Pose(cell.x, cell.z, rng.choice(YAWS_DEGREES), 0.0)

    return [(pose(), pose()) for _ in range(QUERIES)]


def _number_poses(cells: Sequence[Pose]) -> dict[Pose, int]:
    """Return a number for each pose: networkx is fastest with numbers for nodes."""
    poses = (Pose(cell.x, cell.z, yaw, 0.0) for cell in cells for yaw in YAWS_DEGREES)
    return {pose: i for i, pose in enumerate(poses)}


def _graph(floor: WalkableGrid, numbers: dict[Pose, int]) -> "nx.DiGraph[int]":
    graph: nx.DiGraph[int] = nx.DiGraph()
    for pose, number in numbers.items():
        body = AgentState((pose.x, 0.9, pose.z), pose.yaw, 0.0)
        for verb in TEACH.walk_verbs:
            after = floor.move(body, verb)
            if isinstance(after, AgentState):
                graph.add_edge(number, numbers[after.pose], verb=verb)
    return graph


def _grid_seconds(grid: NavigationGrid, queries: Sequence[Query]) -> float:
    started = perf_counter()
    for start, goal in queries:
        grid.shortest_paths_from(start).verbs_to(goal)
    return perf_counter() - started


def _networkx_seconds(graph: "nx.DiGraph[int]", queries: Sequence[tuple[int, int]]) -> float:
    started = perf_counter()
    for start, goal in queries:
        nx.shortest_path(graph, start, goal)
    return perf_counter() - started
