"""What is aimed at: on the map, and in the Follower's view."""

from collections.abc import Sequence
from dataclasses import replace

from tatc.actions import Click
from tatc.debugger.blocks import Canvas, Glyph
from tatc.debugger.sight import Sight
from tatc.state import Pose, Snapshot
from tatc.timeline import Ahead, Moment, ahead

_DONE = Glyph("x", (255, 255, 255), (30, 30, 36))
_NEXT = Glyph("+", (255, 214, 92), (30, 30, 36))


def targets(moment: Moment, left: Ahead, sight: Sight) -> tuple[str, ...]:
    """Return the ids of what was clicked on, comes next, and is the key's object.

    What is held is left out: it is where the Follower is.
    """
    done, made = moment.interaction, moment.decision
    found = [
        done.object_id if done is not None else None,
        made.problem_key[0] if made is not None and made.problem_key else None,
    ]
    if left.target is not None:
        pose, _, click = left.target
        found.append(sight.meets(standing(moment.snapshot, pose), click))
    held = moment.snapshot.held()
    out = {None, held.objectId if held else None}
    return tuple(name for name in dict.fromkeys(found) if name and name not in out)


def standing(snapshot: Snapshot, pose: Pose) -> Snapshot:
    """Return a moment as it would be with the Follower at a pose."""
    _, height, _ = snapshot.follower.position
    body = replace(
        snapshot.follower,
        position=(pose.x, height, pose.z),
        yaw=pose.yaw,
        horizon=pose.horizon,
    )
    return replace(snapshot, follower=body)


def eyes(sight: Sight, moments: Sequence[Moment], at: int, size: int) -> Canvas:
    """Return the Follower's view, `size` pixels a side, with clicks marked.

    "x" is the click that was just made, "+" the one that is to come next.
    """
    moment = moments[at]
    canvas = Canvas(sight.frame(moment.snapshot, size))
    steps = ahead(moments, at).steps
    if steps and steps[0].click is not None:
        _mark(canvas, steps[0].click, size, _NEXT)
    if moment.interaction is not None and moment.interaction.click is not None:
        _mark(canvas, moment.interaction.click, size, _DONE)
    return canvas


def _mark(canvas: Canvas, click: Click, size: int, glyph: Glyph) -> None:
    row = min(int(click.y * size), size - 1) // 2
    canvas.glyphs[row, min(int(click.x * size), size - 1)] = glyph
