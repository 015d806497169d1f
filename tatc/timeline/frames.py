"""A session's frames in TEACh's layout and names (spec sections 4.1 and 4.6).

    <folder>/<session>/driver.frame.<time>.jpeg         what the Follower sees
    <folder>/<session>/commander.frame.<time>.jpeg      what the Commander's camera sees
    <folder>/<session>/targetobject.frame.<time>.jpeg   the camera of the last search
    <folder>/<session>/targetobject.mask.<time>.jpeg    where the object is in it

Time is that of the interaction that follows; the last frames are those of "end".  The
two of the target are black until something has been searched.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from tatc.actions import Role
from tatc.atomic import make_folder, write_whole
from tatc.camera.rays import FRAME
from tatc.camera.views import Rgb
from tatc.errors import OutputError
from tatc.records import Interaction
from tatc.sim.embedded.motion import Floor
from tatc.sim.embedded.render import Renderer, View
from tatc.sim.searching import TOOLS, Look, find, looks
from tatc.state import AgentState, Snapshot
from tatc.timeline.moment import Moment, same_objects
from tatc.timeline.timeline import Timeline

END = "end"
"""What stands for the time in the names of the last frames."""
QUALITY = 92
"""How well JPEG keeps them, of 100."""

WORTH = 50_000_000
"""From so many pixels of the Follower's on, numba is worth the time that it takes to
load, and on its first use to compile."""

_NAMES = {Role.FOLLOWER: "driver.frame", Role.COMMANDER: "commander.frame"}
_TARGET, _MASK = "targetobject.frame", "targetobject.mask"


def frame_name(role: Role, time: float | str) -> str:
    """Return the file name of what an agent sees before the interaction at a time."""
    return f"{_NAMES[role]}.{time}.jpeg"


def check_frames(folder: Path, name: str, *, force: bool) -> None:
    """See to it, before any work, that the frames `name` have a place in a folder.

    Raises:
        OutputError: there are files in it already and `force` is not given, or it is
            no folder.

    """
    place = folder / name
    for each in (folder, place):
        if each.is_file():
            fix = "name another folder"
            raise OutputError("is a file, not a folder", where=str(each), fix=fix)
    if not force and any(place.glob("*")):
        fix = "give --force to replace them, or name another folder"
        raise OutputError("there are frames already", where=str(place), fix=fix)


def write_frames(
    timeline: Timeline,
    name: str,
    folder: Path,
    *,
    size: int = FRAME,
    force: bool = False,
) -> Iterator[Path]:
    """Write a session's frames into a folder `name` in a folder; yield each file.

    With `force` the frames that are there give way.

    Raises:
        OutputError: see `check_frames`, or it cannot be written.

    """
    place = folder / name
    check_frames(folder, name, force=force)
    make_folder(place)
    for each in (*_NAMES.values(), _TARGET, _MASK):
        for old in place.glob(f"{each}.*.jpeg"):
            old.unlink()
    for file, data in _frames(timeline, size):
        write_whole(data, place / file, force=True)
        yield place / file


def _frames(timeline: Timeline, size: int) -> Iterator[tuple[str, bytes]]:
    camera = _Cameras(timeline, size)
    following = [moment.interaction for moment in timeline.moments[1:]]
    for moment, done in zip(timeline.moments, [*following, None], strict=True):
        time = END if done is None else done.time
        for role in Role:
            yield frame_name(role, time), camera.agent(moment.snapshot, role)
        shown, mask = camera.target(moment)
        yield f"{_TARGET}.{time}.jpeg", shown
        yield f"{_MASK}.{time}.jpeg", mask


class _Cameras:
    """Draws and packs; what has not changed since the last time is not drawn again."""

    def __init__(self, timeline: Timeline, size: int) -> None:
        scene = timeline.opening.scene
        many = len(timeline.moments) * size * size > WORTH
        self._renderer = Renderer(scene, fast=None if many else False)
        self._cells = Floor.of(scene).reachable()
        self._size = size
        self._last: dict[Role, tuple[Snapshot, AgentState, bytes]] = {}
        black = packed(np.zeros((size, size, 3), dtype=np.uint8))
        self._search: Look | None = None
        self._target: tuple[Snapshot | None, tuple[bytes, bytes]] = (
            None,
            (black, black),
        )

    def agent(self, snapshot: Snapshot, role: Role) -> bytes:
        body = snapshot.follower if role is Role.FOLLOWER else snapshot.commander
        if role in self._last:
            before, stood, data = self._last[role]
            if stood == body and same_objects(before, snapshot):
                return data
        data = packed(self._renderer.frame(snapshot, role, self._size))
        self._last[role] = snapshot, body, data
        return data

    def target(self, moment: Moment) -> tuple[bytes, bytes]:
        done = moment.interaction
        searched = done is not None and done.verb in TOOLS and done.success
        if done is not None and searched:
            self._aim(moment.snapshot, done)
        before, data = self._target
        if self._search is None or (
            not searched and before and same_objects(before, moment.snapshot)
        ):
            return data
        self._target = moment.snapshot, self._seen(moment.snapshot, self._search)
        return self._target[1]

    def _aim(self, snapshot: Snapshot, done: Interaction) -> None:
        thing = find(snapshot, done.verb, done.text)
        if thing is not None:
            self._search = next(looks(snapshot, thing, self._cells), self._search)

    def _seen(self, snapshot: Snapshot, look: Look) -> tuple[bytes, bytes]:
        what = (View.RGB, View.IDS)
        views = self._renderer.draw(snapshot, look.eye, self._size, what)
        assert views.rgb is not None
        index = snapshot.roster.index.get(look.shown.objectId, -1)
        shown = views.mask(index) if index >= 0 else np.zeros(views.rgb.shape[:2], bool)
        mask = np.where(shown[..., None], 255, np.zeros(3)).astype(np.uint8)
        return packed(views.rgb), packed(mask)


def packed(frame: Rgb) -> bytes:
    """Return a frame as a JPEG file."""
    buffer = BytesIO()
    Image.fromarray(frame).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()
