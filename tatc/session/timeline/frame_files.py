"""Writes a session's frames in TEACh's layout and names (spec sections 4.1 and 4.6).

    <folder>/<session>/driver.frame.<time>.jpeg         what the Follower sees
    <folder>/<session>/commander.frame.<time>.jpeg      what the Commander's camera sees
    <folder>/<session>/targetobject.frame.<time>.jpeg   the camera of the last search
    <folder>/<session>/targetobject.mask.<time>.jpeg    where the object is in it

The time is that of the interaction that follows; the last frames have "end" instead.
The two target frames are black until the first search.  `camera_images` has what all cameras see
at one moment, as PNG files.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from tatc.base import errors, file_names, files
from tatc.home.actions import Role
from tatc.home.camera.geometry import IndexArray
from tatc.home.camera.rays import FRAME_PIXELS, Eye, Rgb
from tatc.home.camera.views import encode_image
from tatc.home.state import AgentState, Snapshot
from tatc.session.timeline.moment import Moment, have_same_objects
from tatc.session.timeline.timeline import Timeline
from tatc.sim.embedded import motion, snapshot_renderer
from tatc.sim.object_search import SEARCH_VERBS, SearchView, find_object, search_views

JPEG_QUALITY = 92  # JPEG quality of the frames, 1 to 100

MIN_PIXELS_FOR_NUMBA = 50_000_000
"""From so many pixels of frames on, numba saves more time than loading and compiling take."""

_FRAME_PREFIXES = {Role.FOLLOWER: "driver.frame", Role.COMMANDER: "commander.frame"}
_TARGET_PREFIX, _MASK_PREFIX = "targetobject.frame", "targetobject.mask"

_jpeg_bytes = partial(encode_image, file_format="JPEG", quality=JPEG_QUALITY)


def frame_name(role: Role, time: float | str) -> str:
    """Return the file name of what an agent sees before the interaction at a time."""
    return f"{_FRAME_PREFIXES[role]}.{time}.jpeg"


def check_frames(folder: Path, name: str, *, force: bool) -> None:
    """Check, before any work, that a folder can take a session's frames, over old ones by force."""
    place = folder / file_names.file_name(name)
    for each in (folder, place):
        if each.is_file():
            why = "is a file, not a folder"
            raise errors.OutputError(why, where=str(each), fix="name another folder")
    if not force and any(place.glob("*")):
        fix = "give --force to replace them, or name another folder"
        raise errors.OutputError("there are frames already", where=str(place), fix=fix)


def write_frames(
    timeline: Timeline, name: str, folder: Path, *, size: int = FRAME_PIXELS, force: bool = False
) -> Iterator[Path]:
    """Write a session's frames into `folder/name` (see `check_frames`); yield each file."""
    place = folder / file_names.file_name(name)
    check_frames(folder, name, force=force)
    files.make_folder(place)
    for each in (*_FRAME_PREFIXES.values(), _TARGET_PREFIX, _MASK_PREFIX):
        for old in place.glob(f"{each}.*.jpeg"):
            old.unlink()
    for file, data in _frame_files(timeline, size):
        files.write_atomically(data, place / file, force=True)
        yield place / file


def _frame_files(timeline: Timeline, size: int) -> Iterator[tuple[str, bytes]]:
    camera = _FrameDrawer(timeline, size)
    following = [moment.interaction for moment in timeline.moments[1:]]
    for moment, done in zip(timeline.moments, [*following, None], strict=True):
        time = "end" if done is None else done.time
        for role in Role:
            yield frame_name(role, time), camera.agent_frame(moment.snapshot, role)
        shown, mask = camera.target_frames(moment)
        yield f"{_TARGET_PREFIX}.{time}.jpeg", shown
        yield f"{_MASK_PREFIX}.{time}.jpeg", mask


class _FrameDrawer:
    """Draws frames as JPEG; a frame that has not changed is not drawn again."""

    def __init__(self, timeline: Timeline, size: int) -> None:
        scene = timeline.start.scene
        many = len(timeline.moments) * size * size > MIN_PIXELS_FOR_NUMBA
        self._renderer = snapshot_renderer.SnapshotRenderer(scene, fast=None if many else False)
        self._reachable_poses = motion.WalkableGrid.from_scene(scene).reachable()
        self._size = size
        self._last_agent_frames: dict[Role, tuple[Snapshot, AgentState, bytes]] = {}
        black = _jpeg_bytes(np.zeros((size, size, 3), dtype=np.uint8))
        self._search_view: SearchView | None = None
        self._last_target_frames: tuple[Snapshot | None, tuple[bytes, bytes]] = None, (black, black)

    def agent_frame(self, snapshot: Snapshot, role: Role) -> bytes:
        body = snapshot.follower if role is Role.FOLLOWER else snapshot.commander
        if role in self._last_agent_frames:
            before, stood, data = self._last_agent_frames[role]
            if stood == body and have_same_objects(before, snapshot):
                return data
        data = _jpeg_bytes(self._renderer.frame(snapshot, role, self._size))
        self._last_agent_frames[role] = snapshot, body, data
        return data

    def target_frames(self, moment: Moment) -> tuple[bytes, bytes]:
        done = moment.interaction
        searched = done is not None and done.verb in SEARCH_VERBS and done.success
        if done is not None and searched:
            obj = find_object(moment.snapshot, done.verb, done.text)
            views = () if obj is None else search_views(moment.snapshot, obj, self._reachable_poses)
            self._search_view = next(iter(views), self._search_view)
        before, data = self._last_target_frames
        changed = searched or before is None or not have_same_objects(before, moment.snapshot)
        if self._search_view is not None and changed:
            data = self._target_view_and_mask(moment.snapshot, self._search_view)
            self._last_target_frames = moment.snapshot, data
        return data

    def _target_view_and_mask(self, snapshot: Snapshot, look: SearchView) -> tuple[bytes, bytes]:
        what = (snapshot_renderer.ImageKind.RGB, snapshot_renderer.ImageKind.IDS)
        views = self._renderer.draw(snapshot, look.eye, self._size, what)
        assert views.rgb is not None
        index = snapshot.object_index.by_id.get(look.target.objectId, -1)
        shown = views.object_mask(index) if index >= 0 else np.zeros(views.rgb.shape[:2], bool)
        mask = np.where(shown[..., None], 255, np.zeros(3)).astype(np.uint8)
        return _jpeg_bytes(views.rgb), _jpeg_bytes(mask)


_COLOUR_STEP = 0x9E3779  # odd, so that numbers up to 2 ** 24 get distinct colours
_MILLIMETRES_PER_METRE = 1000.0


def camera_images(
    renderer: snapshot_renderer.SnapshotRenderer,
    snapshot: Snapshot,
    eyes: Mapping[str, Eye],
    size: int = FRAME_PIXELS,
) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the files of what each camera sees, and of the room from above.

    Each camera gives `rgb`, `instance` and `class` (a colour per object and per type;
    `colours.json` is their legend), and `depth` (16 bits: millimetres along the view
    axis, 0 where no object is).  `eyes` are the cameras by the names that their files begin
    with, `size` the pixels along each side.
    """
    types: tuple[str, ...] = ()
    for name, eye in eyes.items():
        views = renderer.draw(snapshot, eye, size, tuple(snapshot_renderer.ImageKind))
        types = views.types
        yield from _images_of_views(name, views)
    yield "map.png", encode_image(renderer.top_down(snapshot, size), "PNG")
    names = [obj.objectId for obj in snapshot.objects]
    meaning = {"instance": _colour_legend(names), "class": _colour_legend(types)}
    yield "colours.json", (json.dumps(meaning, indent=1) + "\n").encode()


def _images_of_views(
    name: str, views: snapshot_renderer.CameraImages
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a camera's images, all of which must have been drawn."""
    rgb, ids, classes, depth = views.rgb, views.ids, views.classes, views.depth
    assert rgb is not None and ids is not None and classes is not None and depth is not None
    yield f"{name}.rgb.png", encode_image(rgb, "PNG")
    yield f"{name}.instance.png", encode_image(number_colours(ids), "PNG")
    yield f"{name}.class.png", encode_image(number_colours(classes), "PNG")
    millimetres = np.where(np.isfinite(depth), depth * _MILLIMETRES_PER_METRE, 0.0)
    whole = np.clip(np.rint(millimetres), 0, 65535).astype(np.uint16)
    yield f"{name}.depth.png", encode_image(whole, "PNG")


def number_colours(numbers: IndexArray) -> Rgb:
    """Return a distinct colour for each number, black for -1; shape (..., 3), bytes."""
    code = ((numbers.astype(np.int64) + 1) * _COLOUR_STEP) & 0xFFFFFF
    return np.stack([code >> 16, code >> 8 & 255, code & 255], -1).astype(np.uint8)


def _colour_legend(names: Sequence[str]) -> dict[str, str]:
    """Return the name that each colour, as "#rrggbb", stands for."""
    codes = (((i + 1) * _COLOUR_STEP) & 0xFFFFFF for i in range(len(names)))
    return {f"#{code:06x}": name for code, name in zip(codes, names, strict=True)}
