"""AI2-THOR's scenes as they ship, through an unmodified `ai2thor` client, beside what is published.

--games names a folder with two others: `dumps` has AI2-THOR's metadata, a file
`FloorPlanN_physics.json` of objects by id for each scene; `layouts` has ALFRED's
`FloorPlanN-layout.npy`, the x and z of reachable positions in metres.  A third, `walked`, may have
positions in files of the same names where agents or people walked, which no layout lists.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from ai2thor.controller import Controller

from tatc.apps.thorserver import executable
from tatc.home.actions import Cell, cell_of
from tatc.home.state import Vec3
from tatc.sim.rooms import ithor_names

BOX_TOLERANCE_METRES = 0.005


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield means over the scenes that the folder has files of."""
    if games is None:
        return
    controller = Controller(local_executable_path=executable(), x_display=":0", scene="FloorPlan1")
    try:
        found = [_compare(controller, name, games) for name in ithor_names()]
    finally:
        controller.stop()
    for figure in ("same ids", "boxes within 5 mm", "cells of the layout", "cells beyond"):
        values = [scene[figure] for scene in found if figure in scene]
        if values:
            yield f"{figure}, mean of {len(values)} scenes", 100 * mean(values), "%"


def _compare(controller: Controller, name: str, folder: Path) -> dict[str, float]:
    event = controller.reset(name)
    found: dict[str, float] = {}
    dump = folder / "dumps" / f"{name}_physics.json"
    if dump.exists():
        found |= _compare_objects(event.metadata["objects"], json.loads(dump.read_text("utf-8")))
    layout = _cells(folder / "layouts" / f"{name}-layout.npy")
    if layout:
        positions = controller.step("GetReachablePositions").metadata["actionReturn"]
        cells = {cell_of(each["x"], each["z"]) for each in positions}
        known = layout | _cells(folder / "walked" / f"{name}-layout.npy")
        found["cells of the layout"] = len(cells & layout) / len(layout)
        found["cells beyond"] = len(cells - known) / len(cells)
    return found


def _compare_objects(
    ours: Sequence[Mapping[str, Any]], theirs: Mapping[str, Mapping[str, Any]]
) -> dict[str, float]:
    by_id = {obj["objectId"]: obj for obj in ours}
    same = [(by_id[name], obj) for name, obj in theirs.items() if name in by_id]
    near = [_corner_distance(a, b) <= BOX_TOLERANCE_METRES for a, b in same]
    return {"same ids": len(same) / len(theirs), "boxes within 5 mm": mean(near)}


def _corner_distance(a: Mapping[str, Any], b: Mapping[str, Any]) -> float:
    """Return the greatest difference of two axis-aligned boxes' sides, metres."""
    pairs = zip(_corners(a), _corners(b), strict=True)
    return max(abs(x - y) for ours, theirs in pairs for x, y in zip(ours, theirs, strict=True))


def _corners(obj: Mapping[str, Any]) -> tuple[Vec3, Vec3]:
    points = np.array(obj["axisAlignedBoundingBox"]["cornerPoints"])
    return tuple(points.min(0).tolist()), tuple(points.max(0).tolist())


def _cells(path: Path) -> set[Cell]:
    positions = np.load(path).tolist() if path.exists() else []
    return {cell_of(x, z) for x, z in positions}
