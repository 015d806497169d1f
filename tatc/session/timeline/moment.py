"""One moment of a session: an interaction, and the state after it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tatc.follower.listener.belief import Belief
from tatc.home.actions import (
    INTERACTION_VERBS,
    MOTION_VERBS,
    PRIMITIVE_VERBS,
    Action,
    ActionResult,
    Role,
    Verb,
)
from tatc.home.state import AgentState, Snapshot
from tatc.session.records import Interaction, RecordedDecision
from tatc.session.records.recorded_steps import ObjectSubstitutes, agent_state_at
from tatc.session.timeline.timeline import FinishedSession
from tatc.session.worlds import with_noise
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Progress, Task

_SPEAKING_VERBS = frozenset((Verb.TEXT, Verb.SPEECH))


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
    snapshot: Snapshot
    progress: Progress
    decision: RecordedDecision | None = None
    result: ActionResult | None = None
    divergence: str = ""
    by_hand: bool = False
    belief: Belief | None = None

    @property
    def is_primitive(self) -> bool:
        """Whether the Follower acted: a motion or an object interaction."""
        done = self.interaction
        return done is not None and done.role is Role.FOLLOWER and done.verb in PRIMITIVE_VERBS

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
        self._last: tuple[Snapshot, Progress] | None = None

    def check(self, snapshot: Snapshot) -> Progress:
        """Return the progress of the task."""
        if self._last is not None:
            before, progress = self._last
            if have_same_objects(before, snapshot):
                return progress
        progress = self._task.check(snapshot)
        self._last = snapshot, progress
        return progress


def have_same_objects(one: Snapshot, other: Snapshot) -> bool:
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


# Replays a finished session in the embedded world, moment by moment.
#
# Each primitive is tried in the world as it is.  If the world answers differently from the
# record, the moment says so and the recorded effect is applied, so that what follows still
# matches the record.  `tatc.session.replay` in contrast checks a record in any world and
# stops at the first difference.

_POSE_TOLERANCE = 0.05  # metres and degrees by which equal poses may differ


def replay_moments(source: FinishedSession, simulator: EmbeddedSimulator) -> Iterator[Moment]:
    """Yield the moments of a finished session, replayed in a simulator."""
    replay = _InteractionReplay(source, simulator)
    checker = ProgressChecker(source.opening.task)
    start = simulator.snapshot()
    yield Moment(0, None, start, checker.check(start))
    decision_by_step = {each.step: each for each in source.decisions}
    decision = None
    for i, done in enumerate(source.interactions):
        decision = decision_by_step.get(i, decision)
        result, divergence = replay.replay(done)
        now = simulator.snapshot()
        yield Moment(i + 1, done, now, checker.check(now), decision, result, divergence)


class _InteractionReplay:
    def __init__(self, source: FinishedSession, simulator: EmbeddedSimulator) -> None:
        self._simulator = simulator
        self._noisy_simulator = with_noise(simulator, source.opening, source.setup.noise)
        self._noisy_simulator.reset(source.opening.scene)
        self._substitutes = ObjectSubstitutes()

    def replay(self, done: Interaction) -> tuple[ActionResult | None, str]:
        """Replay an interaction; return the answer, and how it differs from the record."""
        if done.role is Role.COMMANDER:
            if done.verb in MOTION_VERBS:
                return self._noisy_simulator.step(done.role, Action(done.verb)), ""
            return None, ""
        if done.verb in MOTION_VERBS:
            return self._replay_motion(done)
        if done.verb in INTERACTION_VERBS:
            return self._replay_interaction(done)
        return None, ""

    def _replay_motion(self, done: Interaction) -> tuple[ActionResult, str]:
        result = self._noisy_simulator.step(done.role, Action(done.verb))
        if done.pose is None:
            return result, _success_divergence(done, result)
        wanted, came = agent_state_at(done.pose), self._simulator.snapshot().follower
        divergence = _success_divergence(done, result)
        if not _is_same_pose(wanted, came):
            self._simulator.put_follower(wanted)
            divergence = divergence or "the Follower ends at another pose"
        return result, divergence

    def _replay_interaction(self, done: Interaction) -> tuple[ActionResult, str]:
        before = self._simulator.snapshot()
        wanted = self._recorded_target(done, before)
        action = Action(done.verb, done.click)
        result = self._noisy_simulator.step(done.role, action)
        divergence = _success_divergence(done, result)
        if not divergence and done.success and result.object_id != wanted:
            divergence = f"acts on {result.object_id}, not {done.object_id}"
        if divergence:
            self._simulator.restore(before)
            self._simulator.apply_recorded_effect(action, wanted)
        return result, divergence

    def _recorded_target(self, done: Interaction, before: Snapshot) -> str | None:
        """Return the id here of the object that the record names, None for a failed action."""
        if not done.success or done.object_id is None:
            return None
        return self._substitutes.object_id_in(done.object_id, before)


def _success_divergence(done: Interaction, result: ActionResult) -> str:
    if result.success is bool(done.success):
        return ""
    if result.success:
        return "succeeds here; the record says it failed"
    return f"fails here ({result.message}); the record says it succeeded"


def _is_same_pose(one: AgentState, other: AgentState) -> bool:
    (x, _, z), (u, _, v) = one.position, other.position
    turn = (one.yaw - other.yaw + 180.0) % 360.0 - 180.0
    apart = (x - u, z - v, turn, one.horizon - other.horizon)
    return all(abs(each) <= _POSE_TOLERANCE for each in apart)
