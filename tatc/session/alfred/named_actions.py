"""Does actions on named objects, as AI2-THOR does without a click; and replays trajectories so.

An action on a named object needs the object in view and within reach; where on it the action
is done is left open.  So it is tried at some of the pixels that show the object, those in its
middle first.

Colliders hide an object from AI2-THOR, and these are often smaller than the boxes that this
world has.  Two things cannot be in one place, so an object that is hidden is looked for again
without what overlaps its box: a lamp with its shade over a key, or a counter around a cabinet.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from math import hypot

import numpy as np
from numpy.typing import NDArray

from tatc.home import actions, type_facts
from tatc.home.camera.body_clearance import is_deep_sheet
from tatc.home.camera.clicks import affords, eye_of
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.object_pixels import unhidden_part
from tatc.home.camera.rays import FRAME_PIXELS
from tatc.home.camera.visible_parts import bounding_window, count_visible_pixels, visible_part
from tatc.home.state import AgentState, Box, ObjectState, Scene, Snapshot
from tatc.session.alfred.recorded_ids import all_recorded, find_recorded
from tatc.session.records.trajectory_plan import LowAction, MaskRuns
from tatc.sim.embedded import motion, simulator, world_state
from tatc.sim.embedded.placement.box_overlap import FootprintTest, boxes_overlap
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.sim.teach_effects import refusal_result
from tatc.tdl.properties import parent_receptacles_of

Pixels = NDArray[np.int64]  # pixels of a frame, counted row by row


# What a mask means.
#
# Masks are of AI2-THOR's frames, and boxes hide what its furniture shows: a key under a lamp, a mug
# on the board of a microwave.  So where the pixels show no object clearly, its own outline counts,
# whatever is before it.  What the agent has put down lies elsewhere than in AI2-THOR, by up to the
# width of a fridge's board; all else lies where it did, to a few centimetres.

_CLEAR_SHARE = 0.6  # intersection over union from which an object is clearly shown
_LEAST_FIT = 0.1  # below which an outline is not that of a mask
_SHIFT_COST_PER_METRE = 3.0  # of the fit of an outline that is moved onto a mask
_MOVED_COST_PER_METRE = 0.3  # the same for an object that was put down since the start, or cut


def object_of_mask(
    pixels: Pixels, verb: actions.Verb, now: Snapshot, start: Snapshot, geometry: Geometry
) -> str | None:
    """Return the id of the object that these pixels of the agent's frame mean, or None.

    Of those that can be picked up, put into, opened, switched or sliced, but for the floor and the
    one in the hand, it is the one with the highest intersection over union, if that is clear.  Else
    it is the one, near enough, that the action can be done to and whose outline fits best; of what
    was put into the one that is shown, the outline need not fit well.
    """
    if not len(pixels):
        return None
    agent, objects = now.follower, now.objects
    ids, _ = geometry.trace_objects(eye_of(agent), agent.body.frame_pixels)
    counts = np.bincount(ids.ravel() + 1, minlength=len(objects) + 1)[1:]
    common = np.bincount(ids.ravel()[pixels] + 1, minlength=len(objects) + 1)[1:]
    shares: list[float] = (common / np.maximum(counts + len(pixels) - common, 1)).tolist()
    able = [i for i in np.flatnonzero(common).tolist() if _can_be_acted_on(objects[i])]
    shown = max(able, key=lambda i: (shares[i], -i), default=None)
    found = None if shown is None else objects[shown].objectId
    if shown is not None and shares[shown] >= _CLEAR_SHARE:
        return found
    (x, _, z), places = agent.position, {obj.objectId: obj.box.center for obj in start.objects}
    fits: list[tuple[float, int, str]] = []
    for i, obj in enumerate(objects):
        is_near = obj.box.horizontal_distance(x, z) <= _VISIBLE_METRES
        if is_near and _can_be_acted_on(obj) and affords(verb, obj):
            is_there = places.get(obj.objectId) == obj.box.center
            cost = _SHIFT_COST_PER_METRE if is_there else _MOVED_COST_PER_METRE
            fit = max(shares[i], _fit_of_outline(pixels, agent, geometry, i, cost))
            was_put_in = not is_there and found in parent_receptacles_of(obj, now)
            if fit >= _LEAST_FIT or was_put_in:
                fits.append((fit, -i, obj.objectId))
    return max(fits)[2] if fits else found


def _fit_of_outline(
    pixels: Pixels, agent: AgentState, geometry: Geometry, index: int, cost: float
) -> float:
    """Return how an object's own outline fits a mask: where it is, or moved onto the mask's middle.

    The fit is the intersection over union, less the cost of the way at the object's depth.
    """
    eye, size = eye_of(agent), agent.body.frame_pixels
    lines = np.arange(size) * _FRAME_STEP_PIXELS + 1
    part = unhidden_part(geometry, eye, index, lines, lines)
    if not len(part.depths):
        return 0.0
    outline = np.array([part.rows, part.columns])
    shift = np.array([pixels // size, pixels % size]).mean(1) - outline.mean(1)
    way = hypot(*shift) / size * 2 * hypot(*eye.axes[1]) * float(np.median(part.depths))
    fits: list[float] = []
    for rows, columns in (outline, outline + shift.round().astype(np.int64)[:, None]):
        seen = (0 <= rows) & (rows < size) & (0 <= columns) & (columns < size)
        common = int(np.isin((rows * size + columns)[seen], pixels).sum())
        fits.append(common / (len(rows) + len(pixels) - common))
    return max(fits[0], fits[1] - cost * way)


def pixels_of_runs(runs: MaskRuns, size: int) -> Pixels:
    """Return the pixels of a recorded mask in a frame of `size` pixels a side."""
    found = [np.arange(start, start + length) for start, length in runs]
    return np.concatenate(found) % (size * size) if found else np.zeros(0, dtype=np.int64)


def _can_be_acted_on(obj: ObjectState) -> bool:
    able, is_floor = obj.affordances, obj.objectType == type_facts.FLOOR_TYPE  # none in 2.1.0
    return not (obj.isPickedUp or is_floor) and any(
        (able.pickupable, able.receptacle, able.openable, able.toggleable, able.sliceable)
    )


_VISIBLE_METRES = 1.5  # from the agent to a visible object's box, seen from above (AI2-THOR)


class AgentsView:
    """What the agent of a state sees, as AI2-THOR's metadata have it (`visible`)."""

    def __init__(self, now: Snapshot, geometry: Geometry) -> None:
        """Take the state, and what rays hit in it."""
        self._now, self._geometry = now, geometry

    @staticmethod
    def since(start: Snapshot, now: Snapshot) -> "AgentsView":
        """Return what the agent sees now; `start` says where counters are cut and doors are."""
        world = world_state.WorldState(start)
        world.restore(now)
        return AgentsView(now, world.geometry)

    def shows(self, obj: ObjectState) -> bool:
        """Return whether an object of the state is near enough, and shows in the frame."""
        x, _, z = self._now.follower.position
        if obj.box.horizontal_distance(x, z) > _VISIBLE_METRES:
            return False
        index = self._now.object_index.by_id[obj.objectId]
        return count_visible_pixels(self._geometry, eye_of(self._now.follower), index) > 0

    def frames(self, obj: ObjectState) -> bool:
        """Return whether the lower side of an object is near enough, and in the frame or hidden."""
        (x, y, z), body = obj.box.center, self._now.follower.position
        if hypot(x - body[0], z - body[2]) > _VISIBLE_METRES:
            return False
        across, down, depth = eye_of(self._now.follower).project((x, y - obj.box.size[1] / 2, z))
        return depth > 0.0 and 0.0 <= across <= 1.0 and 0.0 <= down <= 1.0


_MAX_POINTS = 12  # of an object at which an interaction is tried
_WIDE_ABOVE_TYPES = type_facts.FLOOR_COVERING_TYPES | frozenset(type_facts.OBSTACLE_WIDTH_SHARES)
"""Types whose box covers from above what it does not hide: the inside of an L-shaped counter, the
table around the foot of a lamp."""
_COLLIDER_SHARE = 0.8  # of its box that a held object is taken for where there is no room for that
_FRAME_STEP_PIXELS = 3  # of TEACh's frame of 900: every pixel of ALFRED's 300
_SAMPLE_STEP_PIXELS = 3 * _FRAME_STEP_PIXELS  # where an object is looked for first


class NamedActions:
    """Interactions of the Follower of one world, each on an object that is named."""

    def __init__(self, sim: simulator.EmbeddedSimulator) -> None:
        """Act in this world, which has a scene."""
        self._sim = sim

    def act(self, verb: actions.Verb, target_id: str) -> actions.ActionResult:
        """Do an interaction on an object, or change nothing and return why it is refused."""
        target = self._sim.snapshot().get(target_id)
        if target is None:
            return refusal_result(f"Object ID {target_id} is invalid")
        clicks = self._clicks_on(target)
        if not clicks:
            return refusal_result(f"{target_id} is not visible from here")
        if verb is actions.Verb.PLACE:
            return self._place(target, clicks)
        done = refusal_result(f"{target_id} cannot be acted on")
        for click in clicks:
            done = self._try(verb, click, target)
            if done.success:
                break
        return done

    def _try(
        self, verb: actions.Verb, click: actions.Click, target: ObjectState
    ) -> actions.ActionResult:
        action = actions.Action(verb, click)
        return self._sim.step_on_object(actions.Role.FOLLOWER, action, target.objectId)

    def _place(self, target: ObjectState, clicks: Sequence[actions.Click]) -> actions.ActionResult:
        """Put what is held where the agent sees it, or at least where the frame and its reach are.

        AI2-THOR tries places in reach and in view; without room there, a smaller box is tried.
        """
        before = self._sim.snapshot()
        held = before.held_object()
        if held is None:
            return refusal_result("the hand is empty")
        hidden: tuple[Snapshot, actions.ActionResult] | None = None
        done = refusal_result("No valid positions to place object found")
        for share, click in product((1.0, _COLLIDER_SHARE), clicks):
            self._sim.restore(_with_scaled_box(before, held, share))
            tried = self._try(actions.Verb.PLACE, click, target)
            after = _with_scaled_box(self._sim.snapshot(), held, 1.0 / share)
            self._sim.restore(after)
            placed = after.get(held.objectId) if tried.success else None
            if placed and target.objectId in parent_receptacles_of(placed, after):
                view = AgentsView(after, self._sim.geometry)
                if view.shows(placed):
                    return tried
                if hidden is None and view.frames(placed):
                    hidden = (after, tried)
            elif not tried.success:
                done = tried
        self._sim.restore(before if hidden is None else hidden[0])
        return done if hidden is None else hidden[1]

    def _clicks_on(self, target: ObjectState) -> Sequence[actions.Click]:
        """Return clicks on visible points of an object within reach, the inner ones first."""
        clicks = tuple(self._visible_clicks(target))
        clicks = clicks or tuple(self._visible_clicks(target, _FRAME_STEP_PIXELS))
        if clicks:
            return clicks
        with self._without_overlapping(target):
            return tuple(self._visible_clicks(target))

    @contextmanager
    def _without_overlapping(self, target: ObjectState) -> Generator[None]:
        """Let rays pass through all whose boxes cannot be solid where an object is."""
        geometry, objects = self._sim.geometry, self._sim.snapshot().objects
        clear = (i for i, obj in enumerate(objects) if _cannot_hide(obj, target))
        hidden = [i for i in clear if geometry.visible_rows_of(i)]
        for i in hidden:
            geometry.hide(i)
        try:
            yield
        finally:
            for i in hidden:
                geometry.update(i, objects[i])

    def _visible_clicks(
        self, target: ObjectState, max_step: int = _SAMPLE_STEP_PIXELS
    ) -> Iterator[actions.Click]:
        now = self._sim.snapshot()
        geometry, eye = self._sim.geometry, eye_of(now.follower)
        index = now.object_index.by_id[target.objectId]
        window = bounding_window(geometry, eye, index)
        step = max(1, min(max_step, (window.right - window.left) // 8))
        columns = np.arange(window.left, window.right, step)
        rows = np.arange(window.top, window.bottom, step)
        shown = visible_part(geometry, eye, index, columns, rows)
        if not len(shown.rows):
            return
        x, _, z = now.follower.position
        points = shown.points(eye)
        away = np.hypot(points[:, 0] - x, points[:, 2] - z)
        near = np.flatnonzero(away <= actions.INTERACTION_REACH_METRES)
        if not len(near):
            return
        right, down = columns[shown.columns[near]], rows[shown.rows[near]]
        order = np.hypot(right - right.mean(), down - down.mean()).argsort(kind="stable")
        for i in order[:: max(1, len(order) // _MAX_POINTS)][:_MAX_POINTS].tolist():
            yield actions.Click(float(right[i]) / FRAME_PIXELS, float(down[i]) / FRAME_PIXELS)


def _cannot_hide(obj: ObjectState, target: ObjectState) -> bool:
    """Return whether the box of an object cannot be solid in front of a target."""
    if obj is target:
        return False
    if obj.objectType in _WIDE_ABOVE_TYPES:
        x, _, z = target.box.center
        return FootprintTest(target.box.size, target.box.yaw, obj.box).overlaps(x, z)
    return is_deep_sheet(obj) or boxes_overlap(obj.box, target.box)


def _with_scaled_box(now: Snapshot, obj: ObjectState, share: float) -> Snapshot:
    """Return a state in which an object is smaller or larger, on the same lower side."""
    if share == 1.0:
        return now
    i = now.object_index.by_id[obj.objectId]
    found = now.objects[i]
    (x, y, z), (width, height, depth) = found.box.center, found.box.size
    size = (width * share, height * share, depth * share)
    box = Box((x, y + (size[1] - height) / 2, z), size, found.box.yaw)
    return replace(now, objects=(*now.objects[:i], replace(found, box=box), *now.objects[i + 1 :]))


class NamedReplay:
    """A scene in which recorded actions are done one after the other."""

    def __init__(self, scene: Scene, recorded_map: RecordedMap | None = None) -> None:
        """Load the scene."""
        self.sim = simulator.EmbeddedSimulator(recorded_map)
        self.start = self.sim.reset(scene)
        self._actions = NamedActions(self.sim)

    @property
    def now(self) -> Snapshot:
        """The present state."""
        return self.sim.snapshot()

    def do(self, action: LowAction) -> bool:
        """Do an action, and return whether the world allowed it.

        A step that is refused is done all the same, since the recording took it; an interaction
        that is refused is not.
        """
        if action.object_id is not None:
            return self.interact(action)
        done = self.sim.step(actions.Role.FOLLOWER, actions.Action(action.verb)).success
        if not done and action.verb is actions.Verb.FORWARD:
            self._impose_step()
        return done

    def view(self) -> AgentsView:
        """Return what the agent sees now."""
        return AgentsView(self.now, self.sim.geometry)

    def target_of(self, action: LowAction) -> ObjectState | None:
        """Return the object that an interaction is done to, or None where the scene lacks it."""
        return find_recorded(action.target_id or "", self.now)

    def interact(self, action: LowAction) -> bool:
        """Try an interaction on the object that it names, and return whether it succeeded."""
        targets = all_recorded(action.target_id or "", self.now)
        return any(self._actions.act(action.verb, each.objectId).success for each in targets)

    def impose(self, action: LowAction) -> bool:
        """Do an action as recorded, even if refused; False if the scene lacks its object."""
        if self.do(action) or action.object_id is None:
            return True
        target = self.target_of(action)
        if target is not None:
            self.sim.apply_recorded_effect(actions.Action(action.verb), target.objectId)
        return target is not None

    def _impose_step(self) -> None:
        body = self.now.follower
        x, z = actions.cell_after(motion.cell_under(body), body.yaw, actions.Verb.FORWARD)
        there = (x * actions.GRID_SIZE_METRES, body.position[1], z * actions.GRID_SIZE_METRES)
        self.sim.put_follower(replace(body, position=there))
