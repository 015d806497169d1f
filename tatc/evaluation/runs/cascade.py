"""Cascaded evaluation: a Follower that starts at every instruction of a session.

A Follower that fails early never reaches the later part of a session.  Therefore each session
runs with the rule Follower first.  From the state in which each instruction was given, a new
session then runs with the evaluated Follower, and the score is the share of the goal conditions
left there that it reaches (after CerealBar: Suhr et al. 2019, section 6).
"""

from dataclasses import dataclass, replace

from tatc.evaluation.runs.failure_grouping import failure_of
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.session_runner import JobResult, SessionRunner, goal_condition_counts
from tatc.evaluation.scoring import GoalConditionCounts
from tatc.home.actions import Role, Verb
from tatc.home.state import Snapshot
from tatc.session.agents.agents import commander_factory, follower_factory
from tatc.session.agents.resolve import ResolvedAgents
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.loop import Session
from tatc.session.play import make_simulator
from tatc.session.records import SessionEnd
from tatc.session.session_types import SessionEvent, SessionResult
from tatc.session.start import SessionStart
from tatc.sim.protocol import Simulator


@dataclass(frozen=True, slots=True)
class CascadeAttempt:
    """One session from an instruction: its unmet goal conditions at the start and at the end."""

    unmet_before: int
    unmet_after: int
    result: SessionResult


class CascadeRunner(SessionRunner):
    """Runs each session of a run from each of its instructions.

    Goal conditions and actions of a row are sums over these starts.
    """

    def _run(self, row: SessionRow, opened: SessionStart) -> JobResult:
        sim, _ = make_simulator(opened, self._agents.setup)
        try:
            states = instruction_states(sim, opened, self._agents.setup)
            found = [run_from_state(sim, opened, self._agents, state) for state in states]
        finally:
            sim.close()
        return JobResult(_sum_attempts(row, found))


def instruction_states(
    sim: Simulator, opening: SessionStart, setup: SessionSetup
) -> tuple[Snapshot, ...]:
    """Return the states in which the rule Follower gets an instruction, in order."""
    states: list[Snapshot] = []

    def watch(event: SessionEvent) -> None:
        if event.interaction.role is Role.COMMANDER and event.interaction.verb is Verb.TEXT:
            states.append(sim.snapshot())

    commander = commander_factory(setup.commander)()
    session = Session(sim, opening.task, commander, follower_factory("rule")(), watch=watch)
    session.start(opening.scene)
    while session.end is None:
        session.step()
    return tuple(state for state in states if not opening.task.check(state).success)


def run_from_state(
    sim: Simulator, opening: SessionStart, agents: ResolvedAgents, state: Snapshot
) -> CascadeAttempt:
    """Run a session from a state, with the limits of a whole session."""
    sim.restore(state)
    session = Session(sim, opening.task, *agents.make(), perception=agents.setup.perception)
    session.resume_after(state, ())
    while session.end is None:
        session.step()
    result = session.result()
    before, after = map(goal_condition_counts, (opening.task.check(state), result.progress))
    return CascadeAttempt(before.unmet, after.unmet, result)


def _sum_attempts(row: SessionRow, attempts: list[CascadeAttempt]) -> SessionRow:
    left = sum(each.unmet_before for each in attempts)
    reached = left - sum(each.unmet_after for each in attempts)
    failed = [each.result for each in attempts if not each.result.success]
    results = [each.result for each in attempts]
    return replace(
        row,
        end=(SessionEnd.GAVE_UP if failed else SessionEnd.SUCCESS).value,
        before=GoalConditionCounts(left, 0),
        after=GoalConditionCounts(left, reached),
        commander_actions=sum(each.count_actions(Role.COMMANDER) for each in results),
        follower_actions=sum(each.count_actions(Role.FOLLOWER) for each in results),
        failed_actions=sum(each.failures for each in results),
        human_actions=None,
        failure=failure_of(failed[0]) if failed else None,
        starts=len(attempts),
        finished=len(attempts) - len(failed),
    )
