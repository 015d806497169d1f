"""The steps that the Follower has been told, or has planned itself, and has not carried out yet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tatc.home.actions import (
    GRID_SIZE_METRES,
    LOOK_VERBS,
    TRANSLATION_VERBS,
    TURN_DEGREES,
    TURN_VERBS,
    Click,
    PrimitiveStep,
    Role,
    Verb,
)
from tatc.home.body import Body
from tatc.home.state import Pose, yaw_sin_cos
from tatc.language import Stretch, hear
from tatc.session.timeline.moment import Moment

_DIRECTION_DEGREES: dict[Verb, float] = dict(
    zip(TRANSLATION_VERBS, (0.0, 180.0, -90.0, 90.0), strict=True)
)
_YAW_CHANGE_DEGREES: dict[Verb, float] = dict(
    zip(TURN_VERBS, (-TURN_DEGREES, TURN_DEGREES), strict=True)
)
_LOOK_DIRECTIONS: dict[Verb, float] = dict(zip(LOOK_VERBS, (-1.0, 1.0), strict=True))


@dataclass(frozen=True, slots=True)
class RemainingSteps:
    """The remaining steps of the stretch that the Commander said last, or the Follower planned.

    `poses` are the Follower's poses if no step fails: the present one first, then one
    after each step.
    """

    steps: tuple[PrimitiveStep, ...]
    poses: tuple[Pose, ...]

    @property
    def next_interaction(self) -> tuple[Pose, PrimitiveStep, Click] | None:
        """The next object interaction: its pose, step and click; None if none remains."""
        for pose, step in zip(self.poses, self.steps, strict=False):
            if step.click is not None:
                return pose, step, step.click
        return None


def remaining_steps_at(moments: Sequence[Moment], index: int) -> RemainingSteps:
    """Return the remaining steps at a moment, from its belief or from what was said up to it."""
    follower, belief = moments[index].snapshot.follower, moments[index].belief
    steps = _steps_left(moments, index) if belief is None else belief.next_steps
    poses = [follower.pose]
    for step in steps:
        poses.append(pose_after(poses[-1], step.verb, follower.body))
    return RemainingSteps(steps, tuple(poses))


def pose_after(pose: Pose, verb: Verb, body: Body) -> Pose:
    """Return the pose after a body's motion that succeeds; other verbs do not change it."""
    if verb in _DIRECTION_DEGREES:
        sine, cosine = yaw_sin_cos((pose.yaw + _DIRECTION_DEGREES[verb]) % 360.0)
        return Pose(
            pose.x + GRID_SIZE_METRES * sine,
            pose.z + GRID_SIZE_METRES * cosine,
            pose.yaw,
            pose.horizon,
        )
    tilt = _LOOK_DIRECTIONS.get(verb, 0.0) * body.tilt_degrees
    yaw = (pose.yaw + _YAW_CHANGE_DEGREES.get(verb, 0.0)) % 360.0
    return Pose(pose.x, pose.z, yaw, pose.horizon + tilt)


def format_verb_runs(verbs: Iterable[Verb]) -> str:
    """Return verbs in a line, repeated ones counted: "Forward x3"."""
    runs = ((verb, len(list(same))) for verb, same in groupby(verbs))
    return ", ".join(f"{verb} x{n}" if n > 1 else str(verb) for verb, n in runs)


def _steps_left(moments: Sequence[Moment], index: int) -> tuple[PrimitiveStep, ...]:
    done = 0
    for at in range(index, 0, -1):
        moment = moments[at]
        if moment.failed:
            return ()  # the Follower drops the rest and reports the failure
        done += moment.is_primitive
        said = moment.interaction
        if said is not None and said.verb is Verb.TEXT:
            if said.role is Role.FOLLOWER:
                return ()
            heard = hear(said.text)
            return heard.steps[done:] if isinstance(heard, Stretch) else ()
    return ()
