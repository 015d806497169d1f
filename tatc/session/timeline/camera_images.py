"""What cameras see at a moment, as PNG files."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.geometry import IndexArray
from tatc.home.camera.rays import FRAME_PIXELS, Eye, Rgb
from tatc.home.camera.views import Depths, encode_image
from tatc.home.state import Snapshot
from tatc.sim.embedded.snapshot_renderer import CameraImages, ImageKind, SnapshotRenderer

_COLOUR_STEP = 0x9E3779  # odd, so that numbers up to 2 ** 24 get distinct colours
_MILLIMETRES_PER_METRE = 1000.0


@dataclass(frozen=True, slots=True)
class CameraImage:
    """The name and content of an image file, or of the legend of colours."""

    name: str
    data: bytes


def camera_images(
    renderer: SnapshotRenderer,
    snapshot: Snapshot,
    eyes: Mapping[str, Eye],
    size: int = FRAME_PIXELS,
) -> Iterator[CameraImage]:
    """Yield the files of what each camera sees, and of the room from above.

    Each camera gives `rgb`, `instance` and `class` (a colour per object and per type;
    `colours.json` is their legend), and `depth` (16 bits: millimetres along the view
    axis, 0 where no object is).

    Args:
        renderer: renders the scene.
        snapshot: the moment.
        eyes: the cameras by the names that their files begin with.
        size: pixels along each side.

    """
    types: tuple[str, ...] = ()
    for name, eye in eyes.items():
        views = renderer.draw(snapshot, eye, size, tuple(ImageKind))
        types = views.types
        yield from _images_of_views(name, views)
    yield CameraImage("map.png", encode_image(renderer.top_down(snapshot, size), "PNG"))
    names = [obj.objectId for obj in snapshot.objects]
    meaning = {"instance": _colour_legend(names), "class": _colour_legend(types)}
    yield CameraImage("colours.json", (json.dumps(meaning, indent=1) + "\n").encode())


def _images_of_views(name: str, views: CameraImages) -> Iterator[CameraImage]:
    """Yield the files of a camera's images, all of which must have been drawn."""
    rgb, ids, classes, depth = views.rgb, views.ids, views.classes, views.depth
    assert rgb is not None and ids is not None and classes is not None and depth is not None
    yield CameraImage(f"{name}.rgb.png", encode_image(rgb, "PNG"))
    yield CameraImage(f"{name}.instance.png", encode_image(number_colours(ids), "PNG"))
    yield CameraImage(f"{name}.class.png", encode_image(number_colours(classes), "PNG"))
    yield CameraImage(f"{name}.depth.png", encode_image(_whole_millimetres(depth), "PNG"))


def number_colours(numbers: IndexArray) -> Rgb:
    """Return a distinct colour for each number, black for -1; shape (..., 3), bytes."""
    code = ((numbers.astype(np.int64) + 1) * _COLOUR_STEP) & 0xFFFFFF
    return np.stack([code >> 16, code >> 8 & 255, code & 255], -1).astype(np.uint8)


def _colour_legend(names: Sequence[str]) -> dict[str, str]:
    """Return the name that each colour, as "#rrggbb", stands for."""
    codes = (((i + 1) * _COLOUR_STEP) & 0xFFFFFF for i in range(len(names)))
    return {f"#{code:06x}": name for code, name in zip(codes, names, strict=True)}


def _whole_millimetres(depth: Depths) -> NDArray[np.uint16]:
    millimetres = np.where(np.isfinite(depth), depth * _MILLIMETRES_PER_METRE, 0.0)
    return np.clip(np.rint(millimetres), 0, 65535).astype(np.uint16)
