"""Frames per second: by size and kind, with and without numba, by number of objects.

The scene is the first recorded kitchen, or a shipped one.  The camera stands where the Follower
starts and turns by quarters, so that it sees near and far.  The ways of drawing take turns, so that
their ratio is meaningful on a busy machine too.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from time import process_time

from tatc.home.actions import Role
from tatc.home.camera.rays import Eye
from tatc.home.camera.views import ImageKind
from tatc.home.state import Box, RoomKind, Scene, Snapshot
from tatc.session.records import find_games, read_start
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer, eye_of_role
from tatc.sim.rooms import load_room, room_names, start_state

SIZES_PIXELS = (300, 900)
VIEW_SETS: dict[str, Collection[ImageKind]] = {
    "colours": (ImageKind.RGB,),
    "ids and depth": (ImageKind.IDS, ImageKind.DEPTH),
    "all four": tuple(ImageKind),
}
OBJECT_COUNTS = (100, 300, 1000)
ROUNDS = 2

Figure = tuple[str, float, str]


def run(games: Path | None = None) -> Iterator[Figure]:
    """Yield name, value and unit of each measure; `games` is a file or a folder."""
    scene = _kitchen(games)
    engines = {"numpy": SnapshotRenderer(scene, fast=False)}
    if find_spec("numba") is not None:
        engines["numba"] = SnapshotRenderer(scene, fast=True)
    for kind, what in VIEW_SETS.items():
        for size in SIZES_PIXELS:
            took = {
                name: _seconds_per_frame(renderer, scene.initial, size, what)
                for name, renderer in engines.items()
            }
            for name, seconds in took.items():
                yield f"{kind}, {size} x {size}, {name}", 1 / seconds, "frames/s"
            if "numba" in took:
                ratio = took["numpy"] / took["numba"]
                yield f"{kind}, {size} x {size}, numba against numpy", ratio, "x"
    yield from _object_count_figures(scene)


def _object_count_figures(scene: Scene) -> Iterator[Figure]:
    """Yield the cost of a frame for growing numbers of objects in the room."""
    for count in OBJECT_COUNTS:
        crowd = _with_copies(scene, count)
        for size in SIZES_PIXELS:
            renderer = SnapshotRenderer(crowd, fast=None)
            seconds = _seconds_per_frame(renderer, crowd.initial, size, (ImageKind.RGB,))
            yield f"colours, {size} x {size}, {count} objects", seconds * 1e3, "ms"


def _with_copies(scene: Scene, count: int) -> Scene:
    """Return a scene with copies of its portable objects beside them, up to a number."""
    objects = list(scene.initial.objects)
    loose = [o for o in objects if o.affordances.pickupable and not o.isPickedUp]
    for i in range(count - len(objects)):
        obj = loose[i % len(loose)]
        x, y, z = obj.box.center
        shift = 0.07 * (1 + i // len(loose))
        box = Box((x + shift, y, z + shift / 2), obj.box.size, obj.box.yaw)
        name = f"{obj.objectId}|{i}"
        objects.append(replace(obj, objectId=name, box=box, position=box.center))
    start = scene.initial
    crowd = Snapshot.from_objects(objects[:count], start.commander, start.follower)
    return replace(scene, initial=crowd)


def _kitchen(games: Path | None) -> Scene:
    paths = [] if games is None else find_games([str(games)])
    for path in paths:
        scene = read_start(path).scene
        if scene.kind is RoomKind.KITCHEN:
            return scene
    return start_state(load_room(room_names()[0]), 1)


def _seconds_per_frame(
    renderer: SnapshotRenderer, snapshot: Snapshot, size: int, what: Collection[ImageKind]
) -> float:
    eyes = _eyes(snapshot)
    renderer.draw(snapshot, eyes[0], size, what)  # what is made once is not counted
    return _processor_seconds(lambda: _draw_all(renderer, snapshot, eyes, size, what)) / len(eyes)


def _draw_all(
    renderer: SnapshotRenderer,
    snapshot: Snapshot,
    eyes: Sequence[Eye],
    size: int,
    what: Collection[ImageKind],
) -> None:
    for eye in eyes:
        renderer.draw(snapshot, eye, size, what)


def _eyes(snapshot: Snapshot) -> list[Eye]:
    eye = eye_of_role(Role.FOLLOWER, snapshot)
    return [replace(eye, yaw=yaw, horizon=30.0) for yaw in (0.0, 90.0, 180.0, 270.0)]


def _processor_seconds(work: Callable[[], None]) -> float:
    """Return the processor seconds that some work takes, the least of several rounds."""
    times: list[float] = []
    for _ in range(ROUNDS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)
