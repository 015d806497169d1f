"""The four-way table: the session's own or able agents, and what each of the two costs.

An agent of the session that did what an able one would have done is an able one; else it repeats
what it did, from the culprit on: a record holds words and acts, not the agent.
"""

from dataclasses import dataclass

from tatc.commander import Decision
from tatc.evaluation.blame.counterfactuals import Counterfactuals, action_of
from tatc.home import actions, agent_traits
from tatc.session import records


@dataclass(frozen=True, slots=True)
class FourWayTable:
    """Goal conditions met, and success, with the session's own and able agents."""

    own_own: tuple[int, bool]
    own_able: tuple[int, bool]
    """The session's own Commander with an able Follower."""
    able_own: tuple[int, bool]
    able_able: tuple[int, bool]

    def share_of(self, role: actions.Role) -> float:
        """Return an agent's share of the goal conditions lost: its Shapley value over their sum.

        An agent's value is by how many more are met with an able one in its place, the mean of the
        two orders in which both are replaced.  Without any lost, each has a half.
        """
        none, both = self.own_own[0], self.able_able[0]
        commander, follower = self.able_own[0], self.own_able[0]
        gains = {
            actions.Role.COMMANDER: max(commander - none + both - follower, 0),
            actions.Role.FOLLOWER: max(follower - none + both - commander, 0),
        }
        return gains[role] / sum(gains.values()) if any(gains.values()) else 0.5


def four_way_table(runs: Counterfactuals, step: int, role: actions.Role) -> FourWayTable:
    """Return the table from a culprit's step on."""
    is_follower = role is actions.Role.FOLLOWER
    own_able = runs.go_on_with_memory(step) if is_follower else None
    if own_able is None:
        own_able = runs.go_on(step, commander=_Repeats(runs.log[step:], actions.Role.COMMANDER))
    able_able = able_own = runs.go_on(step)
    if is_follower or not _obeys(runs, step):
        able_own = runs.go_on(step, follower=_Repeats(runs.log[step:], actions.Role.FOLLOWER))
    own = runs.progress.goal_conditions_satisfied, runs.progress.success
    others = (own_able, able_own, able_able)
    return FourWayTable(
        own, *((each.progress.goal_conditions_satisfied, each.success) for each in others)
    )


def _obeys(runs: Counterfactuals, step: int) -> bool:
    """Return whether the Follower did as it was told, by the utterance at this step or the last."""
    is_said = step < runs.last and runs.log[step].verb is actions.Verb.TEXT
    told = step if is_said else runs.told_before(step)
    turn = range(runs.last if told is None else told + 1, runs.last)
    ends = (i for i in turn if runs.log[i].role is actions.Role.COMMANDER)
    return told is None or runs.follower_differs(told, next(ends, runs.last - 1)) is None


class _Repeats:
    """An agent of either role that does what a log says, and then stops."""

    traits = agent_traits.AgentTraits(perceives=True, draws=False)
    decisions: tuple[Decision, ...] = ()

    def __init__(self, log: tuple[records.Interaction, ...], role: actions.Role) -> None:
        self._left = iter([each for each in log if each.role is role])

    def begin(self, *home: object) -> None:
        """Begin where the log does."""

    def act(self, seen: object) -> actions.Action:
        """Return the next action of the log."""
        done = next(self._left, None)
        return actions.Action(actions.Verb.STOP) if done is None else action_of(done)
