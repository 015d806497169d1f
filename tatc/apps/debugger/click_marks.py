"""The targets to mark on the map, and the clicks to mark in the Follower's view."""

from collections.abc import Sequence
from dataclasses import replace

from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.apps.debugger.half_block_canvas import Canvas, Glyph
from tatc.home.actions import Click
from tatc.home.state import Pose, Snapshot
from tatc.session.timeline import Moment, RemainingSteps, remaining_steps_at

_DONE_GLYPH = Glyph("x", (255, 255, 255), (30, 30, 36))
_NEXT_GLYPH = Glyph("+", (255, 214, 92), (30, 30, 36))


def target_ids(
    moment: Moment, remaining: RemainingSteps, camera: FollowerCamera
) -> tuple[str, ...]:
    """Return the ids of the objects to mark on the map of a moment.

    These are the object of the last interaction, that of the next one, and that of the
    Commander's problem key.  A held object is left out: it is where the Follower is.
    """
    done, made = moment.interaction, moment.decision
    found = [
        done.object_id if done is not None else None,
        made.problem_key[0] if made is not None and made.problem_key else None,
    ]
    if remaining.next_interaction is not None:
        pose, _, click = remaining.next_interaction
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
    """Return the Follower's view, `size` pixels a side, with clicks marked.

    "x" marks the click just made, "+" the one that comes next.
    """
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
