"""The debugger without a screen: branches, the position in one of them, and all commands."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tatc.apps.debugger import branches, code_reloading
from tatc.apps.debugger.breakpoints import Breakpoint, Breakpoints
from tatc.base.errors import BadInput
from tatc.commander import oracle, policies
from tatc.home.actions import Action, Role
from tatc.language.understanding.goal_json import goal_lines
from tatc.language.understanding.understand import goal_in_words, goal_with_line
from tatc.session import records, timeline
from tatc.session.agents import agents, session_setup
from tatc.session.timeline.belief_summary import BeliefInWorld, BeliefPlacer


class StepUnit(StrEnum):
    """The unit in which the debugger steps."""

    ACTION = "action"
    PRIMITIVE = "primitive"
    UTTERANCE = "utterance"
    SKILL = "skill"
    PROBLEM_KEY = "problem key"


def is_step_start(unit: StepUnit, moments: Sequence[timeline.Moment], index: int) -> bool:
    """Return whether a unit begins at a moment, so that a step of this unit stops there."""
    moment = moments[index]
    if unit is StepUnit.ACTION:
        return True
    if unit is StepUnit.PRIMITIVE:
        return moment.is_primitive
    if unit is StepUnit.UTTERANCE:
        return moment.utterance is not None
    before = moments[index - 1].decision if index else None
    now = moment.decision
    if now is None or now is before:
        return False
    if before is None:
        return True
    if unit is StepUnit.SKILL:
        return now.skill != before.skill
    return now.problem_key != before.problem_key


@dataclass(frozen=True, slots=True)
class StopPoint:
    """Where a step or run ended, and what stopped it, "" if it came to its goal."""

    index: int
    reason: str = ""


class Debugger:
    """The user's position in a session: a branch, a moment, breakpoints.

    `at` is the index of the current moment, `since` that of the moment with which its
    state is compared.  `setup` and `policies` are those of agents that go on from here.
    """

    def __init__(
        self,
        first: branches.Branch,
        setup: session_setup.SessionSetup,
        *,
        policies: Sequence[Path] = (),
        breakpoints: Breakpoints | None = None,
    ) -> None:
        """Start at the beginning of a branch."""
        self.setup = setup
        self.policies = tuple(policies)
        self.branches = [first]
        self._branch_index = 0
        self.at = 0
        self.since = 0
        self.breakpoints = breakpoints or Breakpoints()
        self._placer = BeliefPlacer(first.moments[0].snapshot.follower)
        self._probe: branches.AgentProbe | None = None
        self._reloader = code_reloading.CodeReloader(self.policies)
        self._user_policies = ExitStack()
        self._user_policies.enter_context(agents.user_policies(self.policies))

    def close(self) -> None:
        """Unload the user's own policies."""
        self._user_policies.close()

    @property
    def branch(self) -> branches.Branch:
        """The current branch."""
        return self.branches[self._branch_index]

    @property
    def at_end(self) -> records.SessionEnd | None:
        """How the session ended that agents played, None before its end and in others."""
        branch = self.branch
        if branch.played_by_people or self.at < branch.last:
            return None
        return branch.end

    @property
    def moments(self) -> Sequence[timeline.Moment]:
        """The moments of the current branch so far."""
        return self.branch.moments

    @property
    def moment(self) -> timeline.Moment:
        """The current moment."""
        return self.moments[self.at]

    @property
    def belief(self) -> BeliefInWorld | None:
        """The Follower's belief before its last action up to here; None if it has shown none."""
        return self._placer.place_last(self.moments, self.at)

    @property
    def known_policies(self) -> tuple[str, ...]:
        """The policies that there are, and those by which a Commander decided in this branch."""
        known = {*policies.properties_with_policy(), oracle.PDDL_POLICY}
        known |= {made.policy for each in self.moments if (made := each.decision) and made.policy}
        return tuple(sorted(known))

    def forward(self, unit: StepUnit = StepUnit.ACTION) -> StopPoint:
        """Step forward; at the last moment so far, let the agents act."""
        while self._advance():
            if is_step_start(unit, self.moments, self.at):
                return StopPoint(self.at)
        return StopPoint(self.at, self._end_reason())

    def backward(self, unit: StepUnit = StepUnit.ACTION) -> StopPoint:
        """Step back; later moments remain and can be stepped through again."""
        if self.at == 0:
            return StopPoint(0, "this is the start")
        before = range(self.at - 1, 0, -1)
        self.at = next((at for at in before if is_step_start(unit, self.moments, at)), 0)
        return StopPoint(self.at)

    def go_to(self, index: int) -> StopPoint:
        """Go to a moment; a session that is not there yet is continued up to it."""
        index = max(index, 0)
        while self.branch.last < index and self.branch.advance():
            pass
        self.at = min(index, self.branch.last)
        return StopPoint(self.at, "" if self.at == index else self._end_reason())

    def run(self, limit: int = 1, until: Breakpoint | None = None) -> StopPoint | None:
        """Run for at most `limit` actions, and `until` too; return None if nothing stopped it."""
        for _ in range(limit):
            if not self._advance():
                return StopPoint(self.at, self._end_reason())
            why = self.breakpoints.stop_reason(self.moments, self.at)
            if until is not None:
                why = why or until.test(self.moments[self.at - 1], self.moment)
            if why:
                return StopPoint(self.at, why)
        return None

    def run_back(self) -> StopPoint:
        """Run back to the last moment at which a breakpoint stops."""
        while self.at > 0:
            self.at -= 1
            if why := self.breakpoints.stop_reason(self.moments, self.at):
                return StopPoint(self.at, why)
        return StopPoint(0, "this is the start")

    def switch_branch(self, by: int) -> branches.Branch:
        """Switch to another branch, at the same step or its last one."""
        self._branch_index = (self._branch_index + by) % len(self.branches)
        self.at = min(self.at, self.branch.last)
        self.since = min(self.since, self.branch.last)
        return self.branch

    def fork(self, change: Callable[[timeline.LiveSession], None] | None = None) -> str:
        """Fork here, unless a `change` in the fork is refused; return a message about it."""
        name = f"fork {len(self.branches)}"
        branch, agents_remember = branches.fork(self.branch, self.at, name, self.setup)
        if change is not None:
            assert branch.live is not None
            change(branch.live)
        self._add_branch(branch)
        if agents_remember:
            return f"{name}: the agents go on from step {self.at}"
        return f"{name}: fresh agents start at step {self.at} and remember nothing from before"

    def act_by_hand(self, role: Role, action: Action) -> str:
        """Act in the fork that ends here, or in a new one; return a message about a new one."""
        note = ""
        ends_here = self.at == self.branch.last and self.branch.forked_at is not None
        if not ends_here or self.branch.live is None:
            note = self.fork()
        assert self.branch.live is not None
        self.branch.live.act_by_hand(role, action)
        self.at = self.branch.last
        return note

    def edit_goal(self, words: str, line: int | None = None) -> str:
        """Set the Follower's goal, or one line of it, in a fork; return a message about it."""
        here = self.belief
        goal = None if here is None else here.belief.goal
        if not self.branch.shows_belief:
            why = f"the Follower {self.setup.follower} has no goal to edit"
            raise BadInput(why, fix="open a session of the Follower listener")
        if line is None:
            edited = goal_in_words(words)
        elif goal is None or goal.content is None:
            raise BadInput("the goal has no lines here", fix="type all of it: goal make coffee")
        else:
            edited = goal_with_line(goal.content, line, words)
        note = self.fork(lambda live: live.set_goal(edited))
        return f"{note}; the goal is now: {'; '.join(goal_lines(edited.content))}"

    @property
    def model_calls(self) -> tuple[records.RecordedModelCall, ...]:
        """The calls that language models made at this step, before the next interaction."""
        live, recorded = self.branch.live, self.setup.recorded_answers
        if live is not None:
            calls = live.model_calls
        else:
            calls = () if recorded is None else recorded.calls
        return tuple(call for call in calls if call.step == self.at)

    @property
    def agent_work(self) -> branches.AgentWork | None:
        """What policies returned and agents printed before this step, None for nothing."""
        if self._probe is None or self._probe.branch is not self.branch:
            self._probe = branches.AgentProbe(self.branch, self.setup)
        return self._probe.work_before(self.at)

    def python_names(self) -> dict[str, Any]:
        """Return what a Python prompt at this step knows, by name."""
        known, moment = branches.AgentProbe(self.branch, self.setup).known_at(self.at), self.moment
        keys, made = moment.progress.problem_keys(), moment.decision
        about = made.problem_key[0] if made is not None and made.problem_key else ""
        key = next(iter(sorted(keys, key=lambda each: each.object_id != about)), None)
        policy = None if key is None else policies.policy_of(key.property_name)
        names = {"known": known, "key": key, "keys": keys, "policy": policy}
        return names | {"moment": moment, "snapshot": moment.snapshot}

    def edit_message(self, words: str) -> str:
        """Have the model that acts next read these words, in a fork; return a message about it."""
        note = self.fork(lambda live: live.edit_message(words))
        return f"{note}; the model reads your words at its next call"

    def reload(self) -> str:
        """Replay the session with reloaded code, go to the first change, and name it."""
        before, at = self.branch, self.at
        if before.played_by_people:
            fix = "fork first, and agents go on from here"
            raise BadInput("people played this game: no code to reload", fix=fix)
        changed = self._reload_code()
        live = branches.replay_branch(before, at, self.setup)
        first = branches.first_difference(before.moments, live.moments, at)
        name = f"reload {len(self.branches)}"
        self._add_branch(branches.Branch(name, live, forked_at=first))
        files = ", ".join(changed) or "no file has changed"
        if first is None:
            return f"{name}: nothing changes up to step {at} ({files})"
        self.at = min(first, self.branch.last)
        return f"{name}: step {first} changes ({files})"

    def save(self, path: Path, *, force: bool = False) -> None:
        """Save the current branch as a record."""
        live = self.branch.live
        if live is None:
            raise BadInput("this session was read from a file", fix="fork first, or copy the file")
        records.write_record(live.record(), path, force=force)

    def _reload_code(self) -> tuple[str, ...]:
        changed, self._probe = self._reloader.reload(), None
        with agents.user_policies(self.policies):
            pass  # a faulty file is reported before the old policies are unloaded
        self._user_policies.close()
        self._user_policies = ExitStack()
        self._user_policies.enter_context(agents.user_policies(self.policies))
        return changed

    def _add_branch(self, branch: branches.Branch) -> None:
        self.branches.append(branch)
        self._branch_index = len(self.branches) - 1
        self.since = min(self.since, self.at)

    def _advance(self) -> bool:
        if self.at == self.branch.last and not self.branch.advance():
            return False
        self.at += 1
        return True

    def _end_reason(self) -> str:
        live = self.branch.live
        if live is not None and live.crash:
            return f"an agent crashed: {live.crash}"
        if self.branch.end is not None:
            return f"the end: {self.branch.end.value.replace('_', ' ')}"
        return "the end of the recorded game" if self.branch.live is None else ""
