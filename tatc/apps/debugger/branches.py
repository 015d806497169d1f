"""Branches: the given session, forks of it, and replays of it with newer code."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import TextIOBase
from itertools import zip_longest
from typing import Any, cast

from tatc.base.errors import BadInput
from tatc.commander import knowledge, policies
from tatc.home.actions import Action, Role
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import SessionEnd
from tatc.session.start import SessionStart
from tatc.session.timeline import FinishedSession, LiveSession, ManualAction, Moment, Timeline
from tatc.session.timeline.timeline import with_beliefs
from tatc.tdl import ProblemKey


@dataclass(slots=True)
class Branch:
    """One course of events: a session that can continue, or a timeline, which is all there is.

    `forked_at` is the moment at which it left another branch, None for the first one.
    """

    name: str
    session: Timeline | LiveSession
    played_by_people: bool = False
    forked_at: int | None = None

    @property
    def live(self) -> LiveSession | None:
        """The session, if it can continue."""
        return self.session if isinstance(self.session, LiveSession) else None

    @property
    def moments(self) -> Sequence[Moment]:
        """The moments so far."""
        return self.session.moments

    @property
    def last(self) -> int:
        """Index of the last moment so far."""
        return len(self.moments) - 1

    @property
    def end(self) -> SessionEnd | None:
        """How it ended, None while it goes on and for sessions that people played."""
        return self.session.end

    @property
    def shows_belief(self) -> bool:
        """Whether its Follower has a belief to show."""
        can_believe = self.live is not None and self.live.shows_belief
        return can_believe or any(moment.belief is not None for moment in self.moments)

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
    return Branch(name, with_beliefs(Timeline.of(session)), session.played_by_people)


def branch_of_new_session(start: SessionStart, setup: SessionSetup) -> Branch:
    """Start a session, and return a branch that continues it."""
    return Branch("session", LiveSession(start, setup))


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
                return Branch(name, live, forked_at=at), True
    known = branch.session if isinstance(branch.session, Timeline) else branch.session.timeline
    live = LiveSession.continue_from(known, at, setup)
    return Branch(name, live, forked_at=at), False


def replay_branch(branch: Branch, count: int, setup: SessionSetup) -> LiveSession:
    """Let the agents replay a branch, up to `count` interactions or to its end."""
    if branch.live is not None:
        return branch.live.replay_to(count)
    live = LiveSession(branch.session.start, setup)
    live.run_to(count)
    return live


def _replay_with_recorded_words(branch: Branch, count: int, setup: SessionSetup) -> LiveSession:
    done = enumerate(moment.interaction for moment in branch.moments[1 : count + 1])
    spoken = [
        ManualAction(at, each.role, Action(each.verb, text=each.text or None))
        for at, each in done
        if each is not None and each.role is Role.COMMANDER
    ]
    live = LiveSession(branch.session.start, setup)
    live.run_to(count, spoken)
    return live


def first_difference(before: Sequence[Moment], after: Sequence[Moment], until: int) -> int | None:
    """Return the first moment at which two branches differ, None if they agree up to `until`."""
    courses = ((moment.interaction for moment in each[1 : until + 1]) for each in (before, after))
    pairs = enumerate(zip_longest(*courses), 1)
    return next((at for at, (one, other) in pairs if one != other), None)


@dataclass(slots=True)
class AgentWork:
    """How agents acted from a step: the keys that policies were asked for, each with what came."""

    step: int
    calls: list[tuple[ProblemKey, tuple[str, ...]]] = field(default_factory=list[Any])
    printed: str = ""


class AgentProbe(TextIOBase):
    """Plays one branch again; it is a text file too, to which the agents print.

    A record keeps decisions alone, and a screen of panes has no place for prints.  So the agents
    play the branch again, as they do for a fork, and each call of a policy and each print is noted.
    """

    def __init__(self, branch: Branch, setup: SessionSetup) -> None:
        """Begin at the start of a branch; a BadInput where its agents cannot act again."""
        if branch.played_by_people:
            raise BadInput("people played this game", fix="fork first, and agents go on from here")
        if setup.has_model_agent:
            raise BadInput("a language model plays, and is not asked again", fix="debug others")
        self.branch, live = branch, branch.live
        start = branch.session.start
        self._live = LiveSession(start, setup) if live is None else live.restarted(branch.last)
        self._work: list[AgentWork] = []
        self._known: knowledge.Knowledge | None = None

    def work_before(self, at: int) -> AgentWork | None:
        """Return the last work that led up to a step (None for none); of a crash, at the end."""
        at += at == self.branch.last and self.branch.end is SessionEnd.CRASHED
        self._play_to(at)
        return next((each for each in reversed(self._work) if each.step < at), None)

    def known_at(self, at: int) -> knowledge.Knowledge:
        """Return what the agent that asks policies knows at a step to which nothing has played."""
        self._play_to(at)
        known = self._known or knowledge.Knowledge(self._live.oracle)
        known.refresh()
        return known

    def write(self, text: str, /) -> int:
        """Note what an agent prints."""
        self._now().printed += text
        return len(text)

    def _note_call(self, key: ProblemKey, known: knowledge.Knowledge, plans: object) -> None:
        self._known = known
        several = cast("tuple[object, ...]", plans) if isinstance(plans, tuple | list) else (plans,)
        self._now().calls.append((key, tuple(map(repr, several))))

    def _now(self) -> AgentWork:
        step = len(self._live.moments) - 1
        if not self._work or self._work[-1].step != step:
            self._work.append(AgentWork(step))
        return self._work[-1]

    def _play_to(self, at: int) -> None:
        by_hand = self.branch.live.manual_actions if self.branch.live is not None else ()
        left = [each for each in by_hand if each.at >= len(self._live.moments) - 1]
        hook, sys.breakpointhook = sys.breakpointhook, _go_on
        policies.watchers.append(self._note_call)
        try:
            with redirect_stdout(self):
                self._live.run_to(at, left)
        finally:
            policies.watchers.pop()
            sys.breakpointhook = hook
        before, now = self.branch.moments, self._live.moments
        if (other := first_difference(before, now, min(at, self.branch.last))) is not None:
            why = f"the agents now act otherwise from step {other} on"
            raise BadInput(why, fix="fork there, or x replays the session with them")


def _go_on(*_: object, **__: object) -> None:
    """Stand in for `breakpoint()`."""
