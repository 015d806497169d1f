"""A session that waits for agents outside: what the environments are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tatc.actions import (
    Action,
    ActionResult,
    Frame,
    Observation,
    Role,
    Segments,
    Utterance,
    Verb,
)
from tatc.commander import Commander, CommanderView, Decision, Oracle
from tatc.follower import Follower
from tatc.opening import Opening
from tatc.records import End
from tatc.runner import open_session
from tatc.session import TATC_LIMITS, Event, Limits, Session
from tatc.sim.embedded.render import Renderer
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import Progress, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What every session of an environment starts from; see `tatc.run`.

    Without a room it is the first that can hold the task; with a game, that game's.
    """

    task: str | None = "coffee"
    room: str | None = None
    game: str | None = None
    params: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()

    def open(self, seed: int) -> Opening:
        """Return the session's start that a seed draws.

        Raises:
            BadInput: what was named does not exist or does not go together.

        """
        return open_session(
            task=self.task if self.game is None else None,
            room=self.room,
            game=None if self.game is None else Path(self.game),
            params=self.params,
            seed=seed,
            folders=[Path(each) for each in self.definitions],
        )


class OutsideCommander:
    """A Commander that says what it is told from outside."""

    def __init__(self) -> None:
        """Have nothing to say yet."""
        self.next = Action(Verb.STOP)

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""

    def act(self, view: CommanderView) -> Action:
        """Return what is to be done."""
        return self.next

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Nobody knows why."""
        return ()


class OutsideFollower:
    """A Follower that does what it is told from outside."""

    def __init__(self) -> None:
        """Have nothing to do yet."""
        self.next = Action(Verb.STOP)

    def begin(self) -> None:
        """Begin a session."""

    def act(self, seen: Observation) -> Action:
        """Return what is to be done."""
        return self.next


class Play:
    """One session after another, each carried on from outside.

    `heard` holds what was said to each agent since it last acted, `last` how each
    one's last action went, `checked` the answer to the last progress check.
    """

    def __init__(
        self,
        start: Start,
        commander: Commander,
        follower: Follower,
        limits: Limits = TATC_LIMITS,
    ) -> None:
        """Take agents, either of which may be one from outside."""
        self._start, self._limits = start, limits
        self._agents = commander, follower
        self._sim = EmbeddedSimulator()

    def begin(self, seed: int) -> None:
        """Start a session anew; the seed draws its start.

        Raises:
            BadInput: what was named does not exist or does not go together.

        """
        self.opening = self._start.open(seed)
        self._renderer = Renderer(self.opening.scene)
        self.heard: dict[Role, list[Utterance]] = {role: [] for role in Role}
        self.last: dict[Role, ActionResult | None] = dict.fromkeys(Role)
        self.checked: Progress | None = None
        self.told: list[str] = []
        commander, follower = self._agents
        self.session = Session(
            self._sim,
            self.opening.task,
            commander,
            follower,
            limits=self._limits,
            watch=self._note,
        )
        self.session.start(self.opening.scene)
        self.progress = self._check()

    def step(self) -> float:
        """Let the agent whose turn it is act; return what was gained.

        That is the share of the goal conditions that it has brought about, less what
        it has undone.
        """
        role = self.session.turn
        self.heard[role] = []
        self.session.step()
        self.last[Role.FOLLOWER] = self.session.last
        before, self.progress = self.progress, self._check()
        return _share(self.progress) - _share(before)

    @property
    def done(self) -> bool:
        """Whether the task is complete, or an agent has stopped."""
        stopped = self.session.end is not None and not self.cut_short
        return self.progress.success or stopped

    @property
    def cut_short(self) -> bool:
        """Whether a limit has ended the session."""
        return self.session.end in (End.STEP_LIMIT, End.FAILURE_LIMIT)

    def close(self) -> None:
        """Free what the home holds."""
        self._sim.close()

    def frame(self, role: Role, size: int) -> Frame:
        """Return what an agent sees, `size` pixels a side."""
        return self._renderer.frame(self._sim.snapshot(), role, size)

    def segments(self, role: Role, size: int) -> Segments:
        """Return an agent's view by the types of things, `size` pixels a side."""
        return self._renderer.segments(self._sim.snapshot(), role, size)

    def _check(self) -> Progress:
        return self.opening.task.check(self._sim.snapshot())

    def _note(self, event: Event) -> None:
        done = event.done
        if done.verb is Verb.TEXT:
            words = Utterance(done.role, done.text, done.time)
            self.heard[_other(done.role)].append(words)
            self.told.append(f"{done.role}: {done.text}")
        elif event.progress is not None:
            self.checked = event.progress
        else:
            self.last[done.role] = event.result
            self.told.append(f"{done.role}: {done.verb} {_mark(event.result)}")


def words_of(heard: Sequence[Utterance]) -> str:
    """Return utterances as one text, a line each."""
    return "\n".join(each.text for each in heard)


def _share(progress: Progress) -> float:
    total = progress.goal_conditions_total
    return progress.goal_conditions_satisfied / total if total else 0.0


def _other(role: Role) -> Role:
    return Role.FOLLOWER if role is Role.COMMANDER else Role.COMMANDER


def _mark(result: ActionResult | None) -> str:
    return "+" if result is not None and result.success else "-"
