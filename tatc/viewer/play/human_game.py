"""One game: a session in which people act by hand and agents in between.

The agents of the session's setup stand ready for both parts; the one in whose place a
person acts is never asked.  An agent acts in a thread of its own, one action at a time,
so that a person can follow it; everything that touches the session holds one lock.
"""

from collections.abc import Mapping
from dataclasses import replace
from secrets import compare_digest, token_urlsafe
from threading import Condition, Thread
from time import monotonic

from tatc.actions import Action, Role, Verb
from tatc.commander import CommanderView
from tatc.errors import BadInput
from tatc.language import GiveUp, TaskDone, hear, say
from tatc.records import Record
from tatc.session.agents import commander_factory
from tatc.session.runner import SessionSetup
from tatc.session.start import SessionStart
from tatc.timeline import LiveSession, Moment
from tatc.viewer.play.notifier import Notifier

PERSON = "person"
"""What a record says of a part that a person played."""

MAX_INTERACTIONS = 3000
"""Interactions after which a game is over: the longest of TEACh's has 1,300."""

ABSENT_AFTER_SECONDS = 30.0
"""Seconds without a sign of life after which another may take a person's seat."""


class HumanGame:
    """A game being played, or over."""

    def __init__(
        self,
        opening: SessionStart,
        setup: SessionSetup,
        human_roles: tuple[Role, ...],
        *,
        pace_seconds: float = 0.35,
    ) -> None:
        """Start a game.

        Args:
            opening: the task and where it starts.
            setup: the agents; those of the parts in `human_roles` are never asked.
            human_roles: the parts that people play.
            pace_seconds: seconds that an agent waits after each of its actions.

        Raises:
            BadInput: an agent does not exist.

        """
        self.id = token_urlsafe(6)
        self.human_roles, self.opening, self.setup = human_roles, opening, setup
        self.notifier = Notifier()
        self.is_over = False
        self._pace_seconds = pace_seconds
        self._started_at = monotonic()
        self._live = LiveSession(opening, setup)
        self._condition = Condition()
        self._keys: dict[Role, str] = {}
        self._last_seen: dict[Role, float] = {}
        self._last_action_ids: dict[Role, str] = {}
        if len(human_roles) < len(Role):
            Thread(target=self._run_agent, daemon=True).start()

    @property
    def moments(self) -> tuple[Moment, ...]:
        """All that has happened, the start first; it only ever grows."""
        return tuple(self._live.moments)

    @property
    def agent_error(self) -> str:
        """What an agent has raised, "" where none has broken off."""
        return self._live.crash

    @property
    def turn(self) -> Role:
        """Whose answer is waited for."""
        return self._live.turn

    def free_roles(self) -> tuple[Role, ...]:
        """Return the parts that a person may take now."""
        return tuple(role for role in self.human_roles if not self._is_taken(role))

    def take_role(self, role: Role) -> str:
        """Take a part; return the key that shows it, which acting needs.

        Raises:
            BadInput: the part is not a person's, or is taken.

        """
        with self._condition:
            if role not in self.human_roles:
                raise BadInput("that part is played by an agent")
            if self._is_taken(role):
                raise BadInput("that part is taken by somebody who is here")
            self._keys[role] = token_urlsafe(12)
            self._last_seen[role] = monotonic()
            self._notify()
            return self._keys[role]

    def role_of_key(self, key: str) -> Role | None:
        """Return the part that a key shows, which is a sign of life; None: no part."""
        for role, known in self._keys.items():
            if compare_digest(known.encode(), key.encode()):
                self._last_seen[role] = monotonic()
                return role
        return None

    def idle_seconds(self) -> float:
        """Return the seconds since a person last gave a sign of life."""
        return monotonic() - max(self._last_seen.values(), default=self._started_at)

    def act(self, role: Role, action: Action, action_id: str) -> None:
        """Let a person act.

        `action_id` is a name that the page gives to what it asks for: asked for once more,
        because the answer was lost, it is not done again.

        Raises:
            BadInput: the game is over.

        """
        with self._condition:
            if self.is_over:
                raise BadInput("the game is over")
            if self._last_action_ids.get(role) == action_id:
                return
            self._last_action_ids[role] = action_id
            self._live.act_by_hand(role, action)
            if len(self._live.moments) > MAX_INTERACTIONS:
                self.is_over = True
            self._notify()

    def suggest_utterance(self) -> str:
        """Return what the rule Commander would say now."""
        with self._condition:
            adviser = commander_factory("rule", self.setup.wording)()
            adviser.begin(self._live.oracle, self.opening.task)
            adviser.act(CommanderView((), None))
            progress = self._live.moments[-1].progress
            return adviser.act(CommanderView((), progress)).text or ""

    def finish(self, role: Role) -> None:
        """End the game; the Commander says so first."""
        with self._condition:
            if self.is_over:
                return
            if role is Role.COMMANDER:
                words = say(TaskDone())
                self._live.act_by_hand(role, Action(Verb.TEXT, text=words))
            self.is_over = True
            self._notify()

    def stop(self) -> None:
        """Let the game be over as it stands."""
        with self._condition:
            self.is_over = True
            self._notify()

    def record(self) -> Record:
        """Return the game as a record, in which people are named as such."""
        with self._condition:
            made = self._live.record()
        names = {Role.COMMANDER: "commander", Role.FOLLOWER: "follower"}
        people: Mapping[str, str] = {names[role]: PERSON for role in self.human_roles}
        options = tuple((k, people.get(k, v)) for k, v in made.options)
        return replace(made, options=options)

    def _is_taken(self, role: Role) -> bool:
        return role in self._keys and monotonic() - self._last_seen[role] < ABSENT_AFTER_SECONDS

    def _notify(self) -> None:
        self._condition.notify_all()
        self.notifier.notify()

    def _run_agent(self) -> None:
        """Act in the agent's place whenever it is its turn, until the game is over."""
        with self._condition:
            while not self.is_over:
                if self._live.turn in self.human_roles:
                    self._condition.wait()
                    continue
                self._step_agent()
                self._notify()
                self._condition.wait(self._pace_seconds)

    def _step_agent(self) -> None:
        before = len(self._live.moments)
        goes_on = self._live.step()
        said = (moment.utterance for moment in self._live.moments[before:])
        ended = any(isinstance(hear(words), TaskDone | GiveUp) for words in said if words)
        self.is_over = not goes_on or ended or len(self._live.moments) > MAX_INTERACTIONS
