"""Cascaded evaluation: a Follower put in at every instruction of a session.

A Follower that fails early is never seen later in a session.  So a session is first run
by the rule Follower; then, from the state in which each instruction was given, a new
one is run by the Follower in question, and what counts is the share of the goal
conditions left there that it reaches (after CerealBar: Suhr et al. 2019, section 6).
"""

from dataclasses import dataclass, replace
from time import perf_counter

from tatc.actions import Role, Verb
from tatc.agents import commander_named, follower_named
from tatc.evaluation.one import Done, Runner
from tatc.evaluation.rows import Row
from tatc.evaluation.triage import failure_of
from tatc.opening import Opening
from tatc.records import End
from tatc.runner import Setup, world_of
from tatc.scoring import Counts
from tatc.session import Event, Session, SessionResult
from tatc.sim.protocol import Simulator
from tatc.state import Snapshot


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one start: goal conditions left there and at the end."""

    left_before: int
    left_after: int
    result: SessionResult


class CascadeRunner(Runner):
    """Runs each session of a run from each of its instructions.

    A row then holds sums over the starts: goal conditions left, and actions.
    """

    def _run(self, row: Row, opening: Opening, start: float) -> Done:
        setup = self._options.setup
        sim, _ = world_of(opening, setup)
        try:
            states = instructed(sim, opening, setup)
            found = [attempt(sim, opening, setup, state) for state in states]
        finally:
            sim.close()
        return Done(_joined(row, found), perf_counter() - start)


def instructed(sim: Simulator, opening: Opening, setup: Setup) -> tuple[Snapshot, ...]:
    """Return the states in which the rule Follower is instructed, from the first on."""
    states: list[Snapshot] = []

    def watch(event: Event) -> None:
        if event.done.role is Role.COMMANDER and event.done.verb is Verb.TEXT:
            states.append(sim.snapshot())

    commander = commander_named(setup.commander)()
    session = Session(
        sim, opening.task, commander, follower_named("rule")(), watch=watch
    )
    session.start(opening.scene)
    while session.end is None:
        session.step()
    return tuple(state for state in states if not opening.task.check(state).success)


def attempt(sim: Simulator, opening: Opening, setup: Setup, state: Snapshot) -> Attempt:
    """Run a session from a state, with limits of its own."""
    sim.restore(state)
    commander = commander_named(setup.commander, setup.wording)()
    session = Session(sim, opening.task, commander, follower_named(setup.follower)())
    session.take_up(state, ())
    while session.end is None:
        session.step()
    result = session.result()
    before, after = opening.task.check(state), result.progress
    return Attempt(
        Counts(before.goal_conditions_total, before.goal_conditions_satisfied).left,
        Counts(after.goal_conditions_total, after.goal_conditions_satisfied).left,
        result,
    )


def _joined(row: Row, found: list[Attempt]) -> Row:
    left = sum(each.left_before for each in found)
    reached = left - sum(each.left_after for each in found)
    failed = [each.result for each in found if not each.result.success]
    results = [each.result for each in found]
    return replace(
        row,
        end=(End.GAVE_UP if failed else End.SUCCESS).value,
        before=Counts(left, 0),
        after=Counts(left, reached),
        commander_actions=sum(each.actions(Role.COMMANDER) for each in results),
        follower_actions=sum(each.actions(Role.FOLLOWER) for each in results),
        failed_actions=sum(each.failures for each in results),
        human_actions=None,
        failure=failure_of(failed[0]) if failed else None,
        starts=len(found),
        finished=len(found) - len(failed),
    )
