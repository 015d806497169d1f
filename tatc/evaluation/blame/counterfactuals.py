"""A finished session, and what becomes of its moments where able agents go on.

The world is put back to a moment, with the steps, failures and utterances that were used up until
then.  Step i is interaction i, moment i the state before it; the last moment is before the end.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from tatc.home.actions import Action, Role, Verb
from tatc.session import loop, play, records
from tatc.session.agents import agent_names, session_setup
from tatc.session.session_types import SessionResult
from tatc.session.timeline import Timeline


class BudgetSpent(Exception):
    """No more continuations may be run."""


@dataclass
class Counterfactuals:
    """Runs at most `budget` continuations of a session by the `able` Commander and Follower.

    An able agent that begins at a moment knows nothing of what was said before.
    """

    timeline: Timeline
    able: tuple[str, ...]
    budget: int

    def __post_init__(self) -> None:
        """Find the able agents, and make the world."""
        recorded, self._opening = self.timeline.setup, self.timeline.start
        commander, follower = self.able
        setup = session_setup.SessionSetup(recorded.floor_map, commander, follower)
        self._agents = play.prepare(setup)
        self._sim, _ = play.make_simulator(self._opening, setup)
        self._start = self._sim.reset(self._opening.scene)
        if commander in agent_names.COMMANDERS_WITH_WORDING:
            setup = replace(setup, wording=recorded.wording)
        self._led_setup = replace(setup, noise=recorded.noise)
        self._found: dict[tuple[Any, ...], SessionResult | None] = {}
        self.count = 0
        self._differs = len(self.timeline.moments)
        self.log = tuple(m.interaction for m in self.timeline.moments if m.interaction is not None)
        self.last = len(self.log)
        self._sim.restore(self.timeline.moments[-1].snapshot)
        self.progress = self._opening.task.check(self._sim.capture())

    def go_on(self, at: int, **own: Any) -> SessionResult:
        """Return what the able pair makes of a moment, with its `own` commander or follower."""
        return cast(SessionResult, self._kept((at, *own), lambda: self._resume(at, **own)))

    def go_on_with_memory(self, at: int) -> SessionResult | None:
        """Return what `go_on` does, with an able Commander that was there from the start.

        None if it would have done otherwise than the session's own Commander before this moment.
        """
        return self._kept((at, "memory"), lambda: self._lead(at))

    @cached_property
    def commander_differs(self) -> int:
        """The first step at which an able Commander, in the session from its start, does otherwise.

        One more than the last step if it never does.
        """
        self._lead(self.last)
        return self._differs

    def follower_differs(self, told: int, until: int) -> int | None:
        """Return the first step after an utterance, up to `until`, that it does not tell to do."""
        session = self._resume(told + 1, hears=True)
        for step in range(told + 1, until + 1):
            if step < self.last and self.log[step].role is Role.COMMANDER:
                return None
            if not self._repeats(session, step):
                return step
        return None

    def actor(self, step: int) -> Role:
        """Return whose step it is; the end is that of the agent whose turn it was."""
        done = self.log[min(step, self.last - 1)] if self.log else None
        if done is None or (step == self.last and done.verb is Verb.TEXT):
            return Role.FOLLOWER if done is None else Role(1 - done.role)
        return done.role

    def told_before(self, step: int) -> int | None:
        """Return the step of the Commander's utterance that the Follower acts upon, or None."""
        last = next((i for i in range(step - 1, -1, -1) if self.log[i].verb is Verb.TEXT), None)
        return None if last is None or self.log[last].role is Role.FOLLOWER else last

    def _kept(
        self, key: tuple[Any, ...], begin: Callable[[], loop.Session | None]
    ) -> SessionResult | None:
        if key not in self._found:
            if self.count >= self.budget:
                raise BudgetSpent
            self.count += 1
            session = begin()
            while session is not None and session.end is None:
                session.step()
            self._found[key] = None if session is None else session.result()
        return self._found[key]

    def _resume(
        self, at: int, *, hears: bool = False, commander: Any = None, follower: Any = None
    ) -> loop.Session:
        self._sim.restore(self.timeline.moments[at].snapshot)
        agents = self._agents
        if follower is not None:
            agents = replace(agents, make_follower=lambda: follower)
        session, *_ = play.session_from_start(self._sim, self._opening, agents, commander=commander)
        session.resume_after(self._start, self.log[:at])
        if not hears:
            session.observe()
            session.commander_view()
        return session

    def _lead(self, until: int) -> loop.Session | None:
        """Repeat the session with the able Commander; note where that differs, and return None."""
        sim, _ = play.make_simulator(self._opening, self._led_setup)
        session, *_ = play.session_from_start(sim, self._opening, play.prepare(self._led_setup))
        session.start(self._opening.scene)
        is_same = True
        for step in range(until + (until == self.last)):
            if self.actor(step) is Role.COMMANDER:
                is_same = self._repeats(session, step)
            elif step < self.last:
                session.observe()  # so that an able Follower hears no more than what is new
                session.act_for(Role.FOLLOWER, action_of(self.log[step]))
                is_same = self._is_last(session, step)
            if not is_same:
                self._differs = step
                return None
        return session

    def _repeats(self, session: loop.Session, step: int) -> bool:
        """Let a session do a step; return whether that is the logged one, or the end."""
        session.step()
        if step == self.last:
            return session.end is not None and self.timeline.end is not records.SessionEnd.CRASHED
        return self._is_last(session, step)

    def _is_last(self, session: loop.Session, step: int) -> bool:
        """Return whether the new interactions are this step's, at whatever time."""
        done = self.log[step]
        return [replace(each, time=done.time) for each in session.interactions[step:]] == [done]


def action_of(done: records.Interaction) -> Action:
    """Return the action that a log has an interaction for."""
    return Action(done.verb, done.click, done.text or None)
