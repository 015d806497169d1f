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
from tatc.agents import commander_named
from tatc.commander import CommanderView
from tatc.errors import BadInput
from tatc.language import Done, GiveUp, hear, say
from tatc.opening import Opening
from tatc.records import Record
from tatc.runner import Setup
from tatc.timeline import Live, Moment
from tatc.viewer.play.bell import Bell

PERSON = "person"
"""What a record says of a part that a person played."""

MOST = 3000
"""Interactions after which a game is over: the longest of TEACh's has 1,300."""

AWAY = 30.0
"""Seconds without a sign of life after which another may take a person's seat."""


class Game:
    """A game being played, or over."""

    def __init__(
        self,
        opening: Opening,
        setup: Setup,
        people: tuple[Role, ...],
        *,
        pace: float = 0.35,
    ) -> None:
        """Start a game.

        Args:
            opening: the task and where it starts.
            setup: the agents; those of the parts in `people` are never asked.
            people: the parts that people play.
            pace: seconds that an agent waits after each of its actions.

        Raises:
            BadInput: an agent does not exist.

        """
        self.id = token_urlsafe(6)
        self.people, self.opening, self.setup = people, opening, setup
        self.bell = Bell()
        self.over = False
        self._pace = pace
        self._begun = monotonic()
        self._live = Live(opening, setup)
        self._change = Condition()
        self._keys: dict[Role, str] = {}
        self._alive: dict[Role, float] = {}
        self._deeds: dict[Role, str] = {}
        if len(people) < len(Role):
            Thread(target=self._play_agent, daemon=True).start()

    @property
    def moments(self) -> tuple[Moment, ...]:
        """All that has happened, the start first; it only ever grows."""
        return tuple(self._live.moments)

    @property
    def fault(self) -> str:
        """What an agent has raised, "" where none has broken off."""
        return self._live.crash

    @property
    def turn(self) -> Role:
        """Whose answer is waited for."""
        return self._live.turn

    def free(self) -> tuple[Role, ...]:
        """Return the parts that a person may take now."""
        return tuple(role for role in self.people if not self._held(role))

    def sit(self, role: Role) -> str:
        """Take a part; return the key that shows it, which acting needs.

        Raises:
            BadInput: the part is not a person's, or is taken.

        """
        with self._change:
            if role not in self.people:
                raise BadInput("that part is played by an agent")
            if self._held(role):
                raise BadInput("that part is taken by somebody who is here")
            self._keys[role] = token_urlsafe(12)
            self._alive[role] = monotonic()
            self._news()
            return self._keys[role]

    def seat(self, key: str) -> Role | None:
        """Return the part that a key shows, which is a sign of life; None: no part."""
        for role, known in self._keys.items():
            if compare_digest(known.encode(), key.encode()):
                self._alive[role] = monotonic()
                return role
        return None

    def idle(self) -> float:
        """Return the seconds since a person last gave a sign of life."""
        return monotonic() - max(self._alive.values(), default=self._begun)

    def act(self, role: Role, action: Action, deed: str) -> None:
        """Let a person act.

        `deed` is a name that the page gives to what it asks for: asked for once more,
        because the answer was lost, it is not done again.

        Raises:
            BadInput: the game is over.

        """
        with self._change:
            if self.over:
                raise BadInput("the game is over")
            if self._deeds.get(role) == deed:
                return
            self._deeds[role] = deed
            self._live.by_hand(role, action)
            if len(self._live.moments) > MOST:
                self.over = True
            self._news()

    def suggest(self) -> str:
        """Return what the rule Commander would say now."""
        with self._change:
            adviser = commander_named("rule", self.setup.wording)()
            adviser.begin(self._live.oracle, self.opening.task)
            adviser.act(CommanderView((), None))
            progress = self._live.moments[-1].progress
            return adviser.act(CommanderView((), progress)).text or ""

    def finish(self, role: Role) -> None:
        """End the game; the Commander says so first."""
        with self._change:
            if self.over:
                return
            if role is Role.COMMANDER:
                words = say(Done())
                self._live.by_hand(role, Action(Verb.TEXT, text=words))
            self.over = True
            self._news()

    def stop(self) -> None:
        """Let the game be over as it stands."""
        with self._change:
            self.over = True
            self._news()

    def record(self) -> Record:
        """Return the game as a record, in which people are named as such."""
        with self._change:
            made = self._live.record()
        names = {Role.COMMANDER: "commander", Role.FOLLOWER: "follower"}
        played: Mapping[str, str] = {names[role]: PERSON for role in self.people}
        options = tuple((k, played.get(k, v)) for k, v in made.options)
        return replace(made, options=options)

    def _held(self, role: Role) -> bool:
        return role in self._keys and monotonic() - self._alive[role] < AWAY

    def _news(self) -> None:
        self._change.notify_all()
        self.bell.ring()

    def _play_agent(self) -> None:
        """Act in the agent's place whenever it is its turn, until the game is over."""
        with self._change:
            while not self.over:
                if self._live.turn in self.people:
                    self._change.wait()
                    continue
                self._agent_acts()
                self._news()
                self._change.wait(self._pace)

    def _agent_acts(self) -> None:
        before = len(self._live.moments)
        goes_on = self._live.step()
        said = (moment.said for moment in self._live.moments[before:])
        ended = any(isinstance(hear(words), Done | GiveUp) for words in said if words)
        self.over = not goes_on or ended or len(self._live.moments) > MOST
