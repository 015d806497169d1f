"""One game, in which people act by hand, with or without an agent.

The session has agents for both roles; the agent in a person's role never acts.  The
other one acts in a thread of its own, one action at a time, so that a person can watch
it.  Everything that touches the session holds one lock.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from secrets import compare_digest, token_urlsafe
from threading import Condition, Thread
from time import monotonic

from tatc.apps.viewer.page_data import ROLE_NAMES
from tatc.base.errors import BadInput
from tatc.commander import CommanderView
from tatc.home.actions import Action, Role, Verb
from tatc.language import CannotSee, GiveUp, TaskDone, Wording, hear, say
from tatc.session import records, timeline
from tatc.session.agents import agents, session_setup
from tatc.session.start import SessionStart

PERSON = "person"  # the name in a record of a role that a person played

MAX_PLAYED_INTERACTIONS = 3000
"""Interactions after which a game is over: the longest of TEACh's has 1,300."""
MAX_SAID_CHARACTERS = 4_000_000
"""Characters said after which a game is over: of many more, no record could be read again."""

ABSENT_AFTER_SECONDS = 30.0
"""Seconds without a request of a person after which another may take their role."""


class HumanGame:
    """A game being played, or over."""

    def __init__(
        self,
        start: SessionStart,
        setup: session_setup.SessionSetup,
        human_roles: tuple[Role, ...],
        *,
        pace_seconds: float = 0.35,
    ) -> None:
        """Start a game; an agent waits `pace_seconds` after each of its actions."""
        self.id = token_urlsafe(6)
        self.human_roles, self.start, self.setup = human_roles, start, setup
        self.notifier = Notifier()
        self.is_over = False
        self._pace_seconds = pace_seconds
        self._started_at = monotonic()
        self._live = timeline.LiveSession(start, setup)
        self._condition = Condition()
        self._keys: dict[Role, str] = {}
        self._last_seen: dict[Role, float] = {}
        self._last_action_ids: dict[Role, str] = {}
        if len(human_roles) < len(Role):
            Thread(target=self._run_agent, daemon=True).start()

    @property
    def moments(self) -> tuple[timeline.Moment, ...]:
        """All moments so far, the start first."""
        return tuple(self._live.moments)

    @property
    def agent_error(self) -> str:
        """What the agent has raised, "" if it has not crashed."""
        return self._live.crash

    @property
    def shows_belief(self) -> bool:
        """Whether the Follower is an agent that has a belief to show."""
        return Role.FOLLOWER not in self.human_roles and self._live.shows_belief

    @property
    def turn(self) -> Role:
        """Who acts next."""
        return self._live.turn

    def free_roles(self) -> tuple[Role, ...]:
        """Return the roles that a person may take now."""
        return tuple(role for role in self.human_roles if not self._is_taken(role))

    def take_role(self, role: Role) -> str:
        """Take a role; return the key that proves it, which every request needs."""
        with self._condition:
            if role not in self.human_roles:
                raise BadInput("an agent plays that role")
            if self._is_taken(role):
                raise BadInput("somebody else plays that role")
            self._keys[role] = token_urlsafe(12)
            self._last_seen[role] = monotonic()
            self._notify()
            return self._keys[role]

    def role_of_key(self, key: str) -> Role | None:
        """Return the role that a key proves, None for a wrong key; counts as a sign of life."""
        for role, known in self._keys.items():
            # Keys are ASCII; compare_digest takes no other text.
            if key.isascii() and compare_digest(known, key):
                self._last_seen[role] = monotonic()
                return role
        return None

    def idle_seconds(self) -> float:
        """Return the seconds since the last sign of life of any person."""
        return monotonic() - max(self._last_seen.values(), default=self._started_at)

    def act(self, role: Role, action: Action, action_id: str) -> None:
        """Let a person act.

        The page gives each action an `action_id`, and repeats a request whose answer was lost; one
        with the id of the role's last is not done again.  One without an id ("") repeats none.
        """
        with self._condition:
            if self.is_over:
                raise BadInput("the game is over")
            if action_id and self._last_action_ids.get(role) == action_id:
                return
            self._last_action_ids[role] = action_id
            self._live.act_by_hand(role, action)
            self.is_over = self._is_long()
            self._notify()

    def suggest_utterance(self, wording: Wording) -> str:
        """Return what the rule Commander would say; clicks help a Follower that cannot see."""
        with self._condition:
            said = (each.interaction for each in reversed(self._live.moments) if each.utterance)
            heard = (each.text for each in said if each and each.role is Role.FOLLOWER)
            if isinstance(hear(next(heard, "")), CannotSee):
                wording = Wording.ACTIONS
            adviser = agents.commander_factory("rule", wording)()
            adviser.begin(self._live.oracle, self.start.task)
            adviser.act(CommanderView((), None))
            return adviser.act(CommanderView((), self._live.moments[-1].progress)).text or ""

    def finish(self, role: Role) -> None:
        """End the game; a Commander says first that the task is done."""
        with self._condition:
            if self.is_over:
                return
            if role is Role.COMMANDER:
                self._live.act_by_hand(role, Action(Verb.TEXT, text=say(TaskDone())))
            self.stop()

    def stop(self) -> None:
        """End the game as it is."""
        with self._condition:
            self.is_over = True
            self._notify()

    def record(self) -> records.Record:
        """Return the game as a record, whose options name people in place of agents."""
        with self._condition:
            made = self._live.record()
        people = {ROLE_NAMES[role]: PERSON for role in self.human_roles}
        return replace(made, options=tuple((k, people.get(k, v)) for k, v in made.options))

    def _is_taken(self, role: Role) -> bool:
        return role in self._keys and monotonic() - self._last_seen[role] < ABSENT_AFTER_SECONDS

    def _is_long(self) -> bool:
        moments = self._live.moments
        said = sum(len(each.utterance or "") for each in moments)
        return len(moments) > MAX_PLAYED_INTERACTIONS or said > MAX_SAID_CHARACTERS

    def _notify(self) -> None:
        self._condition.notify_all()
        self.notifier.notify()

    def _run_agent(self) -> None:
        with self._condition:
            while not self.is_over:
                if self._live.turn in self.human_roles:
                    self._condition.wait()
                    continue
                before = len(self._live.moments)
                goes_on = self._live.step()
                said = (moment.utterance for moment in self._live.moments[before:])
                ended = any(isinstance(hear(words), TaskDone | GiveUp) for words in said if words)
                self.is_over = not goes_on or ended or self._is_long()
                self._notify()
                self._condition.wait(self._pace_seconds)


class Notifier:
    """Wakes its listeners; what is new they look up themselves, so that none misses anything."""

    def __init__(self) -> None:
        """Begin without listeners."""
        self._listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    def notify(self) -> None:
        """Wake all listeners; may be called from any thread."""
        for event, loop in tuple(self._listeners.items()):
            with suppress(RuntimeError):  # the listener's loop is closed
                loop.call_soon_threadsafe(event.set)

    @contextmanager
    def subscription(self) -> Generator[asyncio.Event]:
        """Yield an event that each `notify` sets; clear it before looking for what is new."""
        event = asyncio.Event()
        self._listeners[event] = asyncio.get_running_loop()
        try:
            yield event
        finally:
            del self._listeners[event]
