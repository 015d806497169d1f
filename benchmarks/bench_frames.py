"""Frames a second: by size and kind, with numba and without, and by number of objects.

In the first recorded kitchen, or a shipped one; the eye stands where the Follower
starts and turns through the four quarters, as that shows both near and far.  Each way
of drawing is timed right after the other, so that their ratio means something on a busy
machine too.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from time import process_time

from tatc.actions import Role
from tatc.camera.rays import Eye
from tatc.camera.views import View
from tatc.records import find_games, read_start
from tatc.sim.embedded.render import Renderer, eye_for
from tatc.sim.rooms import load_room, room_names, start_state
from tatc.state import Box, RoomKind, Scene, Snapshot

SIZES = (300, 900)
KINDS: dict[str, Collection[View]] = {
    "colours": (View.RGB,),
    "ids and depth": (View.IDS, View.DEPTH),
    "all four": tuple(View),
}
COUNTS = (100, 300, 1000)
ROUNDS = 2

Row = tuple[str, float, str]


def run(games: Path | None = None) -> Iterator[Row]:
    """Yield name, value and unit of each measure; `games` is a file or a folder."""
    scene = _kitchen(games)
    engines = {"numpy": Renderer(scene, fast=False)}
    if find_spec("numba") is not None:
        engines["numba"] = Renderer(scene, fast=True)
    for kind, what in KINDS.items():
        for size in SIZES:
            took = {
                name: _mean(renderer, scene.start, size, what)
                for name, renderer in engines.items()
            }
            for name, seconds in took.items():
                yield f"{kind}, {size} x {size}, {name}", 1 / seconds, "frames/s"
            if "numba" in took:
                ratio = took["numpy"] / took["numba"]
                yield f"{kind}, {size} x {size}, numba against numpy", ratio, "x"
    yield from _crowded(scene)


def _crowded(scene: Scene) -> Iterator[Row]:
    """Yield what frames cost as more and more objects stand in the room."""
    for count in COUNTS:
        crowd = _with_copies(scene, count)
        for size in SIZES:
            renderer = Renderer(crowd, fast=None)
            seconds = _mean(renderer, crowd.start, size, (View.RGB,))
            yield f"colours, {size} x {size}, {count} objects", seconds * 1e3, "ms"


def _with_copies(scene: Scene, count: int) -> Scene:
    """Return a scene with copies of its portable things beside them, up to a count."""
    objects = list(scene.start.objects)
    loose = [o for o in objects if o.affordances.pickupable and not o.isPickedUp]
    for i in range(count - len(objects)):
        thing = loose[i % len(loose)]
        x, y, z = thing.box.center
        shift = 0.07 * (1 + i // len(loose))
        box = Box((x + shift, y, z + shift / 2), thing.box.size, thing.box.yaw)
        name = f"{thing.objectId}|{i}"
        objects.append(replace(thing, objectId=name, box=box, position=box.center))
    start = scene.start
    crowd = Snapshot.of(objects[:count], start.commander, start.follower)
    return replace(scene, start=crowd)


def _kitchen(games: Path | None) -> Scene:
    paths = [] if games is None else find_games([str(games)])
    for path in paths:
        scene = read_start(path).scene
        if scene.kind is RoomKind.KITCHEN:
            return scene
    return start_state(load_room(room_names()[0]), 1)


def _mean(
    renderer: Renderer, snapshot: Snapshot, size: int, what: Collection[View]
) -> float:
    eyes = _eyes(snapshot)
    renderer.draw(snapshot, eyes[0], size, what)  # what is made once is not counted
    return _timed(lambda: _draw_all(renderer, snapshot, eyes, size, what)) / len(eyes)


def _draw_all(
    renderer: Renderer,
    snapshot: Snapshot,
    eyes: Sequence[Eye],
    size: int,
    what: Collection[View],
) -> None:
    for eye in eyes:
        renderer.draw(snapshot, eye, size, what)


def _eyes(snapshot: Snapshot) -> list[Eye]:
    eye = eye_for(Role.FOLLOWER, snapshot)
    return [replace(eye, yaw=yaw, horizon=30.0) for yaw in (0.0, 90.0, 180.0, 270.0)]


def _timed(work: Callable[[], None]) -> float:
    """Return the processor's seconds for a piece of work, the least of some rounds."""
    times: list[float] = []
    for _ in range(ROUNDS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)
