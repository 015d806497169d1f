"""The debugger without a screen: where one stands, and all that one may do there."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tatc.actions import Action, Role
from tatc.debugger.branches import Branch, branch_of_session, first_difference, fork, replay_branch
from tatc.debugger.breakpoints import Breakpoint, Breakpoints
from tatc.debugger.code_reloading import CodeReloader
from tatc.debugger.step_units import StepUnit, is_step_start, previous_step_start
from tatc.errors import BadInput
from tatc.records import SessionEnd, write_record
from tatc.session.runner import SessionSetup
from tatc.session.start import SessionStart
from tatc.session.user_policies import user_policies
from tatc.timeline import FinishedSession, LiveSession, Moment


@dataclass(frozen=True, slots=True)
class StopPoint:
    """Where a step or a run ended; `reason` says what stopped it, "" for nothing."""

    index: int
    reason: str = ""


class Debugger:
    """A person's place in a session: a branch, a moment, breakpoints.

    `index` is the index of the moment that is looked at, `since` that with which the
    state is compared; `setup` and `policies` are what agents go on with.
    """

    def __init__(
        self,
        first: Branch,
        setup: SessionSetup,
        *,
        policies: Sequence[Path] = (),
        breakpoints: Breakpoints | None = None,
    ) -> None:
        """Stand at the start of a branch.

        Raises:
            BadInput: a policy of the user's own cannot be loaded.

        """
        self.setup = setup
        self.policies = tuple(policies)
        self.branches = [first]
        self._branch_index = 0
        self.at = 0
        self.since = 0
        self.breakpoints = breakpoints or Breakpoints()
        self._reloader = CodeReloader(self.policies)
        self._user_policies = ExitStack()
        self._user_policies.enter_context(user_policies(self.policies))

    @staticmethod
    def start_live(
        opening: SessionStart,
        setup: SessionSetup,
        *,
        policies: Sequence[Path] = (),
        breakpoints: Breakpoints | None = None,
    ) -> "Debugger":
        """Start a session, with what it is debugged with.

        Raises:
            BadInput: an agent, a policy or the map cannot be loaded.

        """
        live = LiveSession(opening, setup)
        first = Branch("session", live.timeline, live)
        return Debugger(first, setup, policies=policies, breakpoints=breakpoints)

    @staticmethod
    def open_finished(
        session: FinishedSession,
        *,
        setup: SessionSetup | None = None,
        policies: Sequence[Path] = (),
        breakpoints: Breakpoints | None = None,
    ) -> "Debugger":
        """Open a session that is over; `setup` names the agents that may go on.

        Raises:
            BadInput: a policy or the map cannot be loaded.

        """
        name = "game" if session.played_by_people else "record"
        first = branch_of_session(session, name)
        return Debugger(first, setup or session.setup, policies=policies, breakpoints=breakpoints)

    def close(self) -> None:
        """Forget the user's own policies."""
        self._user_policies.close()

    @property
    def branch(self) -> Branch:
        """The branch that is looked at."""
        return self.branches[self._branch_index]

    @property
    def at_end(self) -> SessionEnd | None:
        """How the session ended that agents played, None before its end and in others."""
        branch = self.branch
        if branch.played_by_people or self.at < branch.last:
            return None
        return branch.end

    @property
    def moments(self) -> Sequence[Moment]:
        """Its moments so far."""
        return self.branch.moments

    @property
    def moment(self) -> Moment:
        """The moment that is looked at."""
        return self.moments[self.at]

    def forward(self, unit: StepUnit = StepUnit.ACTION) -> StopPoint:
        """Step forward; the session goes on where it has to."""
        while self._advance():
            if is_step_start(unit, self.moments, self.at):
                return StopPoint(self.at)
        return StopPoint(self.at, self._end_reason())

    def backward(self, unit: StepUnit = StepUnit.ACTION) -> StopPoint:
        """Step back; what was done stays done and can be stepped through again."""
        if self.at == 0:
            return StopPoint(0, "this is the start")
        self.at = previous_step_start(unit, self.moments, self.at)
        return StopPoint(self.at)

    def go_to(self, index: int) -> StopPoint:
        """Go to a moment; a session that has not come so far goes on up to it."""
        index = max(index, 0)
        while self.branch.last < index and self.branch.advance():
            pass
        self.at = min(index, self.branch.last)
        return StopPoint(self.at, "" if self.at == index else self._end_reason())

    def run(self, limit: int = 1, until: Breakpoint | None = None) -> StopPoint | None:
        """Run for at most `limit` actions; None where nothing has stopped it yet.

        `until` stops it too, as a breakpoint that is in no list.
        """
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
        """Run back to the last moment at which a breakpoint would have stopped."""
        while self.at > 0:
            self.at -= 1
            if why := self.breakpoints.stop_reason(self.moments, self.at):
                return StopPoint(self.at, why)
        return StopPoint(0, "this is the start")

    def mark_comparison(self) -> None:
        """Compare the state with that of this moment from now on."""
        self.since = self.at

    def switch_branch(self, by: int) -> Branch:
        """Look at another branch, at the same step where it comes so far."""
        self._branch_index = (self._branch_index + by) % len(self.branches)
        self.at = min(self.at, self.branch.last)
        self.since = min(self.since, self.branch.last)
        return self.branch

    def fork(self) -> str:
        """Leave the session here and let the agents go on; return what to know."""
        name = f"fork {len(self.branches)}"
        made = fork(self.branch, self.at, name, self.setup)
        self._add_branch(made.branch)
        if made.agents_remember:
            return f"{name}: the agents go on from step {self.at}"
        return f"{name}: the agents begin at step {self.at}, and know nothing before it"

    def act_by_hand(self, role: Role, action: Action) -> str:
        """Do something in an agent's place, in a fork; return what to know.

        The fork is that which ends here, or a new one.
        """
        note = ""
        ends_here = self.at == self.branch.last and self.branch.forked_at is not None
        if not ends_here or self.branch.live is None:
            note = self.fork()
        assert self.branch.live is not None
        self.branch.live.act_by_hand(role, action)
        self.at = self.branch.last
        return note

    def reload(self) -> str:
        """Load the agents' code anew and play the session over to this step with it.

        Stands then at the first step that changes.

        Returns:
            What has changed.

        Raises:
            BadInput: people played, or code cannot be loaded; all stays as it was.

        """
        before, at = self.branch, self.at
        if before.played_by_people:
            fix = "fork, and the agents go on from here"
            raise BadInput("people played this game: no code to reload", fix=fix)
        changed = self._reload_code()
        live = replay_branch(before, at, self.setup)
        first = first_difference(before.moments, live.moments, at)
        name = f"reload {len(self.branches)}"
        self._add_branch(Branch(name, live.timeline, live, forked_at=first))
        files = ", ".join(changed) or "no file has changed"
        if first is None:
            return f"{name}: nothing changes up to step {at} ({files})"
        self.at = min(first, self.branch.last)
        return f"{name}: step {first} changes ({files})"

    def save(self, path: Path, *, force: bool = False) -> None:
        """Save the branch as a record.

        Raises:
            BadInput: it is a file already.
            OutputError: it cannot be written.

        """
        live = self.branch.live
        if live is None:
            fix = "fork first, or copy the file"
            raise BadInput("this session was read from a file", fix=fix)
        write_record(live.record(), path, force=force)

    def _reload_code(self) -> tuple[str, ...]:
        changed = self._reloader.reload()
        with user_policies(self.policies):
            pass  # a fault in a file of the user's shows before the old ones go
        self._user_policies.close()
        self._user_policies = ExitStack()
        self._user_policies.enter_context(user_policies(self.policies))
        return changed

    def _add_branch(self, branch: Branch) -> None:
        self.branches.append(branch)
        self._branch_index = len(self.branches) - 1
        self.since = min(self.since, self.at)

    def _advance(self) -> bool:
        """Go to the next moment; False where there is none."""
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
