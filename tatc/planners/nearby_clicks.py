"""Clicks beside an object that shows only between the lines of the click lattice.

A pencil seen end on, or the rim of a plate behind a pot, may cover no pixel that a
two-decimal click can name.  TEACh then takes the object within ten pixels of the click
that fits the verb best (spec section 2.4) and measures the distance at the clicked pixel
itself, so a click beside the object means it too.  Place is the exception: there AI2-THOR
casts the ray of the click itself (spec section 2.3, step 5).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import dist

from tatc.home.actions import Click
from tatc.home.camera.clicks import CLICK_SEARCH_PIXELS, eye_at, resolve_click
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import Eye
from tatc.home.rendering.visible_parts import whole_visible_part
from tatc.home.state import AgentState, ObjectState, Pose
from tatc.planners.viewpoints import (
    CLICK_LATTICE_PIXELS,
    CLICK_LATTICE_STEPS,
    PLANNED_REACH_METRES,
    UNCLICKED_BORDER_STEPS,
    Viewpoint,
    VisibilityTest,
    clickable_bounds,
)

MAX_CLICKS_PER_POSE = 6
"""Clicks of one pose that are tried; those nearest to a visible pixel come first."""


def find_nearby_clicks(
    geometry: Geometry,
    objects: Sequence[ObjectState],
    target: int,
    accepts: Callable[[int], bool],
    poses: Iterable[tuple[Pose, int]],
    agent: AgentState,
    *,
    reach: float = PLANNED_REACH_METRES,
) -> Iterator[Viewpoint]:
    """Yield the poses from which a click beside object `target` means it.

    The arguments are those of `find_viewpoints`, which is far quicker and is tried first.
    """
    extent = clickable_bounds(geometry, objects, target, accepts)
    if extent is None:
        return
    visibility = VisibilityTest(extent, agent, reach)
    for pose, cost in poses:
        if not visibility.allows(pose):
            continue
        body = pose.x, agent.position[1], pose.z
        eye = eye_at(pose, agent)
        for click in _lattice_clicks_near(geometry, eye, target):
            hit = geometry.hit_at_click(eye, click)
            if hit is None or agent.body.reach_distance(body, hit.point) > reach:
                continue
            if resolve_click(geometry, eye, click, accepts) == target:
                yield Viewpoint(pose, click, cost)
                break


def _lattice_clicks_near(geometry: Geometry, eye: Eye, target: int) -> Iterator[Click]:
    """Yield the lattice clicks around a visible pixel of an object, nearest first."""
    found = whole_visible_part(geometry, eye, target)
    if found is None:
        return
    window, shown = found
    middle = len(shown.rows) // 2
    row = window.top + int(shown.rows[middle])
    column = window.left + int(shown.columns[middle])
    lines = range(UNCLICKED_BORDER_STEPS, CLICK_LATTICE_STEPS - UNCLICKED_BORDER_STEPS)
    near_rows = [i for i in lines if abs(CLICK_LATTICE_PIXELS[i] - row) < CLICK_SEARCH_PIXELS]
    near_columns = [i for i in lines if abs(CLICK_LATTICE_PIXELS[i] - column) < CLICK_SEARCH_PIXELS]
    near = sorted(
        (dist((CLICK_LATTICE_PIXELS[i], CLICK_LATTICE_PIXELS[j]), (row, column)), j, i)
        for i in near_rows
        for j in near_columns
    )
    for _, j, i in near[:MAX_CLICKS_PER_POSE]:
        yield Click(j / CLICK_LATTICE_STEPS, i / CLICK_LATTICE_STEPS)
