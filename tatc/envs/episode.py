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
    SegmentationFrame,
    Utterance,
    Verb,
)
from tatc.commander import Commander, CommanderView, Decision, Oracle
from tatc.follower import Follower
from tatc.records import SessionEnd
from tatc.session import TATC_LIMITS, Session, SessionEvent, SessionLimits
from tatc.session.runner import find_session_start
from tatc.session.start import SessionStart
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.tdl import Progress, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeStart:
    """What every session of an environment starts from; see `tatc.run`.

    Without a room it is the first that can hold the task; with a game, that game's.
    """

    task: str | None = "coffee"
    room: str | None = None
    game: str | None = None
    params: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()

    def open(self, seed: int) -> SessionStart:
        """Return the session's start that a seed draws.

        Raises:
            BadInput: what was named does not exist or does not go together.

        """
        return find_session_start(
            task=self.task if self.game is None else None,
            room=self.room,
            game=None if self.game is None else Path(self.game),
            params=self.params,
            seed=seed,
            task_folders=[Path(each) for each in self.definitions],
        )


class ExternalCommander:
    """A Commander that says what it is told from outside."""

    def __init__(self) -> None:
        """Have nothing to say yet."""
        self.next_action = Action(Verb.STOP)

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""

    def act(self, view: CommanderView) -> Action:
        """Return what is to be done."""
        return self.next_action

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Nobody knows why."""
        return ()


class ExternalFollower:
    """A Follower that does what it is told from outside."""

    def __init__(self) -> None:
        """Have nothing to do yet."""
        self.next_action = Action(Verb.STOP)

    def begin(self) -> None:
        """Begin a session."""

    def act(self, observation: Observation) -> Action:
        """Return what is to be done."""
        return self.next_action


class Episode:
    """One session after another, each carried on from outside.

    `heard` holds what was said to each agent since it last acted, `last_results` how each
    one's last action went, `last_progress_check` the answer to the last progress check.
    """

    def __init__(
        self,
        start: EpisodeStart,
        commander: Commander,
        follower: Follower,
        limits: SessionLimits = TATC_LIMITS,
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
        self.session_start = self._start.open(seed)
        self._renderer = SnapshotRenderer(self.session_start.scene)
        self.heard: dict[Role, list[Utterance]] = {role: [] for role in Role}
        self.last_results: dict[Role, ActionResult | None] = dict.fromkeys(Role)
        self.last_progress_check: Progress | None = None
        self.transcript_lines: list[str] = []
        commander, follower = self._agents
        self.session = Session(
            self._sim,
            self.session_start.task,
            commander,
            follower,
            limits=self._limits,
            watch=self._record_event,
        )
        self.session.start(self.session_start.scene)
        self.progress = self._check_progress()

    def step(self) -> float:
        """Let the agent whose turn it is act; return what was gained.

        That is the share of the goal conditions that it has brought about, less what
        it has undone.
        """
        role = self.session.turn
        self.heard[role] = []
        self.session.step()
        self.last_results[Role.FOLLOWER] = self.session.last_result
        before, self.progress = self.progress, self._check_progress()
        return _goal_share(self.progress) - _goal_share(before)

    @property
    def is_terminated(self) -> bool:
        """Whether the task is complete, or an agent has stopped."""
        stopped = self.session.end is not None and not self.is_truncated
        return self.progress.success or stopped

    @property
    def is_truncated(self) -> bool:
        """Whether a limit has ended the session."""
        return self.session.end in (SessionEnd.STEP_LIMIT, SessionEnd.FAILURE_LIMIT)

    def close(self) -> None:
        """Free what the home holds."""
        self._sim.close()

    def frame(self, role: Role, size: int) -> Frame:
        """Return what an agent sees, `size` pixels a side."""
        return self._renderer.frame(self._sim.snapshot(), role, size)

    def segments(self, role: Role, size: int) -> SegmentationFrame:
        """Return an agent's view by the types of things, `size` pixels a side."""
        return self._renderer.segments(self._sim.snapshot(), role, size)

    def _check_progress(self) -> Progress:
        return self.session_start.task.check(self._sim.snapshot())

    def _record_event(self, event: SessionEvent) -> None:
        done = event.interaction
        if done.verb is Verb.TEXT:
            words = Utterance(done.role, done.text, done.time)
            self.heard[_other_role(done.role)].append(words)
            self.transcript_lines.append(f"{done.role}: {done.text}")
        elif event.progress is not None:
            self.last_progress_check = event.progress
        else:
            self.last_results[done.role] = event.result
            self.transcript_lines.append(f"{done.role}: {done.verb} {_success_mark(event.result)}")


def joined_text(heard: Sequence[Utterance]) -> str:
    """Return utterances as one text, a line each."""
    return "\n".join(each.text for each in heard)


def _goal_share(progress: Progress) -> float:
    total = progress.goal_conditions_total
    return progress.goal_conditions_satisfied / total if total else 0.0


def _other_role(role: Role) -> Role:
    return Role.FOLLOWER if role is Role.COMMANDER else Role.COMMANDER


def _success_mark(result: ActionResult | None) -> str:
    return "+" if result is not None and result.success else "-"
