"""The debugger without a screen: where one stands, and all that one may do there."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tatc.actions import Action, Role
from tatc.debugger.branches import (
    Branch,
    first_change,
    fork,
    of_source,
    over_again,
)
from tatc.debugger.breakpoints import Breakpoint, Breakpoints
from tatc.debugger.reloading import Reloader
from tatc.debugger.stepping import Unit, backward, stops
from tatc.errors import BadInput
from tatc.opening import Opening
from tatc.own_policies import own_policies
from tatc.records import write_record
from tatc.runner import Setup
from tatc.timeline import Live, Moment, Source


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a step or a run ended; `why` says what stopped it, "" for nothing."""

    at: int
    why: str = ""


class Debugger:
    """A person's place in a session: a branch, a moment, breakpoints.

    `at` is the index of the moment that is looked at, `since` that with which the
    state is compared; `setup` and `policies` are what agents go on with.
    """

    def __init__(
        self,
        first: Branch,
        setup: Setup,
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
        self._current = 0
        self.at = 0
        self.since = 0
        self.breakpoints = breakpoints or Breakpoints()
        self._reloader = Reloader(self.policies)
        self._own = ExitStack()
        self._own.enter_context(own_policies(self.policies))

    @staticmethod
    def live(
        opening: Opening,
        setup: Setup,
        *,
        policies: Sequence[Path] = (),
        breakpoints: Breakpoints | None = None,
    ) -> "Debugger":
        """Start a session, with what it is debugged with.

        Raises:
            BadInput: an agent, a policy or the map cannot be loaded.

        """
        live = Live(opening, setup)
        first = Branch("session", live.timeline, live)
        return Debugger(first, setup, policies=policies, breakpoints=breakpoints)

    @staticmethod
    def saved(
        source: Source,
        *,
        setup: Setup | None = None,
        policies: Sequence[Path] = (),
        breakpoints: Breakpoints | None = None,
    ) -> "Debugger":
        """Open a session that is over; `setup` names the agents that may go on.

        Raises:
            BadInput: a policy or the map cannot be loaded.

        """
        name = "game" if source.by_people else "record"
        first = of_source(source, name)
        return Debugger(
            first,
            setup or source.setup,
            policies=policies,
            breakpoints=breakpoints,
        )

    def close(self) -> None:
        """Forget the user's own policies."""
        self._own.close()

    @property
    def branch(self) -> Branch:
        """The branch that is looked at."""
        return self.branches[self._current]

    @property
    def moments(self) -> Sequence[Moment]:
        """Its moments so far."""
        return self.branch.moments

    @property
    def moment(self) -> Moment:
        """The moment that is looked at."""
        return self.moments[self.at]

    def forward(self, unit: Unit = Unit.ACTION) -> Stop:
        """Step forward; the session goes on where it has to."""
        while self._onward():
            if stops(unit, self.moments, self.at):
                return Stop(self.at)
        return Stop(self.at, self._ending())

    def back(self, unit: Unit = Unit.ACTION) -> Stop:
        """Step back; what was done stays done and can be stepped through again."""
        if self.at == 0:
            return Stop(0, "this is the start")
        self.at = backward(unit, self.moments, self.at)
        return Stop(self.at)

    def jump(self, index: int) -> Stop:
        """Go to a moment; a session that has not come so far goes on up to it."""
        index = max(index, 0)
        while self.branch.last < index and self.branch.grow():
            pass
        self.at = min(index, self.branch.last)
        return Stop(self.at, "" if self.at == index else self._ending())

    def run(self, limit: int = 1, until: Breakpoint | None = None) -> Stop | None:
        """Run for at most `limit` actions; None where nothing has stopped it yet.

        `until` stops it too, as a breakpoint that is in no list.
        """
        for _ in range(limit):
            if not self._onward():
                return Stop(self.at, self._ending())
            why = self.breakpoints.hit(self.moments, self.at)
            if until is not None:
                why = why or until.test(self.moments[self.at - 1], self.moment)
            if why:
                return Stop(self.at, why)
        return None

    def run_back(self) -> Stop:
        """Run back to the last moment at which a breakpoint would have stopped."""
        while self.at > 0:
            self.at -= 1
            if why := self.breakpoints.hit(self.moments, self.at):
                return Stop(self.at, why)
        return Stop(0, "this is the start")

    def mark(self) -> None:
        """Compare the state with that of this moment from now on."""
        self.since = self.at

    def switch(self, by: int) -> Branch:
        """Look at another branch, at the same step where it comes so far."""
        self._current = (self._current + by) % len(self.branches)
        self.at = min(self.at, self.branch.last)
        self.since = min(self.since, self.branch.last)
        return self.branch

    def fork(self) -> str:
        """Leave the session here and let the agents go on; return what to know."""
        name = f"fork {len(self.branches)}"
        made = fork(self.branch, self.at, name, self.setup)
        self._open(made.branch)
        if made.remembers:
            return f"{name}: the agents go on from step {self.at}"
        return f"{name}: the agents begin at step {self.at}, and know nothing before it"

    def by_hand(self, role: Role, action: Action) -> str:
        """Do something in an agent's place, in a fork; return what to know.

        The fork is that which ends here, or a new one.
        """
        told = ""
        ends_here = self.at == self.branch.last and self.branch.forked is not None
        if not ends_here or self.branch.live is None:
            told = self.fork()
        assert self.branch.live is not None
        self.branch.live.by_hand(role, action)
        self.at = self.branch.last
        return told

    def reload(self) -> str:
        """Load the agents' code anew and play the session over to this step with it.

        Stands then at the first step that changes.

        Returns:
            What has changed.

        Raises:
            BadInput: people played, or code cannot be loaded; all stays as it was.

        """
        before, at = self.branch, self.at
        if before.people:
            fix = "fork, and the agents go on from here"
            raise BadInput("people played this game: no code to reload", fix=fix)
        changed = self._reload()
        live = over_again(before, at, self.setup)
        first = first_change(before.moments, live.moments, at)
        name = f"reload {len(self.branches)}"
        self._open(Branch(name, live.timeline, live, forked=first))
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

    def _reload(self) -> tuple[str, ...]:
        changed = self._reloader.reload()
        with own_policies(self.policies):
            pass  # a fault in a file of the user's shows before the old ones go
        self._own.close()
        self._own = ExitStack()
        self._own.enter_context(own_policies(self.policies))
        return changed

    def _open(self, branch: Branch) -> None:
        self.branches.append(branch)
        self._current = len(self.branches) - 1
        self.since = min(self.since, self.at)

    def _onward(self) -> bool:
        """Go to the next moment; False where there is none."""
        if self.at == self.branch.last and not self.branch.grow():
            return False
        self.at += 1
        return True

    def _ending(self) -> str:
        live = self.branch.live
        if live is not None and live.crash:
            return f"an agent crashed: {live.crash}"
        if self.branch.end is not None:
            return f"the end: {self.branch.end.value.replace('_', ' ')}"
        return "the end of the recorded game" if self.branch.live is None else ""
