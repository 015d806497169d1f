"""The loop: a Commander, a Follower and a home, from the start to a named end.

The Follower acts; when it says something the Commander has a turn, in which it may
check the progress and speak.  The agents meet only in text.
"""

from collections.abc import Callable, Sequence

from tatc.actions import (
    FOLLOWER_VERBS,
    INTERACTIONS,
    MOTIONS,
    Action,
    ActionResult,
    Observation,
    Role,
    Utterance,
    Verb,
)
from tatc.commander import Commander, CommanderView
from tatc.commander import Decision as Thought
from tatc.errors import UsageError
from tatc.follower import Follower
from tatc.records import Interaction, LoggedPose, logged_pose
from tatc.records.record import Decision, End
from tatc.session.conversation import Conversation
from tatc.session.log import Log
from tatc.session.values import TATC_LIMITS, Event, Limits, SessionResult
from tatc.sim.protocol import Simulator
from tatc.sim.searching import TOOLS, find
from tatc.state import Scene, Snapshot
from tatc.tdl import Progress, Task

_PRIMITIVES = frozenset(MOTIONS + INTERACTIONS)
_ASKED = 8  # actions of the Commander in one turn, the utterance included


def run_session(
    sim: Simulator,
    scene: Scene,
    task: Task,
    commander: Commander,
    follower: Follower,
    *,
    limits: Limits = TATC_LIMITS,
    watch: Callable[[Event], None] | None = None,
) -> SessionResult:
    """Run one session from a scene's start to its end.

    Args:
        sim: the home; it is reset to the scene.
        scene: where the session starts.
        task: what is to be done, known to the Commander alone.
        commander: speaks; it may ask `sim` for its state, and acts in nothing.
        follower: acts; it gets an `Observation` and nothing else.
        limits: when to stop.
        watch: called with every logged action as it happens.

    """
    session = Session(sim, task, commander, follower, limits=limits, watch=watch)
    session.start(scene)
    while session.end is None:
        session.step()
    return session.result()


class Session:
    """A session that is carried on action by action.

    `start` or `take_up` comes first; then `step` until `end` is set, in between
    whatever is done by hand; `result` at any time.
    """

    def __init__(
        self,
        sim: Simulator,
        task: Task,
        commander: Commander,
        follower: Follower,
        *,
        limits: Limits = TATC_LIMITS,
        watch: Callable[[Event], None] | None = None,
    ) -> None:
        """Bring together a home, a task and two agents; see `run_session`."""
        self._sim, self._task, self._limits = sim, task, limits
        self._commander, self._follower = commander, follower
        self._log = Log(watch)
        self._talk = Conversation()
        self._spoken_at: list[int] = []  # log index of the Commander's utterances
        self._steps = self._failures = 0
        self._last: ActionResult | None = None
        self._turn = Role.FOLLOWER
        self._asked = 0  # actions of the Commander in this turn of its
        self._answer: Progress | None = None
        self._start: Snapshot | None = None
        self.end: End | None = None

    @property
    def last(self) -> ActionResult | None:
        """How the Follower's last primitive went, logged or not; None before any."""
        return self._last

    @property
    def turn(self) -> Role:
        """Whose turn it is: the agent that `step` lets act."""
        return self._turn

    def start(self, scene: Scene) -> None:
        """Reset the home to a scene and let both agents begin."""
        self._start = self._sim.reset(scene)
        self._begin()

    def take_up(self, start: Snapshot, log: Sequence[Interaction]) -> None:
        """Go on from where the home stands, after what others did from `start` on.

        The agents begin here: of what was said they hear the last utterance alone,
        if it was said to them.
        """
        self._start = start
        self._log.take_up(log)
        self._talk.take_up(
            Utterance(done.role, done.text, done.time)
            for done in log
            if done.verb is Verb.TEXT
        )
        primitives = [done for done in log if done.verb in _PRIMITIVES]
        ours = [done for done in primitives if done.role is Role.FOLLOWER]
        self._steps = len(ours)
        self._failures = sum(done.success is False for done in ours)
        if log and log[-1].verb is Verb.TEXT and log[-1].role is Role.FOLLOWER:
            self._turn = Role.COMMANDER
        self._begin()

    def step(self) -> None:
        """Let the agent whose turn it is act once; set `end` where that is the end."""
        if self.end is not None:
            return
        if self._turn is Role.COMMANDER:
            self._commander_acts()
        elif stop := self._stopped():
            self.end = stop
        else:
            self._follower_acts()

    def by_hand(self, role: Role, action: Action) -> None:
        """Do something in an agent's place; words hand the turn to the other agent.

        The agent itself is not asked, and goes on afterwards from what it then finds;
        a session that had ended goes on too.
        """
        self.end = None
        if action.verb is Verb.TEXT:
            self._say(role, action)
        elif action.verb is Verb.OPEN_PROGRESS_CHECK:
            self._check()
        elif action.verb in TOOLS:
            self._search(action)
        elif role is Role.COMMANDER:
            self._fly(action)
        else:
            self._act(action)

    def result(self) -> SessionResult:
        """Capture the state, check the task and return what has come of the session.

        A session without an end has been given up.

        Raises:
            UsageError: the session was not started.

        """
        if self._start is None:
            raise UsageError("the session has not begun", fix="call start first")
        final = self._sim.capture()
        progress = self._task.check(final)
        return SessionResult(
            End.SUCCESS if progress.success else self.end or End.GAVE_UP,
            progress,
            self._start,
            final,
            self._log.entries,
            self.decisions(),
            self._failures,
        )

    def decisions(self) -> tuple[Decision, ...]:
        """Return why each of the Commander's utterances so far was made."""
        thoughts = self._commander.decisions
        pairs = zip(self._spoken_at, thoughts, strict=False)
        return tuple(_decision(step, thought) for step, thought in pairs)

    def _begin(self) -> None:
        self._commander.begin(self._sim, self._task)
        self._follower.begin()

    def _stopped(self) -> End | None:
        if self._steps >= self._limits.steps:
            return End.STEP_LIMIT
        if self._failures >= self._limits.failures:
            return End.FAILURE_LIMIT
        if len(self._talk) >= self._limits.words:
            return End.GAVE_UP
        return None

    def _follower_acts(self) -> None:
        action = self._follower.act(self._observe())
        if action.verb is Verb.STOP:
            self.end = End.GAVE_UP  # unless the check at the end says otherwise
        elif action.verb is Verb.TEXT:
            self._say(Role.FOLLOWER, action)
        else:
            self._act(action)

    def _commander_acts(self) -> None:
        """Let the Commander act; its turn is over when it has spoken."""
        view = CommanderView(self._talk.unheard(Role.COMMANDER), self._answer)
        self._answer = None
        self._asked += 1
        action = self._commander.act(view)
        if action.verb is Verb.STOP:
            self.end = End.GAVE_UP
        elif action.verb is Verb.TEXT:
            self._spoken_at.append(len(self._log))
            self._say(Role.COMMANDER, action)
        elif action.verb is Verb.OPEN_PROGRESS_CHECK:
            self._answer = self._check()
        elif action.verb in MOTIONS:
            self._fly(action)
        if self._asked == _ASKED:
            self._hand_over(Role.FOLLOWER)

    def _hand_over(self, role: Role) -> None:
        self._turn, self._asked, self._answer = role, 0, None

    def _observe(self) -> Observation:
        return Observation(
            self._talk.unheard(Role.FOLLOWER),
            self._last,
            lambda: self._sim.frame(Role.FOLLOWER),
            lambda size: self._sim.segments(Role.FOLLOWER, size),
        )

    def _act(self, action: Action) -> None:
        """Carry out a primitive of the Follower's and log it.

        What is no primitive, or lacks its click, is a failed action and not logged:
        TEACh has no form for it.
        """
        known = action.verb in MOTIONS or (
            action.verb in FOLLOWER_VERBS and action.click is not None
        )
        if known:
            result = self._sim.step(Role.FOLLOWER, action)
        else:
            result = ActionResult(False, f"{action.verb} is no action of a Follower")
        self._last = result
        self._steps += 1
        self._failures += not result.success
        if known:
            pose = self._pose() if action.verb in MOTIONS else None
            self._log.acted(action, result, pose)

    def _pose(self) -> LoggedPose:
        return logged_pose(self._sim.snapshot().follower)

    def _fly(self, action: Action) -> None:
        """Move the Commander's camera."""
        self._log.flew(action.verb, self._sim.step(Role.COMMANDER, action))

    def _check(self) -> Progress:
        progress = self._task.check(self._sim.snapshot())
        self._log.checked(progress)
        return progress

    def _search(self, action: Action) -> None:
        """Look for an object by the Commander's words."""
        place = find(self._sim.snapshot(), action.verb, action.text or "")
        self._log.searched(action, place is not None)

    def _say(self, role: Role, action: Action) -> None:
        """Speak; the other agent's turn comes next."""
        self._hand_over(Role(1 - role))
        self._talk.add(self._log.said(role, action.text or ""))


def _decision(step: int, thought: Thought) -> Decision:
    key = thought.problem_key
    return Decision(
        step=step,
        utterance=thought.utterance,
        problem_key=None
        if key is None
        else (key.object_id, key.object_type, key.property_name, key.desired),
        policy=thought.policy,
        skill=thought.skill,
        reason=thought.reason,
        alternatives=thought.alternatives,
        cost=thought.cost,
    )
