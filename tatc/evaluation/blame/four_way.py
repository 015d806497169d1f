"""The four-way table: the session's own or able agents, and what each of the two costs.

An agent of the session that did what an able one would have done is an able one; else it repeats
what it did, from the culprit on: a record holds words and acts, not the agent.  An agent's share
is its Shapley value over goal conditions: by how many more are met with an able one in its place,
the mean of the two orders in which both can be replaced.
"""

from dataclasses import dataclass

from tatc.commander import Decision
from tatc.evaluation.blame.counterfactuals import Counterfactuals, action_of
from tatc.evaluation.blame.culprit import Culprit, is_told
from tatc.home.actions import Action, Role, Verb
from tatc.home.agent_traits import AgentTraits
from tatc.session.records import Interaction
from tatc.session.session_types import SessionResult


@dataclass(frozen=True, slots=True)
class FourWayTable:
    """Goal conditions met by the session's own and by able agents, and whether that is success."""

    own_own: tuple[int, bool]
    own_able: tuple[int, bool]
    """The session's own Commander with an able Follower."""
    able_own: tuple[int, bool]
    able_able: tuple[int, bool]

    def share_of(self, role: Role) -> float:
        """Return an agent's share of what was lost, 0 to 1; a half where the table tells nothing."""
        none, follower, commander, both = (
            met for met, _ in (self.own_own, self.own_able, self.able_own, self.able_able)
        )
        one = commander - none + both - follower
        other = follower - none + both - commander
        lost = max(one, 0) + max(other, 0)
        return max(one if role is Role.COMMANDER else other, 0) / lost if lost else 0.5


def four_way_table(runs: Counterfactuals, culprit: Culprit) -> FourWayTable:
    """Return the table from the culprit on."""
    step, log = culprit.step, runs.log[culprit.step :]
    progress = runs.timeline.moments[-1].progress
    own = progress.goal_conditions_satisfied, progress.success
    remembers = runs.go_on_with_memory(step) if culprit.role is Role.FOLLOWER else None
    own_able = remembers or runs.go_on_with(step, commander=_Repeats(log, Role.COMMANDER))
    able_own = runs.go_on(step)
    if culprit.role is Role.FOLLOWER or not _obeys(runs, step):
        able_own = runs.go_on_with(step, follower=_Repeats(log, Role.FOLLOWER))
    return FourWayTable(own, *map(_outcome, (own_able, able_own, runs.go_on(step))))


def _outcome(result: SessionResult) -> tuple[int, bool]:
    return result.progress.goal_conditions_satisfied, result.success


def _obeys(runs: Counterfactuals, step: int) -> bool:
    """Return whether the Follower did as it was told, by the utterance at this step or the last."""
    is_end = step == runs.last
    told = runs.utterance_before(step) if is_end else step
    if told is None or not is_told(runs.log[told]):
        return True
    ends = (i for i in range(told + 1, runs.last) if runs.log[i].role is Role.COMMANDER)
    return runs.follower_differs(told, next(ends, runs.last - is_end)) is None


class _Repeats:
    """An agent of either role that does what a log says, and then stops."""

    traits = AgentTraits(perceives=True, draws=False)
    decisions: tuple[Decision, ...] = ()

    def __init__(self, log: tuple[Interaction, ...], role: Role) -> None:
        self._left = iter([each for each in log if each.role is role])

    def begin(self, *home: object) -> None:
        """Begin where the log does."""

    def act(self, seen: object) -> Action:
        """Return the next action of the log."""
        done = next(self._left, None)
        return Action(Verb.STOP) if done is None else action_of(done)
