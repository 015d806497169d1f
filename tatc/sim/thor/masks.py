"""AI2-THOR's segmentation frame, read as the objects of a snapshot."""

from typing import Any

import numpy as np

from tatc.actions import Click, Segments
from tatc.camera.clicks import pixel_of
from tatc.camera.geometry import NOTHING, Ids
from tatc.camera.outlines import Window
from tatc.camera.rays import FRAME
from tatc.camera.views import segments_of
from tatc.state import Snapshot


class Segmentation:
    """Which object each pixel shows: colours until a pixel is looked at.

    A frame may have fewer pixels than TEACh's: each then stands for several of those.
    """

    def __init__(self, frame: Any, colours: Any, now: Snapshot) -> None:
        """Take a frame of colours and the client's map from colours to ids."""
        rgb = np.asarray(frame).astype(np.int32)
        self._codes: Ids = rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2]
        self._now = now
        index = now.roster.index
        self._index: dict[int, int] = {
            int(r) << 16 | int(g) << 8 | int(b): index[name]
            for (r, g, b), name in colours.items()
            if name in index
        }
        self._code = {i: code for code, i in self._index.items()}

    def at(self, click: Click) -> int:
        """Return the index of the object at a click, `NOTHING` for none."""
        column, row = pixel_of(click)
        code = self._codes[self._shrunk(row), self._shrunk(column)]
        return self._index.get(int(code), NOTHING)

    def part(self, window: Window) -> Ids:
        """Return the indices of a rectangle of pixels."""
        rows = self._shrunk(np.arange(window.top, window.bottom))
        columns = self._shrunk(np.arange(window.left, window.right))
        return self._indices(self._codes[np.ix_(rows, columns)])

    def pixels(self, index: int) -> int:
        """Return how many pixels of the frame show an object."""
        each = (FRAME / len(self._codes)) ** 2
        return round(float((self._codes == self._code[index]).sum()) * each)

    def segments(self, size: int) -> Segments:
        """Return the view with fewer pixels, `size` a side, things by type alone."""
        side = len(self._codes)
        kept = (np.arange(size) * 2 + 1) * side // (2 * size)
        ids = self._indices(self._codes[np.ix_(kept, kept)])
        return segments_of(ids, self._now.objects)

    def _shrunk(self, pixels: Any) -> Any:
        """Return rows or columns of TEACh's frame as those of this one."""
        return pixels * len(self._codes) // FRAME

    def _indices(self, codes: Ids) -> Ids:
        found, places = np.unique(codes, return_inverse=True)
        table = [self._index.get(int(code), NOTHING) for code in found]
        return np.array(table, dtype=np.int32)[places].reshape(codes.shape)
