"""Done again: a session's actions carried out in the embedded world, moment by moment.

Each primitive is tried in the world as it stands.  Where the world answers otherwise
than it is recorded to have answered, the moment says so and the world is put back onto
the recorded course, so that what follows is still what the record tells.
"""

from collections.abc import Iterator

from tatc.actions import INTERACTIONS, MOTIONS, Action, ActionResult, Role
from tatc.records import Interaction
from tatc.records.course import body_at
from tatc.records.stand_ins import StandIns
from tatc.runner import noisy
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import AgentState, Snapshot
from tatc.timeline.moment import Checker, Moment
from tatc.timeline.source import Source

_NEAR = 0.05  # metres and degrees that two poses differ by when they are the same


def moments_of(source: Source, home: EmbeddedSimulator) -> Iterator[Moment]:
    """Yield the moments of a session that is over, done again in a home."""
    replay = _Replay(source, home)
    checker = Checker(source.opening.task)
    start = home.snapshot()
    yield Moment(0, None, start, checker.check(start))
    decided = {each.step: each for each in source.decisions}
    decision = None
    for i, done in enumerate(source.interactions):
        decision = decided.get(i, decision)
        result, departs = replay.do(done)
        now = home.snapshot()
        yield Moment(i + 1, done, now, checker.check(now), decision, result, departs)


class _Replay:
    def __init__(self, source: Source, home: EmbeddedSimulator) -> None:
        self._home = home
        self._sim = noisy(home, source.opening, source.setup)
        self._sim.reset(source.opening.scene)
        self._stand_ins = StandIns()

    def do(self, done: Interaction) -> tuple[ActionResult | None, str]:
        """Do an interaction again; return the answer, and how it departs."""
        if done.role is Role.COMMANDER:
            if done.verb in MOTIONS:
                return self._sim.step(done.role, Action(done.verb)), ""
            return None, ""
        if done.verb in MOTIONS:
            return self._move(done)
        if done.verb in INTERACTIONS:
            return self._interact(done)
        return None, ""

    def _move(self, done: Interaction) -> tuple[ActionResult, str]:
        result = self._sim.step(done.role, Action(done.verb))
        if done.pose is None:
            return result, _success_departs(done, result)
        wanted, came = body_at(done.pose), self._home.snapshot().follower
        departs = _success_departs(done, result)
        if not _near(wanted, came):
            self._home.put_follower(wanted)
            departs = departs or "the body comes to stand elsewhere"
        return result, departs

    def _interact(self, done: Interaction) -> tuple[ActionResult, str]:
        before = self._home.snapshot()
        wanted = self._wanted(done, before)
        action = Action(done.verb, done.click)
        result = self._sim.step(done.role, action)
        departs = _success_departs(done, result)
        if not departs and done.success and result.object_id != wanted:
            departs = f"meets {result.object_id}, not {done.object_id}"
        if departs:
            self._home.restore(before)
            self._home.impose(action, wanted)
        return result, departs

    def _wanted(self, done: Interaction, before: Snapshot) -> str | None:
        """Return the object that the record says it was done to, None if refused."""
        if not done.success or done.object_id is None:
            return None
        return self._stand_ins.of(done.object_id, before)


def _success_departs(done: Interaction, result: ActionResult) -> str:
    if result.success is bool(done.success):
        return ""
    if result.success:
        return "succeeds here; the record says it failed"
    return f"fails here ({result.message}); the record says it succeeded"


def _near(one: AgentState, other: AgentState) -> bool:
    (x, _, z), (u, _, v) = one.position, other.position
    turn = (one.yaw - other.yaw + 180.0) % 360.0 - 180.0
    apart = (x - u, z - v, turn, one.horizon - other.horizon)
    return all(abs(each) <= _NEAR for each in apart)
