"""Branches: the given session, forks of it, and replays of it with newer code."""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.home.actions import Action, Role
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import SessionEnd
from tatc.session.start import SessionStart
from tatc.session.timeline import FinishedSession, LiveSession, ManualAction, Moment, Timeline
from tatc.session.timeline.timeline import with_beliefs


@dataclass(slots=True)
class Branch:
    """One course of events, which `live` can continue; without it, the timeline is all there is.

    `forked_at` is the moment at which it left another branch, None for the first one.
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
        """Index of the last moment so far."""
        return len(self.moments) - 1

    @property
    def end(self) -> SessionEnd | None:
        """How it ended, None while it goes on and for sessions that people played."""
        return self.timeline.end if self.live is None else self.live.end

    @property
    def shows_belief(self) -> bool:
        """Whether its Follower has a belief to show."""
        if self.live is not None and self.live.shows_belief:
            return True
        return any(moment.belief is not None for moment in self.moments)

    @property
    def is_over(self) -> bool:
        """Whether the branch cannot continue."""
        return self.live is None or self.live.end is not None

    def advance(self) -> bool:
        """Let the agents act until there is a new moment; return False at the end."""
        before = self.last
        while not self.is_over and self.last == before:
            assert self.live is not None
            self.live.step()
        return self.last > before


def branch_of_session(session: FinishedSession) -> Branch:
    """Return a branch of a finished session; it cannot continue."""
    name = "game" if session.played_by_people else "record"
    timeline = with_beliefs(Timeline.of(session))
    return Branch(name, timeline, played_by_people=session.played_by_people)


def branch_of_new_session(start: SessionStart, setup: SessionSetup) -> Branch:
    """Start a session, and return a branch that continues it."""
    live = LiveSession(start, setup)
    return Branch("session", live.timeline, live)


def fork(branch: Branch, at: int, name: str, setup: SessionSetup) -> tuple[Branch, bool]:
    """Return a new branch that leaves another at a moment, and whether its agents remember it.

    They do if they can replay it up to there; where the Commander would now speak otherwise, it
    says the recorded words.  If people played, or the Follower would act otherwise, they are new.
    """
    if not branch.played_by_people:
        for replay in (replay_branch, _replay_with_recorded_words):
            live = replay(branch, at, setup)
            now = live.moments
            if len(now) > at and first_difference(now, branch.moments, at) is None:
                return Branch(name, live.timeline, live, forked_at=at), True
    known = branch.timeline if branch.live is None else branch.live.timeline
    live = LiveSession.continue_from(known, at, setup)
    return Branch(name, live.timeline, live, forked_at=at), False


def replay_branch(branch: Branch, count: int, setup: SessionSetup) -> LiveSession:
    """Let the agents replay a branch, up to `count` interactions or to its end."""
    if branch.live is not None:
        return branch.live.replay_to(count)
    live = LiveSession(branch.timeline.start, setup)
    live.run_to(count)
    return live


def _replay_with_recorded_words(branch: Branch, count: int, setup: SessionSetup) -> LiveSession:
    spoken: list[ManualAction] = []
    for moment in branch.moments[: count + 1]:
        done = moment.interaction
        if done is not None and done.role is Role.COMMANDER:
            action = Action(done.verb, text=done.text or None)
            spoken.append(ManualAction(moment.index - 1, done.role, action))
    live = LiveSession(branch.timeline.start, setup)
    live.run_to(count, spoken)
    return live


def first_difference(before: Sequence[Moment], after: Sequence[Moment], until: int) -> int | None:
    """Return the first moment at which two branches differ, None if they agree up to `until`."""
    for at in range(1, until + 1):
        if at >= len(before) or at >= len(after):
            return None if at >= len(before) and at >= len(after) else at
        if before[at].interaction != after[at].interaction:
            return at
    return None
