"""What the pointing Follower remembers of things: instances, linked from view to view by position.

An instance is a type and the box around the points at which the rays of its mask ended, in the
Follower's own frame.  Where a later view looks through the place of a small thing, it is forgotten.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, hypot, log, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import INTERACTION_VERBS, Click, Verb
from tatc.home.percepts import View

EYE_ABOVE_BODY_METRES = 0.675
FLOOR_BELOW_BODY_METRES = 0.9
"""How far the camera is above the body's position, and the floor below it, in every body."""
CROP_SIDE = 8
"""The side of the grid of cells that is laid over a mask's box, in which a click is chosen."""
MAX_IN_VIEW, MAX_REMEMBERED = 56, 20
"""How many instances in view, the largest, and out of view, the nearest, the network is given."""
REFUSED_POINT_METRES = 0.06
"""A cell of a mask that is nearer to a point where a click was refused is taken out, metres."""
REFUSED_PENALTY, REFUSED_RADIUS_METRES = 4.0, 0.15
"""How much a cell's logit loses at a refused point, and how far from it, metres."""
ROOM_BONUS, ROOM_PIXELS = 3.0, 12
"""How much a cell's logit gains so many pixels within the mask, where something is put down."""
IGNORED_TYPES = frozenset(
    "Floor Window Curtains Painting ShowerCurtain Blinds Wall Rug RoomDecor Poster".split()
)
"""What fills the view and is never acted on."""
_MAX_DEPTH_METRES = 12.0
_SAME_GAP_METRES = 0.12
_LARGE_METRES = 0.45  # of larger things, a view shows a part: boxes grow
_SEEN_THROUGH_METRES = 0.25
_SMALL_METRES = 0.5
_FEW_OF_A_TYPE = 4
Floats = NDArray[np.float32]
VERB_NUMBER = {verb: i for i, verb in enumerate(INTERACTION_VERBS)}
FEATURE_COUNT = 39
"""The numbers that describe an instance; `InstanceMemory.features` has their order."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An instance in one view: its percept, pixel box (left, top, right, bottom), middle, pixels.

    `nearest` is the distance of its nearest point from the body's position, metres.
    """

    percept: int
    box: tuple[int, int, int, int]
    middle: tuple[float, float]
    pixel_count: int
    nearest: float


@dataclass(slots=True, eq=False)
class Instance:
    """A thing that was seen; `seen` is None while it is out of view, and `seen_at` a turn."""

    object_type: str
    low: Floats
    high: Floats
    seen_at: int
    seen: Seen | None = None
    last_verb: Verb | None = None
    refused_points: list[Floats] = field(default_factory=list[Floats])

    @property
    def middle(self) -> Floats:
        """The middle of its box."""
        return ((self.low + self.high) / 2).astype(np.float32)

    @property
    def size(self) -> float:
        """The longest edge of its box, metres."""
        return float((self.high - self.low).max())


class InstanceMemory:
    """The instances of one session, and the points of the last view."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.instances: list[Instance] = []
        self.turn = 0
        self._moved: tuple[Instance, View] | None = None
        """What was just opened or closed, and the view in which it was seen before."""

    def see(self, view: View) -> None:
        """Take a view: link its masks to instances, and forget what is no longer there."""
        self.turn += 1
        self.view = view
        self.points = points_of(view)
        moved, percept = self._moved_percept()
        by_type: dict[str, list[Instance]] = {}
        for instance in self.instances:
            instance.seen = None
            if instance is not moved:
                by_type.setdefault(instance.object_type, []).append(instance)
        for low, high, seen in sorted(self._masks(), key=lambda mask: -mask[2].pixel_count):
            kind = view.percepts[seen.percept].object_type
            is_moved = seen.percept == percept
            known = moved if is_moved else _same_instance(by_type.get(kind, ()), low, high)
            if known is None:
                self.instances.append(Instance(kind, low, high, self.turn, seen))
                continue
            if max(float((high - low).max()), known.size) > _LARGE_METRES:
                low, high = np.minimum(low, known.low), np.maximum(high, known.high)
            known.low, known.high, known.seen, known.seen_at = low, high, seen, self.turn
        self._forget_what_is_gone()

    def _moved_percept(self) -> tuple[Instance | None, int]:
        """Return what was just opened or closed, and the mask that is now where it was.

        A drawer that slides out may leave the box in which it was seen.
        """
        (instance, before), self._moved = self._moved or (None, self.view), None
        if instance is None or instance.seen is None or before.body != self.view.body:
            return None, -1
        kinds = [each.object_type == instance.object_type for each in self.view.percepts]
        where = before.pixels == instance.seen.percept
        shown = np.bincount(self.view.pixels[where] + 1, minlength=len(kinds) + 1)[1:] * kinds
        return (instance, int(shown.argmax())) if shown.any() else (None, -1)

    def forget_view_alone(self) -> None:
        """Forget what is out of view: a Follower without a memory."""
        self.instances = [each for each in self.instances if each.seen is not None]

    def ordered(self, named: Container[str] = ()) -> tuple[list[Instance], int]:
        """Return the instances for the network, those in view first, and how many are in view.

        A mug is not left out for a fifth drawer: those of a type that has many come last, and of
        what is out of view, the `named` types first.
        """
        x, _, z = self.view.body.position
        shown = [each for each in self.instances if each.seen is not None]
        hidden = [each for each in self.instances if each.seen is None]
        shown.sort(key=lambda each: -each.seen.pixel_count if each.seen else 0)
        hidden.sort(key=lambda i: hypot(i.middle[0] - x, i.middle[2] - z) + (i.last_verb is None))
        shown, hidden = _many_of_a_type_last(shown), _many_of_a_type_last(hidden)
        hidden.sort(key=lambda each: each.object_type not in named)
        shown = shown[:MAX_IN_VIEW]
        return [*shown, *hidden[:MAX_REMEMBERED]], len(shown)

    def features(self, instances: Sequence[Instance], path_lengths: Sequence[float]) -> Floats:
        """Return what describes each instance, (instances, `FEATURE_COUNT`), in metres / 2.

        `path_lengths` are those to its place over the Follower's own map, in steps.
        """
        body, side = self.view.body, len(self.view.pixels)
        x, y, z = body.position
        cosine = cos(radians(body.yaw))
        found = np.zeros((len(instances), FEATURE_COUNT), np.float32)
        if not instances:
            return found
        low, high = (np.array([getattr(i, n) for i in instances]) for n in ("low", "high"))
        away, size = (low + high) / 2 - (x, y, z), high - low
        near = np.clip(0.0, low - (x, y, z), high - (x, y, z))
        right, ahead = _right_and_ahead(away, body.yaw)
        near_right, near_ahead = _right_and_ahead(near, body.yaw)
        distance, near_distance = np.hypot(right, ahead), np.hypot(near_right, near_ahead)
        wide, deep = (size[:, 0], size[:, 2]) if abs(cosine) > 0.7 else (size[:, 2], size[:, 0])
        found[:, 0] = [each.seen is not None for each in instances]
        found[:, 1] = [log(1 + self.turn - each.seen_at) / 4 for each in instances]
        found[:, 2:9] = np.stack(
            [right / 2, away[:, 1] + 0.9, ahead / 2, wide, size[:, 1], deep, distance / 2], 1
        )
        found[:, 9:12] = np.stack([right, ahead, away[:, 1]], 1) / (distance + 0.1)[:, None]
        found[:, 12:15] = np.stack([near_right, near_ahead, near_distance], 1) / 2
        found[:, 15] = np.minimum(path_lengths, 40) / 16
        for i, each in enumerate(instances):
            found[i, 16] = min(len(each.refused_points), 3) / 2
            if each.last_verb is not None:
                found[i, 17 + VERB_NUMBER[each.last_verb]] = 1.0
            if (seen := each.seen) is not None:
                column, row = (value / side for value in seen.middle)
                found[i, 25] = seen.nearest / 2
                found[i, 26:32] = column, row, *(edge / side for edge in seen.box)
                found[i, 32] = log(seen.pixel_count) / 8
                found[i, 33 + min(2, int(column * 3))] = found[i, 36 + min(2, int(row * 3))] = 1.0
        return found

    def crop(self, instance: Instance) -> Floats:
        """Return what the cells of a mask's box show, (3, `CROP_SIDE`, `CROP_SIDE`).

        First the share of a cell that is mask (0 at refused points, unless nothing were left), then
        the distance from the body / 2 and the height above the floor, metres, where it is mask.
        """
        points, mask = self._sampled(instance)
        inside = _cell_means(mask)
        away = np.sqrt(((points - np.array(self.view.body.position, np.float32)) ** 2).sum(-1))
        height = points[..., 1] - self.view.body.position[1] + FLOOR_BELOW_BODY_METRES
        share = np.maximum(inside, 1e-6)
        crop = np.stack(
            [inside, _cell_means(away * mask) / share / 2, _cell_means(height * mask) / share]
        )
        if instance.refused_points:
            middles = np.stack([_cell_means(points[..., k] * mask) / share for k in range(3)], -1)
            gaps = middles - np.array(instance.refused_points)[:, None, None]
            left = crop[0] * (np.sqrt((gaps**2).sum(-1)) >= REFUSED_POINT_METRES).all(0)
            crop[0] = left if left.any() else crop[0]
        return crop.astype(np.float32)

    def click_prior(self, instance: Instance, *, needs_room: bool) -> Floats:
        """Return what is given of each cell's worth for a click, (cells,).

        It is less near points where a click was refused, and if the click `needs_room`, more the
        deeper within the mask.
        """
        assert instance.seen is not None
        left, top, right, bottom = instance.seen.box
        at = (np.arange(CROP_SIDE) + 0.5) / CROP_SIDE
        cells = np.ix_((at * (bottom - top)).astype(int), (at * (right - left)).astype(int))
        worth = np.zeros((CROP_SIDE, CROP_SIDE), np.float32)
        points = self.points[top:bottom, left:right][cells]
        for refused in instance.refused_points:
            gap = np.nan_to_num(((points - refused) ** 2).sum(-1), nan=1.0)
            worth -= REFUSED_PENALTY * np.exp(-gap / REFUSED_RADIUS_METRES**2)
        inside = np.pad(self.view.pixels[top:bottom, left:right] == instance.seen.percept, 1)
        for _ in range(ROOM_PIXELS if needs_room else 0):
            rows = inside[:-2] & inside[1:-1] & inside[2:]
            inside = np.pad(rows[:, :-2] & rows[:, 1:-1] & rows[:, 2:], 1)
            worth += inside[1:-1, 1:-1][cells] * (ROOM_BONUS / ROOM_PIXELS)
        return worth.ravel()

    def clicked(self, object_type: str, click: Click) -> Instance | None:
        """Return the instance of a type in view that is clicked, or else the nearest to that."""
        x, y = click.x * len(self.view.pixels), click.y * len(self.view.pixels)
        under = int(self.view.pixels[int(y), int(x)])
        shown = ((e, e.seen) for e in self.instances if e.object_type == object_type and e.seen)
        gaps = [
            (-1.0 if seen.percept == under else hypot(seen.middle[0] - x, seen.middle[1] - y), each)
            for each, seen in shown
        ]
        return min(gaps, key=lambda gap: gap[0])[1] if gaps else None

    def cell_of(self, instance: Instance, click: Click) -> int:
        """Return the cell of a mask's box in which a click is, or that is nearest to it."""
        assert instance.seen is not None
        left, top, right, bottom = instance.seen.box
        side = len(self.view.pixels)
        column = int((click.x * side - left) / (right - left) * CROP_SIDE)
        row = int((click.y * side - top) / (bottom - top) * CROP_SIDE)
        row, column = (min(max(value, 0), CROP_SIDE - 1) for value in (row, column))
        return row * CROP_SIDE + column

    def click_in(self, instance: Instance, cell: int, *, off_border: bool) -> Click:
        """Return a click on the mask near the middle of a cell, `off_border` if there is room."""
        assert instance.seen is not None
        left, top, right, bottom = instance.seen.box
        side = len(self.view.pixels)
        x = left + (cell % CROP_SIDE + 0.5) / CROP_SIDE * (right - left)
        y = top + (cell // CROP_SIDE + 0.5) / CROP_SIDE * (bottom - top)
        mask = self.view.pixels[top:bottom, left:right] == instance.seen.percept
        rows, columns = np.nonzero(mask)
        cost = np.hypot(rows + top + 0.5 - y, columns + left + 0.5 - x)
        if off_border:
            padded = np.pad(mask, 1).astype(np.float32)
            high, wide = mask.shape
            around = sum(padded[i : i + high, j : j + wide] for i in range(3) for j in range(3))
            cost += (9 - np.asarray(around)[rows, columns]) * 0.7
        best = int(cost.argmin())
        return Click((columns[best] + left + 0.5) / side, (rows[best] + top + 0.5) / side)

    def point_at(self, click: Click) -> Floats:
        """Return the point at which the ray of a click ended."""
        side = len(self.view.pixels)
        row, column = (min(side - 1, int(value * side)) for value in (click.y, click.x))
        return self.points[row, column]

    def note_result(self, verb: Verb, instance: Instance, click: Click, *, success: bool) -> None:
        """Remember what an interaction with an instance led to."""
        if not success:
            instance.refused_points.append(self.point_at(click))
            return
        instance.refused_points.clear()
        instance.last_verb = verb
        if verb in (Verb.OPEN, Verb.CLOSE):
            self._moved = instance, self.view
        if verb is Verb.PICKUP and instance in self.instances:
            self.instances.remove(instance)

    def _masks(self) -> Iterator[tuple[Floats, Floats, Seen]]:
        """Yield the box of the points of each mask, and how it is seen."""
        view, side = self.view, len(self.view.pixels)
        wanted = np.array([p.object_type not in IGNORED_TYPES for p in view.percepts] + [False])
        numbers = view.pixels.ravel()
        known = wanted[numbers] & (view.depth.ravel() < _MAX_DEPTH_METRES)
        where = np.flatnonzero(known)
        if not len(where):
            return
        where = where[np.argsort(numbers[where].astype(np.int16), kind="stable")]
        own = numbers[where]
        starts = np.flatnonzero(np.r_[True, own[1:] != own[:-1]])
        counts = np.diff(np.r_[starts, len(own)])
        points = self.points.reshape(-1, 3)[where]
        rows, columns = where // side, where % side
        low, high = (f.reduceat(points, starts) for f in (np.minimum, np.maximum))
        gaps = ((points - np.array(view.body.position, np.float32)) ** 2).sum(1)
        nearest = np.sqrt(np.minimum.reduceat(gaps, starts))
        left, top = (np.minimum.reduceat(v, starts) for v in (columns, rows))
        right, bottom = (np.maximum.reduceat(v, starts) + 1 for v in (columns, rows))
        middle_x, middle_y = (np.add.reduceat(v, starts) / counts + 0.5 for v in (columns, rows))
        for k, start in enumerate(starts.tolist()):
            box = int(left[k]), int(top[k]), int(right[k]), int(bottom[k])
            middle = float(middle_x[k]), float(middle_y[k])
            seen = Seen(int(own[start]), box, middle, int(counts[k]), float(nearest[k]))
            yield low[k], high[k], seen

    def _sampled(self, instance: Instance) -> tuple[Floats, Floats]:
        """Return points and mask of 2 x 2 samples of each cell of an instance's box."""
        assert instance.seen is not None
        left, top, right, bottom = instance.seen.box
        at = (np.arange(2 * CROP_SIDE) + 0.5) / (2 * CROP_SIDE)
        rows = (top + at * (bottom - top)).astype(int)
        columns = (left + at * (right - left)).astype(int)
        where = np.ix_(rows, columns)
        mask = self.view.pixels[where] == instance.seen.percept
        return np.nan_to_num(self.points[where]), mask.astype(np.float32)

    def _forget_what_is_gone(self) -> None:
        """Forget small things out of view through whose place the view looks."""
        hidden = [e for e in self.instances if e.seen is None and e.size <= _SMALL_METRES]
        if not hidden:
            return
        body, side = self.view.body, len(self.view.pixels)
        x, y, z = body.position
        away = np.array([each.middle for each in hidden]) - (x, y + EYE_ABOVE_BODY_METRES, z)
        right, ahead = _right_and_ahead(away, body.yaw)
        sine, cosine = sin(radians(body.horizon)), cos(radians(body.horizon))
        forward, up = ahead * cosine - away[:, 1] * sine, ahead * sine + away[:, 1] * cosine
        half = tan(radians(body.body.fov_degrees / 2)) * np.maximum(forward, 0.1)
        inside = (forward > 0.1) & (np.maximum(np.abs(right), np.abs(up)) < 0.95 * half)
        columns, rows = (np.where(inside, v / half, 0.0) for v in (right, -up))
        columns, rows = (((v + 1) / 2 * side).astype(int) for v in (columns, rows))
        beyond = np.linalg.norm(away, axis=1) + _SEEN_THROUGH_METRES
        gone = inside & (self.view.depth[rows, columns] > beyond)
        forgotten = {id(each) for each, is_gone in zip(hidden, gone, strict=True) if is_gone}
        self.instances = [each for each in self.instances if id(each) not in forgotten]


def _right_and_ahead(
    offsets: NDArray[np.floating], yaw: float
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return how far to the right and ahead of a body with this yaw offsets from it reach."""
    sine, cosine = sin(radians(yaw)), cos(radians(yaw))
    right, ahead = offsets[:, 0] * cosine, offsets[:, 0] * sine
    return right - offsets[:, 2] * sine, ahead + offsets[:, 2] * cosine


def points_of(view: View) -> Floats:
    """Return the points (rows, columns, 3) where a view's rays end, metres; NaN for none."""
    body = view.body
    rays = _ray_directions(body.yaw, body.horizon, body.body.fov_degrees, len(view.pixels))
    x, y, z = body.position
    depth = np.where(view.depth < _MAX_DEPTH_METRES, view.depth, np.nan).astype(np.float32)
    return rays * depth[..., None] + np.array((x, y + EYE_ABOVE_BODY_METRES, z), np.float32)


@lru_cache(maxsize=64)
def _ray_directions(yaw: float, horizon: float, fov: float, side: int) -> Floats:
    """Return the directions of a view's rays in the Follower's frame, each of length 1."""
    at = ((np.arange(side) + 0.5) / side * 2 - 1) * tan(radians(fov / 2))
    right, up = np.broadcast_to(at, (side, side)), np.broadcast_to(-at[:, None], (side, side))
    length = np.sqrt(right**2 + up**2 + 1)
    sine, cosine = sin(radians(horizon)), cos(radians(horizon))
    ahead, up = cosine + up * sine, up * cosine - sine
    sine, cosine = sin(radians(yaw)), cos(radians(yaw))
    rays = np.stack([right * cosine + ahead * sine, up, ahead * cosine - right * sine], -1)
    return (rays / length[..., None]).astype(np.float32)


def _many_of_a_type_last(instances: list[Instance]) -> list[Instance]:
    count, few, more = Counter[str](), list[Instance](), list[Instance]()
    for each in instances:
        count[each.object_type] += 1
        (few if count[each.object_type] <= _FEW_OF_A_TYPE else more).append(each)
    return few + more


def _same_instance(known: Sequence[Instance], low: Floats, high: Floats) -> Instance | None:
    """Return the known instance, not seen in this view yet, that a mask's box belongs to."""
    free = [each for each in known if each.seen is None]
    if not free:
        return None
    lows, highs = (np.array([getattr(e, name) for e in free]) for name in ("low", "high"))
    gaps = np.maximum(low - highs, lows - high).max(1)
    apart = np.abs((lows + highs) / 2 - (low + high) / 2).max(1) + 10 * np.maximum(gaps, 0.0)
    apart[gaps >= _SAME_GAP_METRES] = np.inf
    best = int(apart.argmin())
    return free[best] if np.isfinite(apart[best]) else None


def _cell_means(samples: Floats) -> Floats:
    return samples.reshape(CROP_SIDE, 2, CROP_SIDE, 2).mean((1, 3))
