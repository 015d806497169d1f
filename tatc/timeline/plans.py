"""What the Follower has been told to do and has not done yet: the way ahead."""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.actions import GRID, LOOKS, TILT, TRANSLATIONS, TURN, TURNS, Click, Role, Verb
from tatc.language import Step, Stretch, hear
from tatc.state import Pose, turned
from tatc.timeline.moment import Moment

_SIDES: dict[Verb, float] = dict(
    zip(TRANSLATIONS, (0.0, 180.0, -90.0, 90.0), strict=True)
)
_TURNS: dict[Verb, float] = dict(zip(TURNS, (-TURN, TURN), strict=True))
_LOOKS: dict[Verb, float] = dict(zip(LOOKS, (-TILT, TILT), strict=True))


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is left of the stretch that the Commander said last.

    `poses` are where the steps lead if none is refused: the present pose first, then
    one after each step.
    """

    steps: tuple[Step, ...]
    poses: tuple[Pose, ...]

    @property
    def target(self) -> tuple[Pose, Step, Click] | None:
        """The next object interaction: from which pose, what, and where it clicks."""
        for pose, step in zip(self.poses, self.steps, strict=False):
            if step.click is not None:
                return pose, step, step.click
        return None


def ahead(moments: Sequence[Moment], index: int) -> Ahead:
    """Return what is left to do at a moment, from what was said up to it."""
    pose = moments[index].snapshot.follower.pose
    steps = _left(moments, index)
    poses = [pose]
    for step in steps:
        poses.append(moved(poses[-1], step.verb))
    return Ahead(steps, tuple(poses))


def moved(pose: Pose, verb: Verb) -> Pose:
    """Return the pose after a motion that nothing refuses; others leave it."""
    if verb in _SIDES:
        sine, cosine = turned((pose.yaw + _SIDES[verb]) % 360.0)
        return Pose(
            pose.x + GRID * sine, pose.z + GRID * cosine, pose.yaw, pose.horizon
        )
    yaw = (pose.yaw + _TURNS.get(verb, 0.0)) % 360.0
    return Pose(pose.x, pose.z, yaw, pose.horizon + _LOOKS.get(verb, 0.0))


def _left(moments: Sequence[Moment], index: int) -> tuple[Step, ...]:
    done = 0
    for at in range(index, 0, -1):
        moment = moments[at]
        if moment.failed:
            return ()  # the Follower drops the rest and reports
        done += moment.primitive
        said = moment.interaction
        if said is not None and said.verb is Verb.TEXT:
            if said.role is Role.FOLLOWER:
                return ()
            heard = hear(said.text)
            return heard.steps[done:] if isinstance(heard, Stretch) else ()
    return ()
