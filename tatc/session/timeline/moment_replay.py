"""Replays a finished session in the embedded world, moment by moment.

Each primitive is tried in the world as it is.  If the world answers differently from the
record, the moment says so and the recorded effect is applied, so that what follows still
matches the record.  `tatc.session.replay` in contrast checks a record in any world and
stops at the first difference.
"""

from collections.abc import Iterator

from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, ActionResult, Role
from tatc.home.state import AgentState, Snapshot
from tatc.session.records import Interaction
from tatc.session.records.recorded_steps import ObjectSubstitutes, agent_state_at
from tatc.session.timeline.finished_session import FinishedSession
from tatc.session.timeline.moment import Moment, ProgressChecker
from tatc.session.worlds import with_noise
from tatc.sim.embedded.simulator import EmbeddedSimulator

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
