"""Branches: the session that was given, forks of it, and the same with newer code."""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.records import SessionEnd
from tatc.session.runner import SessionSetup
from tatc.timeline import FinishedSession, LiveSession, Moment, Timeline


@dataclass(slots=True)
class Branch:
    """One course of events.

    `live` carries it on; without it the timeline is all there is.  `played_by_people` says that
    people played what the timeline holds; `forked_at` where it left another branch, None
    for the first.
    """

    name: str
    timeline: Timeline
    live: LiveSession | None = None
    played_by_people: bool = False
    forked_at: int | None = None

    @property
    def moments(self) -> Sequence[Moment]:
        """The moments so far."""
        return self.timeline.moments if self.live is None else self.live.moments

    @property
    def last(self) -> int:
        """The index of the last moment so far."""
        return len(self.moments) - 1

    @property
    def end(self) -> SessionEnd | None:
        """How it ended, None while it goes on and where people played."""
        return self.timeline.end if self.live is None else self.live.end

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.live is None or self.live.end is not None

    def advance(self) -> bool:
        """Let the agents act until there is one moment more; False at the end."""
        before = self.last
        while not self.is_over and self.last == before:
            assert self.live is not None
            self.live.step()
        return self.last > before

    def timeline_so_far(self) -> Timeline:
        """Return what has happened so far as a timeline."""
        return self.timeline if self.live is None else self.live.timeline


def branch_of_session(session: FinishedSession, name: str) -> Branch:
    """Return the branch of a session that is over."""
    return Branch(name, Timeline.of(session), played_by_people=session.played_by_people)


@dataclass(frozen=True, slots=True)
class Fork:
    """A new branch, and whether its agents know what went before it."""

    branch: Branch
    agents_remember: bool


def fork(branch: Branch, at: int, name: str, setup: SessionSetup) -> Fork:
    """Leave a branch at a moment.

    The agents play the session over up to there, so that they remember it.  Where they
    cannot, because people played or because they would now act otherwise, they begin
    at that moment.
    """
    if not branch.played_by_people:
        live = replay_branch(branch, at, setup)
        if is_same_course(live.moments, branch.moments, at):
            return Fork(Branch(name, live.timeline, live, forked_at=at), True)
    live = LiveSession.continue_from(branch.timeline_so_far(), at, setup)
    return Fork(Branch(name, live.timeline, live, forked_at=at), False)


def replay_branch(branch: Branch, count: int, setup: SessionSetup) -> LiveSession:
    """Let the agents play a branch over, up to so many actions or to its end."""
    if branch.live is not None:
        return branch.live.replay_to(count)
    live = LiveSession(branch.timeline.opening, setup)
    live.run_to(count)
    return live


def is_same_course(one: Sequence[Moment], other: Sequence[Moment], until: int) -> bool:
    """Whether the same was done in two branches up to a moment."""
    return len(one) > until and first_difference(one, other, until) is None


def first_difference(before: Sequence[Moment], after: Sequence[Moment], until: int) -> int | None:
    """Return the first moment in which two branches differ, None up to `until`."""
    for at in range(1, until + 1):
        if at >= len(before) or at >= len(after):
            return None if at >= len(before) and at >= len(after) else at
        if before[at].interaction != after[at].interaction:
            return at
    return None
