"""A session in progress, continued by its agents and by hand, moment by moment."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tatc.base.errors import BadInput
from tatc.commander.oracle import Oracle
from tatc.follower.listener.belief import BelievingFollower
from tatc.home.actions import Action, Role
from tatc.language.understanding import Goal
from tatc.session import play, records, session_record, session_types
from tatc.session.agents.session_setup import SessionSetup, resolve_agents
from tatc.session.start import SessionStart
from tatc.session.text_world.model_agents import edit_next_message
from tatc.session.timeline.moment import Moment, ProgressChecker, last_belief
from tatc.session.timeline.timeline import Timeline


@dataclass(frozen=True, slots=True)
class ManualAction:
    """An action taken by hand, in an agent's place, after `at` interactions."""

    at: int
    role: Role
    action: Action


@dataclass(frozen=True, slots=True)
class GoalEdit:
    """A goal that the Follower was set by hand, after `at` interactions."""

    at: int
    goal: Goal


@dataclass(frozen=True, slots=True)
class MessageEdit:
    """What a language model reads in place of its next message, after `at` interactions."""

    at: int
    text: str


ManualChange = ManualAction | GoalEdit | MessageEdit  # what a person changed in a session


class LiveSession:
    """A session that continues step by step.

    `moments` grows.  `manual_actions` are those taken by hand, edited goals and messages among
    them, so that `replay_to` can repeat the session with whatever code the agents then have.  An
    exception of an agent ends the session as crashed, and `crash` describes it.
    """

    def __init__(self, start: SessionStart, setup: SessionSetup) -> None:
        """Start a session; an agent's error in this is an `AgentCrash`."""
        self.start, self.setup = start, setup
        self.manual_actions: tuple[ManualChange, ...] = ()
        self._earlier_decisions: tuple[records.RecordedDecision, ...] = ()
        self._result: session_types.SessionResult | None = None
        self._continued_from: tuple[Timeline, int] | None = None
        self._checker = ProgressChecker(start.task)
        self._sim, self._recorded_map = play.make_simulator(start, setup)
        self.crash = ""
        agents = resolve_agents(setup)
        made = play.session_from_start(self._sim, start, agents, watch=self._add_moment)
        self._session, self._commander, self._follower = made
        self._session.start(start.scene)
        now = self._sim.snapshot()
        self.moments = [Moment(0, None, now, self._checker.check(now))]

    @staticmethod
    def continue_from(
        timeline: Timeline, index: int, setup: SessionSetup | None = None
    ) -> "LiveSession":
        """Return one that goes on from a moment of another; its agents know nothing from before."""
        live = LiveSession(timeline.start, setup or timeline.setup)
        live._continued_from = timeline, index
        live.moments = list(timeline.moments[: index + 1])
        decided = (m.decision for m in live.moments if m.decision is not None)
        live._earlier_decisions = tuple(dict.fromkeys(decided))
        live._sim.restore(live.moments[-1].snapshot)
        log = [m.interaction for m in live.moments if m.interaction is not None]
        live._session.resume_after(live.moments[0].snapshot, log)
        return live

    @property
    def end(self) -> records.SessionEnd | None:
        """How the session ended, None while it goes on."""
        if self.crash:
            return records.SessionEnd.CRASHED
        return None if self._result is None else self._result.end

    @property
    def turn(self) -> Role:
        """Whose turn it is: the role that `step` lets act."""
        return self._session.turn

    @property
    def oracle(self) -> Oracle:
        """What a Commander may ask about the home, which it shows as it is now."""
        return self._session.oracle

    @property
    def shows_belief(self) -> bool:
        """Whether the Follower has a belief to show."""
        return isinstance(self._follower, BelievingFollower)

    @property
    def model_calls(self) -> tuple[records.RecordedModelCall, ...]:
        """The calls of the language models that play, so far."""
        return self._session.model_calls

    @property
    def is_continued(self) -> bool:
        """Whether the session continues another."""
        return self._continued_from is not None

    @property
    def timeline(self) -> Timeline:
        """The session so far."""
        return Timeline(self.start, self.setup, tuple(self.moments), self.end)

    def step(self) -> bool:
        """Let the agent whose turn it is act; return whether the session goes on."""
        if self.end is None:
            before = len(self.moments)
            try:
                self._session.step()
            except Exception as fault:  # whatever an agent may raise
                self.crash = session_types.describe_crash(fault)
            self._note_belief(before)
            if self._session.end is not None:
                self._result = self._session.result()
        return self.end is None

    def act_by_hand(self, role: Role, action: Action) -> None:
        """Act in an agent's place, even after the end; what its role may not do makes no moment."""
        at = len(self.moments)
        self._note_change(ManualAction(at - 1, role, action))
        self._session.act_for(role, action)
        self.moments[at:] = [replace(m, by_hand=True) for m in self.moments[at:]]

    def set_goal(self, goal: Goal) -> None:
        """Set the Follower's goal by hand; a session that has ended continues."""
        if not isinstance(self._follower, BelievingFollower):
            why = f"the Follower {self.setup.follower} has no goal to edit"
            raise BadInput(why, fix="open a session of a Follower that shows its belief: listener")
        self._note_change(GoalEdit(len(self.moments) - 1, goal))
        self._follower.set_goal(goal)

    def edit_message(self, text: str) -> None:
        """Have the model whose turn it is read this next; a session that has ended continues."""
        edit_next_message(self._commander if self.turn is Role.COMMANDER else self._follower, text)
        self._note_change(MessageEdit(len(self.moments) - 1, text))

    def _note_change(self, change: ManualChange) -> None:
        self._result, self.crash, self._session.end = None, "", None
        self.manual_actions += (change,)

    def run_to(self, count: int, manual_actions: Sequence[ManualChange] = ()) -> None:
        """Continue to `count` interactions or the end; take each manual action after its `at`."""
        left = list(manual_actions)
        while len(self.moments) <= count:
            if left and left[0].at < len(self.moments):
                self._repeat(left.pop(0))
            elif not self.step():
                return

    def _repeat(self, manual_action: ManualChange) -> None:
        if isinstance(manual_action, GoalEdit):
            self.set_goal(manual_action.goal)
        elif isinstance(manual_action, MessageEdit):
            self.edit_message(manual_action.text)
        else:
            self.act_by_hand(manual_action.role, manual_action.action)

    def replay_to(self, count: int) -> "LiveSession":
        """Return a replay of the session, up to `count` interactions or to its end."""
        live = self.restarted(count)
        live.run_to(count, self.manual_actions)
        return live

    def restarted(self, count: int = 0) -> "LiveSession":
        """Return this session anew; one that continues another does, from `count` at the latest."""
        if self._continued_from is None:
            return LiveSession(self.start, self.setup)
        timeline, index = self._continued_from
        return LiveSession.continue_from(timeline, min(index, count), self.setup)

    def record(self) -> records.Record:
        """Return the record of the session so far; its options count the manual actions."""
        result = self._result or self._session.result()
        result = replace(result, decisions=(*self._earlier_decisions, *result.decisions))
        made = session_record.make_record(self.start, result, self._recorded_map, self.setup)
        if self.crash:
            made = replace(made, end=records.SessionEnd.CRASHED)
        if not self.manual_actions:
            return made
        return replace(made, options=(*made.options, ("by_hand", len(self.manual_actions))))

    def _note_belief(self, before: int) -> None:
        """Note what the Follower believes at the moment from which it has acted, if it has.

        There were `before` moments when it was asked; the Commander may have spoken since.
        """
        if not isinstance(self._follower, BelievingFollower):
            return
        at = len(self.moments) - 1
        done = self.moments[at].interaction
        if at >= before and done is not None and done.role is Role.FOLLOWER:
            at -= 1
        belief, last = self._follower.current_belief(), last_belief(self.moments, at)
        if belief.view_count > (0 if last is None else last[1].view_count):
            self.moments[at] = replace(self.moments[at], belief=belief)

    def _add_moment(self, event: session_types.SessionEvent) -> None:
        now, index = self._sim.snapshot(), len(self.moments)
        progress, decision = self._checker.check(now), self._current_decision()
        self.moments.append(Moment(index, event.interaction, now, progress, decision, event.result))

    def _current_decision(self) -> records.RecordedDecision | None:
        """Return the last decision; the same object for as long as it is the last."""
        decided = self._session.decisions() or self._earlier_decisions
        last = self.moments[-1].decision
        return last if not decided or decided[-1] == last else decided[-1]
