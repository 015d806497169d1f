"""A finished session, and what would have become of it: other agents go on from its moments.

Every answer is found by running: the world is put back to a moment, with the steps, failures and
utterances that were used up until then, and a session goes on from there.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

from tatc.commander import Commander
from tatc.follower import Follower
from tatc.home.actions import PRIMITIVE_VERBS, Action, Role, Verb
from tatc.session import loop, play
from tatc.session.agents import agent_names
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import Interaction, SessionEnd
from tatc.session.session_types import SessionResult
from tatc.session.timeline import Timeline

ABLE_PAIR = ("rule", "rule")
"""The Commander and the Follower that go on where the user names no others."""


class BudgetSpent(Exception):
    """No more continuations may be run."""


@dataclass
class Counterfactuals:
    """What comes of a session's moments when an able pair, or one able agent, goes on.

    A step is the index of an interaction; moment i is the state before step i, and the last moment
    is followed by the end alone.  At most `budget` continuations run, each kept.  An agent of
    the able pair knows nothing of what was said before it begins, unless it is told.
    """

    timeline: Timeline
    able: tuple[str, str] = ABLE_PAIR
    budget: int = 100
    count: int = field(default=0, init=False)
    _found: dict[int, SessionResult] = field(default_factory=dict[int, SessionResult], init=False)

    _remembered: dict[int, SessionResult | None] = field(
        default_factory=dict[int, SessionResult | None], init=False
    )

    def __post_init__(self) -> None:
        """Find the able agents, and make the world."""
        commander, follower = self.able
        recorded, start = self.timeline.setup, self.timeline.start
        setup = SessionSetup(recorded.floor_map, commander, follower)
        self._agents = play.prepare(setup)
        self._sim, _ = play.make_simulator(start, setup)
        self._start = self._sim.reset(start.scene)
        if commander in agent_names.COMMANDERS_WITH_WORDING:
            setup = replace(setup, wording=recorded.wording)
        self._led_setup = replace(setup, noise=recorded.noise)
        self.log = tuple(m.interaction for m in self.timeline.moments if m.interaction is not None)
        self.last = len(self.log)

    def go_on(self, at: int) -> SessionResult:
        """Return what the able pair makes of a moment, knowing nothing but the state."""
        if at not in self._found:
            self._count()
            self._found[at] = _finish(self._at(at))
        return self._found[at]

    def go_on_with(
        self, at: int, *, commander: Commander | None = None, follower: Follower | None = None
    ) -> SessionResult:
        """Return the same with another Commander or Follower in an able one's place."""
        self._count()
        return _finish(self._at(at, commander=commander, follower=follower))

    def actor(self, step: int) -> Role:
        """Return whose step it is; the end is that of the agent whose turn it was."""
        if step < self.last:
            return self.log[step].role
        done = self.log[-1] if self.log else None
        if done is None:
            return Role.FOLLOWER
        return Role(1 - done.role) if done.verb is Verb.TEXT else done.role

    def utterance_before(self, step: int) -> int | None:
        """Return the step of the utterance that the Follower was acting upon, None for none."""
        spoken = (i for i in range(step - 1, -1, -1) if self.log[i].verb is Verb.TEXT)
        last = next(spoken, None)
        return None if last is None or self.log[last].role is Role.FOLLOWER else last

    def follower_differs(self, utterance: int, until: int) -> int | None:
        """Return the first step after an utterance that an able Follower, told this, does not do.

        None if it does all of them, up to and with the step `until`.
        """
        session, end = self._at(utterance + 1, hears=True), self.timeline.end
        for step in range(utterance + 1, until + 1):
            if step < self.last and self.log[step].role is Role.COMMANDER:
                return None
            if not _takes_step(session, self.log, step, end):
                return step
        return None

    def follower_instead(self, step: int) -> Interaction | None:
        """Return what an able Follower does at a step, told the same; None if it stops there."""
        told = self.utterance_before(step)
        session = self._at(step if told is None else told + 1, hears=told is not None)
        while session.end is None and len(session.interactions) <= step:
            session.step()
        return session.interactions[step] if len(session.interactions) > step else None

    @cached_property
    def commander_differs(self) -> int | None:
        """The first step at which an able Commander, in this session all along, does otherwise.

        None where it does everything that the session's Commander did.
        """
        return self._lead(self.last)[1]

    def go_on_with_memory(self, at: int) -> SessionResult | None:
        """Return what becomes of a moment if an able Follower takes over, but no Commander.

        The Commander is an able one that was in the session all along; None where the session's
        own did otherwise before.
        """
        if at not in self._remembered:
            self._count()
            session, differs = self._lead(at)
            self._remembered[at] = _finish(session) if differs is None else None
        return self._remembered[at]

    def _count(self) -> None:
        if self.count >= self.budget:
            raise BudgetSpent
        self.count += 1

    def _at(
        self,
        at: int,
        *,
        hears: bool = False,
        commander: Commander | None = None,
        follower: Follower | None = None,
    ) -> loop.Session:
        moments = self.timeline.moments
        self._sim.restore(moments[at].snapshot)
        agents = self._agents
        if follower is not None:
            agents = replace(agents, make_follower=lambda: follower)
        session, *_ = play.session_from_start(
            self._sim, self.timeline.start, agents, commander=commander
        )
        session.resume_after(self._start, self.log[:at])
        if not hears:  # what was said before
            session.observe()
            session.commander_view()
        return session

    def _lead(self, until: int) -> tuple[loop.Session, int | None]:
        """Repeat the session with an able Commander; return it, and where that differs first."""
        start = self.timeline.start
        sim, _ = play.make_simulator(start, self._led_setup)
        session, *_ = play.session_from_start(sim, start, play.prepare(self._led_setup))
        session.start(start.scene)
        for step in range(until + (until == self.last)):
            if self.actor(step) is Role.COMMANDER:
                if not _takes_step(session, self.log, step, self.timeline.end):
                    return session, step
            elif step < self.last:
                done = self.log[step]
                session.observe()  # so that the able one hears no more than what is new
                session.act_for(done.role, action_of(done))
                if not _is_done(session, done, step):
                    return session, step
        return session, None


def _finish(session: loop.Session) -> SessionResult:
    while session.end is None:
        session.step()
    return session.result()


def _takes_step(
    session: loop.Session, log: tuple[Interaction, ...], step: int, end: SessionEnd | None
) -> bool:
    """Let a session do a step; return whether that is the logged one, or the end it came to."""
    session.step()
    if step == len(log):
        return session.end is not None and end is not SessionEnd.CRASHED
    return _is_done(session, log[step], step)


def _is_done(session: loop.Session, done: Interaction, step: int) -> bool:
    """Return whether a session's one new interaction is the logged one, at whatever time."""
    return [replace(each, time=done.time) for each in session.interactions[step:]] == [done]


def action_of(done: Interaction) -> Action:
    """Return the action that a log has an interaction for."""
    return Action(done.verb, done.click, done.text or None)


def follower_steps(log: tuple[Interaction, ...]) -> int:
    """Return how many primitives the Follower took, failed ones too."""
    return sum(each.role is Role.FOLLOWER and each.verb in PRIMITIVE_VERBS for each in log)
