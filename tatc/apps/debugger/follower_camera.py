"""The Follower's view as an image and as a list of objects, and the clicks in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import dist

import numpy as np

from tatc.apps.debugger.terminal_drawing import Canvas, Glyph
from tatc.base.errors import BadInput
from tatc.home.actions import Click, Role, Verb
from tatc.home.camera import clicks, geometry, rays, views
from tatc.home.state import ByIdentity, ObjectState, Pose, Scene, ShortNames, Snapshot
from tatc.session.timeline import Moment, RemainingSteps, remaining_steps_at
from tatc.session.timeline.moment import have_same_objects
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.sim.top_view.plan_model import BACKDROP_TYPES

_VIEW_PIXELS = 150  # pixels a side; an object of fewer than 6 pixels of TEACh's frame may be missed
_MAX_CACHED_MOMENTS = 500  # moments whose views are kept


@dataclass(frozen=True, slots=True)
class VisibleObject:
    """An object in view; `side`, from the Follower's body, is "left", "ahead" or "right"."""

    obj: ObjectState
    frame_fraction: float
    distance_metres: float
    side: str


class FollowerCamera:
    """The Follower's view of the moments of one session."""

    def __init__(self, scene: Scene) -> None:
        """Render views of this scene."""
        self._renderer = SnapshotRenderer(scene)
        # Kept, so that stepping back is instant; to compare snapshots takes long.
        self._small_frame = lru_cache(_MAX_CACHED_MOMENTS)(self._draw_frame)
        self._visible = lru_cache(_MAX_CACHED_MOMENTS)(self._find_visible)
        self._last_object_at: tuple[Snapshot, Click, str | None] | None = None

    def frame(self, snapshot: Snapshot, size: int) -> rays.Rgb:
        """Return the Follower's view as an array of shape (size, size, 3), bytes."""
        draw = self._draw_frame if size > _VIEW_PIXELS else self._small_frame
        return draw(ByIdentity(snapshot), size)

    def _draw_frame(self, key: ByIdentity[Snapshot], size: int) -> rays.Rgb:
        return self._renderer.frame(key.value, Role.FOLLOWER, size)

    def visible_objects(self, snapshot: Snapshot) -> tuple[VisibleObject, ...]:
        """Return the objects in view without floor, walls and ceiling, nearest first."""
        return self._visible(ByIdentity(snapshot))

    def _find_visible(self, key: ByIdentity[Snapshot]) -> tuple[VisibleObject, ...]:
        snapshot, ids = key.value, self._object_numbers(key.value)
        found: list[VisibleObject] = []
        indices: list[int] = np.unique(ids).tolist()
        for i in indices:
            if i == geometry.NO_OBJECT or snapshot.objects[i].objectType in BACKDROP_TYPES:
                continue
            mask = ids == i
            obj = snapshot.objects[i]
            share = float(mask.mean())
            middle = float(np.nonzero(mask)[1].mean()) / _VIEW_PIXELS
            side = "left" if middle < 0.4 else "right" if middle > 0.6 else "ahead"
            away = dist(obj.box.center, snapshot.follower.position)
            found.append(VisibleObject(obj, share, away, side))
        return tuple(sorted(found, key=lambda seen: (seen.distance_metres, seen.frame_fraction)))

    def find_click(self, snapshot: Snapshot, verb: Verb, name: str) -> Click:
        """Return where to click on an object in view, named by its type, short name or id.

        Case, spaces and an article do not matter: "the coffee machine", "Cabinet 3".  Of
        several objects the nearest that the verb can be used on is taken.  The click is
        its visible pixel nearest to the centre of its visible part.
        """
        ids = self._object_numbers(snapshot)
        noun = re.sub(r"^(the|an?)\s+", "", name.strip(), flags=re.IGNORECASE)
        plain, names = _without_spaces(noun), ShortNames(snapshot)
        named: list[VisibleObject] = []
        for seen in self.visible_objects(snapshot):
            known_as = seen.obj.objectType, names.name_of(seen.obj.objectId), seen.obj.objectId
            if plain in map(_without_spaces, known_as):
                named.append(seen)
        if not named:
            fix = "turn to it first, or give a click: Pickup 0.5 0.5"
            raise BadInput(f"no {noun} is in view", fix=fix)
        fitting = [seen for seen in named if clicks.affords(verb, seen.obj)] or named
        pixels = np.argwhere(ids == snapshot.object_index.by_id[fitting[0].obj.objectId])
        away = ((pixels - pixels.mean(axis=0)) ** 2).sum(axis=1)
        row, column = pixels[int(away.argmin())].tolist()
        return Click(round((column + 0.5) / _VIEW_PIXELS, 3), round((row + 0.5) / _VIEW_PIXELS, 3))

    def object_id_at(self, snapshot: Snapshot, click: Click) -> str | None:
        """Return the id of the object at a click, None for a wall; the last answer is kept."""
        if self._last_object_at is not None:
            then, what, found = self._last_object_at
            same = what == click and then.follower == snapshot.follower
            if same and have_same_objects(then, snapshot):
                return found
        ids = self._object_numbers(snapshot)
        row = min(int(click.y * _VIEW_PIXELS), _VIEW_PIXELS - 1)
        index = int(ids[row, min(int(click.x * _VIEW_PIXELS), _VIEW_PIXELS - 1)])
        found = None if index == geometry.NO_OBJECT else snapshot.objects[index].objectId
        self._last_object_at = snapshot, click, found
        return found

    def _object_numbers(self, snapshot: Snapshot) -> geometry.IndexArray:
        eye = clicks.eye_of(snapshot.follower)
        ids = self._renderer.draw(snapshot, eye, _VIEW_PIXELS, (views.ImageKind.IDS,)).ids
        assert ids is not None
        return ids


def _without_spaces(name: str) -> str:
    return name.lower().replace(" ", "")


_DONE_GLYPH = Glyph("x", (255, 255, 255), (30, 30, 36))
_NEXT_GLYPH = Glyph("+", (255, 214, 92), (30, 30, 36))


def target_ids(moment: Moment, left: RemainingSteps, camera: FollowerCamera) -> tuple[str, ...]:
    """Return the ids of the last target, the next one and the problem key's, none of them held."""
    done, made = moment.interaction, moment.decision
    found = [
        done.object_id if done is not None else None,
        made.problem_key[0] if made is not None and made.problem_key else None,
    ]
    if left.next_interaction is not None:
        pose, _, click = left.next_interaction
        found.append(camera.object_id_at(with_follower_at(moment.snapshot, pose), click))
    held = moment.snapshot.held_object()
    out = {None, held.objectId if held else None}
    return tuple(name for name in dict.fromkeys(found) if name and name not in out)


def with_follower_at(snapshot: Snapshot, pose: Pose) -> Snapshot:
    """Return a snapshot with the Follower moved to a pose."""
    _, height, _ = snapshot.follower.position
    body = replace(
        snapshot.follower, position=(pose.x, height, pose.z), yaw=pose.yaw, horizon=pose.horizon
    )
    return replace(snapshot, follower=body)


def follower_view_canvas(
    camera: FollowerCamera, moments: Sequence[Moment], at: int, size: int
) -> Canvas:
    """Return the view, `size` pixels a side, with the click just made ("x") and the next ("+")."""
    moment = moments[at]
    canvas = Canvas(camera.frame(moment.snapshot, size))
    steps = remaining_steps_at(moments, at).steps
    if steps and steps[0].click is not None:
        _draw_mark(canvas, steps[0].click, size, _NEXT_GLYPH)
    if moment.interaction is not None and moment.interaction.click is not None:
        _draw_mark(canvas, moment.interaction.click, size, _DONE_GLYPH)
    return canvas


def _draw_mark(canvas: Canvas, click: Click, size: int, glyph: Glyph) -> None:
    row = min(int(click.y * size), size - 1) // 2
    canvas.glyphs[row, min(int(click.x * size), size - 1)] = glyph
