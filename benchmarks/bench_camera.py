"""The camera and the search for viewpoints, in the first recorded kitchen or a shipped one.

Cameras stand where the Follower can, clicks are random.  A viewpoint is searched for each object
that can be picked up, from the corner of the room.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from time import perf_counter

from tatc.home.actions import TURN_DEGREES, Click, Verb
from tatc.home.body import TEACH
from tatc.home.camera.clicks import affords, resolve_click
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import EYE_HEIGHT_METRES, Eye
from tatc.home.state import AgentState, ObjectState, Pose, RoomKind, Scene
from tatc.planners.grid import NavigationGrid
from tatc.planners.viewpoints import find_viewpoints
from tatc.session.records import find_games, read_start
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import load_room, room_names, start_state

EYE_COUNT, CLICK_COUNT = 20, 100

Figure = tuple[str, float, str]
EyeClicks = Sequence[tuple[Eye, Click]]


def run(games: Path | None = None) -> Iterator[Figure]:
    """Yield name, value and unit of each measure; `games` is a file or a folder."""
    scene = _kitchen(games)
    sim = EmbeddedSimulator()
    sim.reset(scene)
    poses, agent = sim.reachable(), scene.initial.follower
    objects = scene.initial.objects
    yield (f"geometry of {len(objects)}", _mean_seconds(20, lambda: Geometry(objects)) * 1e3, "ms")
    geometry = Geometry(objects)
    yield from _ray_figures(geometry, _eyes(poses, agent.position[1]))
    took = _mean_seconds(1000, lambda: geometry.update(0, objects[0]))
    yield "one object updated", took * 1e6, "us"
    yield from _view_figures(geometry, objects, poses, agent)


def _kitchen(games: Path | None) -> Scene:
    paths = [] if games is None else find_games([str(games)])
    for path in paths:
        scene = read_start(path).scene
        if scene.kind is RoomKind.KITCHEN:
            return scene
    return start_state(load_room(room_names()[0]), 1)


def _eyes(poses: Sequence[Pose], body_y: float) -> list[Eye]:
    draw = Random(1)
    return [
        Eye(
            (pose.x, body_y + EYE_HEIGHT_METRES, pose.z),
            TURN_DEGREES * draw.randrange(4),
            draw.choice(TEACH.horizons),
        )
        for pose in draw.choices(poses, k=EYE_COUNT)
    ]


def _ray_figures(geometry: Geometry, eyes: Sequence[Eye]) -> Iterator[Figure]:
    draw = Random(2)
    clicks = [Click(draw.random(), draw.random()) for _ in range(CLICK_COUNT)]
    one_eye = [(eye, click) for eye in eyes for click in clicks]
    new_eye = [(eye, click) for click in clicks for eye in eyes]
    yield (
        "a ray from the same eye",
        _mean_seconds_per_ray(geometry.hit_at_click, one_eye) * 1e6,
        "us",
    )
    yield (
        "a ray from a new eye",
        _mean_seconds_per_ray(geometry.hit_at_click, new_eye) * 1e6,
        "us",
    )

    def at_pixel(eye: Eye, click: Click) -> None:
        resolve_click(geometry, eye, click, lambda _: True)

    def around(eye: Eye, click: Click) -> None:
        resolve_click(geometry, eye, click, lambda i: i % 3 == 0)

    hits = [pair for pair in new_eye if geometry.hit_at_click(*pair) is not None]
    yield ("a click meant at its pixel", _mean_seconds_per_ray(at_pixel, hits) * 1e6, "us")
    yield ("a click, one object in three accepted", _mean_seconds_per_ray(around, hits) * 1e6, "us")
    took = _mean_seconds(10, lambda: geometry.trace_objects(eyes[0], 300))
    yield "ids and depths, 300 x 300", took * 1e3, "ms"
    took = _mean_seconds(2, lambda: geometry.trace_objects(eyes[0], 900))
    yield "ids and depths, 900 x 900", took * 1e3, "ms"


def _view_figures(
    geometry: Geometry, objects: Sequence[ObjectState], poses: Sequence[Pose], agent: AgentState
) -> Iterator[Figure]:
    paths = NavigationGrid.from_poses(poses).shortest_paths_from(poses[0])
    times: list[float] = []
    hidden: list[float] = []
    for i, each in enumerate(objects):
        if not affords(Verb.PICKUP, each):
            continue
        start = perf_counter()
        nearest = paths.poses_by_cost(TEACH.horizons)
        view = next(find_viewpoints(geometry, objects, i, _accept_any, nearest, agent), None)
        (hidden if view is None else times).append(perf_counter() - start)
    for name, group in (("an object in view", times), ("one out of view", hidden)):
        if group:
            group.sort()
            yield f"first view of {name}, median", group[len(group) // 2] * 1e3, "ms"
            yield f"first view of {name}, slowest", group[-1] * 1e3, "ms"


def _accept_any(_: int) -> bool:
    return True


def _mean_seconds_per_ray(work: Callable[[Eye, Click], object], rays: EyeClicks) -> float:
    start = perf_counter()
    for eye, click in rays:
        work(eye, click)
    return (perf_counter() - start) / len(rays)


def _mean_seconds(times: int, work: Callable[[], object]) -> float:
    start = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - start) / times
