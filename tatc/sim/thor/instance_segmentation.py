"""AI2-THOR's segmentation frame, read as the objects of a snapshot."""

from typing import Any

import numpy as np

from tatc.home.actions import Click
from tatc.home.camera.clicks import pixel_of
from tatc.home.camera.geometry import NO_OBJECT, IndexArray
from tatc.home.camera.rays import FRAME_PIXELS
from tatc.home.camera.screen_bounds import PixelWindow
from tatc.home.camera.views import segmentation_of
from tatc.home.observation import SegmentationFrame
from tatc.home.state import Snapshot


class InstanceSegmentation:
    """Which object each pixel shows: colours until a pixel is looked at.

    A frame may have fewer pixels than TEACh's: each then stands for several of those.
    """

    def __init__(self, frame: Any, colours: Any, snapshot: Snapshot) -> None:
        """Take a frame of colours and the client's map from colours to ids."""
        rgb = np.asarray(frame).astype(np.int32)
        self._codes: IndexArray = rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2]
        self._snapshot = snapshot
        index = snapshot.object_index.by_id
        self._index_by_code: dict[int, int] = {
            int(r) << 16 | int(g) << 8 | int(b): index[name]
            for (r, g, b), name in colours.items()
            if name in index
        }
        self._code_by_index = {i: code for code, i in self._index_by_code.items()}

    def at(self, click: Click) -> int:
        """Return the index of the object at a click, `NO_OBJECT` for none."""
        column, row = pixel_of(click)
        code = self._codes[self._to_frame_scale(row), self._to_frame_scale(column)]
        return self._index_by_code.get(int(code), NO_OBJECT)

    def part(self, window: PixelWindow) -> IndexArray:
        """Return the indices of a rectangle of pixels."""
        rows = self._to_frame_scale(np.arange(window.top, window.bottom))
        columns = self._to_frame_scale(np.arange(window.left, window.right))
        return self._indices(self._codes[np.ix_(rows, columns)])

    def pixels(self, index: int) -> int:
        """Return how many pixels of the frame show an object."""
        each = (FRAME_PIXELS / len(self._codes)) ** 2
        return round(float((self._codes == self._code_by_index[index]).sum()) * each)

    def segments(self, size: int) -> SegmentationFrame:
        """Return the view with fewer pixels, `size` a side, things by type alone."""
        side = len(self._codes)
        kept = (np.arange(size) * 2 + 1) * side // (2 * size)
        ids = self._indices(self._codes[np.ix_(kept, kept)])
        return segmentation_of(ids, self._snapshot.objects)

    def _to_frame_scale(self, pixels: Any) -> Any:
        """Return rows or columns of TEACh's frame as those of this one."""
        return pixels * len(self._codes) // FRAME_PIXELS

    def _indices(self, codes: IndexArray) -> IndexArray:
        found, places = np.unique(codes, return_inverse=True)
        table = [self._index_by_code.get(int(code), NO_OBJECT) for code in found]
        return np.array(table, dtype=np.int32)[places].reshape(codes.shape)
