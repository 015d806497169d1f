"""One moment of a session: an interaction, the state after it, and the steps that remain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tatc.follower.listener.belief import Belief
from tatc.home import actions, state
from tatc.home.body import Body
from tatc.language import Stretch, hear
from tatc.session.records import Interaction, RecordedDecision
from tatc.tdl import Progress, Task

_SPEAKING_VERBS = frozenset((actions.Verb.TEXT, actions.Verb.SPEECH))


@dataclass(frozen=True, slots=True)
class Moment:
    """The state after an interaction.

    Moment 0 is the start and has no interaction.  Moment i comes after the session's
    interaction i - 1; the state before that is moment i - 1.  `decision` is the
    Commander's last one, and so the reason for what happens; None before the first one
    and for games that people played.  `result` is the world's answer to a motion or an
    object interaction.  `divergence` says how that answer differs from the record, "" if
    it does not.  `by_hand` marks an action taken in an agent's place.  `belief` is what the
    Follower believed as it acted from here: it has seen this state and heard all before it.
    None where it has not acted from here, and for one that has no belief to show.
    """

    index: int
    interaction: Interaction | None
    snapshot: state.Snapshot
    progress: Progress
    decision: RecordedDecision | None = None
    result: actions.ActionResult | None = None
    divergence: str = ""
    by_hand: bool = False
    belief: Belief | None = None

    @property
    def is_primitive(self) -> bool:
        """Whether the Follower acted: a motion or an object interaction."""
        done = self.interaction
        return (
            done is not None
            and done.role is actions.Role.FOLLOWER
            and done.verb in actions.PRIMITIVE_VERBS
        )

    @property
    def failed(self) -> bool:
        """Whether the Follower tried a primitive that failed."""
        done = self.interaction
        return done is not None and self.is_primitive and not done.success

    @property
    def utterance(self) -> str | None:
        """The words that were said, None if the moment is no utterance."""
        done = self.interaction
        return done.text if done is not None and done.verb in _SPEAKING_VERBS else None


class ProgressChecker:
    """Checks a task's progress, again only when an object has changed."""

    def __init__(self, task: Task) -> None:
        """Check this task."""
        self._task = task
        self._last: tuple[state.Snapshot, Progress] | None = None

    def check(self, snapshot: state.Snapshot) -> Progress:
        """Return the progress of the task."""
        if self._last is None or not have_same_objects(self._last[0], snapshot):
            self._last = snapshot, self._task.check(snapshot)
        return self._last[1]


def have_same_objects(one: state.Snapshot, other: state.Snapshot) -> bool:
    """Whether two snapshots of one session share all their objects."""
    a, b = one.objects, other.objects
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))


def last_belief(moments: Sequence[Moment], at: int) -> tuple[int, Belief] | None:
    """Return the last belief up to a moment, and the moment at which it was held."""
    for index in range(at, -1, -1):
        belief = moments[index].belief
        if belief is not None:
            return index, belief
    return None


def progress_change(before: Moment, after: Moment) -> int:
    """Return by how many the goal conditions met have changed, negative for a loss."""
    one, other = before.progress, after.progress
    return other.goal_conditions_satisfied - one.goal_conditions_satisfied


@dataclass(frozen=True, slots=True)
class RemainingSteps:
    """The steps that remain of a stretch; `poses` are that of now, and after each if none fails."""

    steps: tuple[actions.PrimitiveStep, ...]
    poses: tuple[state.Pose, ...]

    @property
    def next_interaction(self) -> tuple[state.Pose, actions.PrimitiveStep, actions.Click] | None:
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


def pose_after(pose: state.Pose, verb: actions.Verb, body: Body) -> state.Pose:
    """Return the pose after a body's motion that succeeds; other verbs do not change it."""
    if verb in actions.TRANSLATION_VERBS:
        heading = pose.yaw + actions.QUARTER_TURNS[verb] * actions.TURN_DEGREES
        sine, cosine = state.yaw_sin_cos(heading % 360.0)
        x, z = pose.x + actions.GRID_SIZE_METRES * sine, pose.z + actions.GRID_SIZE_METRES * cosine
        return state.Pose(x, z, pose.yaw, pose.horizon)
    tilt = actions.LOOK_DIRECTIONS.get(verb, 0) * body.tilt_degrees
    yaw = (pose.yaw + actions.YAW_CHANGES_DEGREES.get(verb, 0.0)) % 360.0
    return state.Pose(pose.x, pose.z, yaw, pose.horizon + tilt)


def format_verb_runs(verbs: Iterable[actions.Verb]) -> str:
    """Return verbs in a line, repeated ones counted: "Forward x3"."""
    runs = ((verb, len(list(same))) for verb, same in groupby(verbs))
    return ", ".join(f"{verb} x{n}" if n > 1 else str(verb) for verb, n in runs)


def _steps_left(moments: Sequence[Moment], index: int) -> tuple[actions.PrimitiveStep, ...]:
    done = 0
    for at in range(index, 0, -1):
        moment = moments[at]
        if moment.failed:
            return ()  # the Follower drops the rest and reports the failure
        done += moment.is_primitive
        said = moment.interaction
        if said is not None and said.verb is actions.Verb.TEXT:
            if said.role is actions.Role.FOLLOWER:
                return ()
            heard = hear(said.text)
            return heard.steps[done:] if isinstance(heard, Stretch) else ()
    return ()
