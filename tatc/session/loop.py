"""The session loop: a Commander, a Follower and a home, from the start to the end.

The Follower acts until it says something; then the Commander has a turn, in which it may
check the progress and speak.  A Commander that interjects is also asked before each action of the
Follower.  The agents exchange text only.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from tatc.base.errors import UsageError
from tatc.commander import Commander, CommanderView, Decision, InterjectingCommander
from tatc.follower import Follower
from tatc.home import actions, observation, percepts, state
from tatc.home.agent_traits import traits_of
from tatc.session import agent_answers, records, session_types, watched_home
from tatc.sim import object_search, protocol
from tatc.sim.perception import Perception, observed_result
from tatc.tdl import Progress, Task

_MAX_COMMANDER_ACTIONS_PER_TURN = 8  # the utterance included
_TALKING_VERBS = (actions.Verb.TEXT, actions.Verb.OPEN_PROGRESS_CHECK)
_COMMANDER_VERBS = (*_TALKING_VERBS, *object_search.SEARCH_VERBS, *actions.MOTION_VERBS)


class Session:
    """A session that runs action by action.

    Call `start` or `resume_after` first, then `step` until `end` is set; `act_for` acts
    by hand in between, and `result` may be called at any time after the start.
    """

    def __init__(
        self,
        sim: protocol.Simulator,
        task: Task,
        commander: Commander,
        follower: Follower,
        *,
        limits: session_types.SessionLimits = session_types.TATC_LIMITS,
        watch: Callable[[session_types.SessionEvent], None] | None = None,
        perception: percepts.PerceptionLevel | None = None,
    ) -> None:
        """Store a home, a task and two agents, whose traits count; see `run_session`."""
        self._sim, self._task, self._limits = sim, task, limits
        self._home = watched_home.WatchedHome(sim)
        self._commander, self._follower = commander, follower
        self._noting: list[Any] = [a for a in (commander, follower) if traits_of(a).notes]
        self._noted: list[object] = []  # their notes that were looked into last
        self._interjecting = commander if isinstance(commander, InterjectingCommander) else None
        self._commander_task = watched_home.copy_for_agent(task)
        self._decisions_are_broken = False
        self._log = ActionLog(watch)
        self._utterance_indices: list[int] = []  # log index of the Commander's utterances
        self.model_calls: tuple[records.RecordedModelCall, ...] = ()
        self._steps = self._failures = 0
        self.last_result: actions.ActionResult | None = None
        """The result of the Follower's last primitive, logged or not; None before any."""
        self.turn = actions.Role.FOLLOWER  # whose turn it is: the agent that `step` lets act
        self._commander_actions_in_turn = 0
        self._last_progress: Progress | None = None
        self._start: state.Snapshot | None = None
        self._level = perception
        self.perception: Perception | None = None
        self.end: records.SessionEnd | None = None

    @property
    def oracle(self) -> watched_home.OracleView:
        """What the Commander may ask, which shows the home as it is now."""
        return self._home.oracle()

    @property
    def interactions(self) -> tuple[records.Interaction, ...]:
        """What was logged so far."""
        return self._log.entries

    def start(self, scene: state.Scene) -> None:
        """Reset the home to a scene and let both agents begin."""
        self._start = self._sim.reset(scene)
        self._begin_agents()

    def resume_after(self, start: state.Snapshot, log: Sequence[records.Interaction]) -> None:
        """Continue from the home's present state, after what others did from `start` on.

        The agents begin here, with the last utterance alone, if it was addressed to them.
        """
        self._start = start
        self._log.resume_after(log)
        follower = actions.Role.FOLLOWER
        ours = [e for e in log if e.verb in actions.PRIMITIVE_VERBS and e.role is follower]
        self._steps = len(ours)
        self._failures = sum(done.success is False for done in ours)
        if log and log[-1].verb is actions.Verb.TEXT and log[-1].role is follower:
            self.turn = actions.Role.COMMANDER
        self._begin_agents()

    def step(self) -> None:
        """Let the agent whose turn it is act once; set `end` if that ends the session."""
        if self.end is not None:
            return
        if self.turn is actions.Role.COMMANDER:
            self._commander_acts()
        elif stop := self._limits.end_at(self._steps, self._failures, self._log.utterance_count):
            self.end = stop
        else:
            self._let_interject()
            if self.end is None:
                self._follower_acts()

    def observe(self) -> observation.Observation:
        """Return what the Follower receives now; it receives each utterance once."""
        return observation.Observation(
            self._log.take_unheard(actions.Role.FOLLOWER),
            self.last_result and observed_result(self.last_result, self.perception),
            *self._home.senses(self.perception),
        )

    def commander_view(self) -> CommanderView:
        """Let the oracle show the home as it is; return the view, each utterance and check once."""
        self._home.oracle()
        view = CommanderView(self._log.take_unheard(actions.Role.COMMANDER), self._last_progress)
        self._last_progress = None
        return view

    def act_for(self, role: actions.Role, action: actions.Action) -> None:
        """Act in an agent's place; an utterance hands the turn to the other agent.

        The agent is not asked and goes on from there; a session that had ended continues too.
        """
        self.end = None
        self._do(role, action)

    def result(self) -> session_types.SessionResult:
        """Return the result of the session, which counts as given up if it has not ended."""
        if self._start is None:
            raise UsageError("the session has not begun", fix="call start first")
        final = self._sim.capture()
        progress = self._task.check(final)
        end = self.end or records.SessionEnd.GAVE_UP
        return session_types.SessionResult(
            records.SessionEnd.SUCCESS if progress.success else end,
            progress,
            self._start,
            final,
            self._log.entries,
            self.decisions(),
            self._failures,
            agent_options=session_types.agent_options(self._commander, self._follower),
            model_calls=self.model_calls,
        )

    def run(self, scene: state.Scene) -> session_types.SessionResult:
        """Run the session in a home that is reset to the scene, from its start to its end.

        An error of an agent becomes an AgentCrash, and Ctrl-C an Interrupted, whose result has the
        answers that were paid for.
        """
        self.start(scene)
        try:
            while self.end is None:
                self.step()
        except KeyboardInterrupt as key:
            self._note_model_calls()
            raise session_types.Interrupted(self.result()) from key
        return self.result()

    def decisions(self) -> tuple[records.RecordedDecision, ...]:
        """Return why each of the Commander's utterances was made; none after a crash in that."""
        if self._decisions_are_broken:
            return ()
        self._decisions_are_broken = True
        with session_types.crashes_blamed_on(actions.Role.COMMANDER):
            decided = self._commander.decisions
            thoughts = agent_answers.check_decisions(decided, actions.Role.COMMANDER)
        self._decisions_are_broken = False
        pairs = zip(self._utterance_indices, thoughts, strict=False)
        return tuple(recorded_decision(step, decision) for step, decision in pairs)

    def _begin_agents(self) -> None:
        if self._level is not None and self._start is not None:
            side = traits_of(self._follower).view_side_pixels or percepts.VIEW_SIDE_PIXELS
            self.perception = Perception(self._sim, self._level, self._start.follower, side)
        with self._home.asking(actions.Role.COMMANDER):
            self._commander.begin(self._home.oracle(), self._commander_task)
        with self._home.asking(actions.Role.FOLLOWER):
            self._follower.begin()

    def _follower_acts(self) -> None:
        observed = self.observe()
        with self._home.asking(actions.Role.FOLLOWER):
            action = agent_answers.check_action(self._follower.act(observed), actions.Role.FOLLOWER)
        self._note_model_calls()
        if action.verb is actions.Verb.STOP:
            # The check at the end may say otherwise.
            self.end = session_types.end_of_stop(self._follower)
        elif action.verb is actions.Verb.TEXT:
            self._speak(actions.Role.FOLLOWER, action.text)
            if traits_of(self._follower).keeps_turn and self._follower_keeps_turn():
                self._pass_turn(actions.Role.FOLLOWER)
        else:
            self._act(action)

    def _follower_keeps_turn(self) -> bool:
        with self._home.asking(actions.Role.FOLLOWER):
            return getattr(self._follower, "keeps_turn", False) is True

    def _commander_acts(self) -> None:
        """Let the Commander act once; its turn ends when it speaks."""
        view = self.commander_view()
        self._commander_actions_in_turn += 1
        with self._home.asking(actions.Role.COMMANDER):
            action = agent_answers.check_action(self._commander.act(view), actions.Role.COMMANDER)
        self._note_model_calls()
        self._carry_out(action)
        if self._commander_actions_in_turn == _MAX_COMMANDER_ACTIONS_PER_TURN:
            self._pass_turn(actions.Role.FOLLOWER)

    def _let_interject(self) -> None:
        if self._interjecting is None:
            return
        for _ in range(_MAX_COMMANDER_ACTIONS_PER_TURN):
            with self._home.asking(actions.Role.COMMANDER):
                given = self._interjecting.interject()
                role = actions.Role.COMMANDER
                action = None if given is None else agent_answers.check_action(given, role)
            if action is None or self.end is not None:
                return
            self._carry_out(action)

    def _carry_out(self, action: actions.Action) -> None:
        """Do what the Commander chose, unless it is nothing that a Commander can do."""
        if action.verb is actions.Verb.STOP:
            self.end = session_types.end_of_stop(self._commander)
            return
        if action.verb is actions.Verb.TEXT:
            self._utterance_indices.append(len(self._log))
        if action.verb in _COMMANDER_VERBS:
            self._do(actions.Role.COMMANDER, action)
        if action.verb is actions.Verb.OPEN_PROGRESS_CHECK:
            # Of the Commander's own copies: a progress check holds what it looked at.
            self._last_progress = self._commander_task.check(self.oracle.snapshot())

    def _do(self, role: actions.Role, action: actions.Action) -> None:
        log = self._log
        if action.verb is actions.Verb.TEXT:
            self._speak(role, action.text)
        elif action.verb is actions.Verb.OPEN_PROGRESS_CHECK:
            progress = self._task.check(self._sim.snapshot())
            log.add(actions.Role.COMMANDER, action.verb, progress.success, progress=progress)
        elif action.verb in object_search.SEARCH_VERBS:
            text = action.text or ""
            found = object_search.find_object(self._sim.snapshot(), action.verb, text)
            log.add(actions.Role.COMMANDER, action.verb, found is not None or None, text=text)
        elif role is actions.Role.COMMANDER:
            result, pose = self._sim.step(role, action), records.COMMANDER_POSE
            log.add(role, action.verb, result.success, result=result, pose=pose)
        else:
            self._act(action)

    def _note_model_calls(self) -> None:
        if not self._noting:
            return
        with session_types.crashes_blamed_on():
            given = [agent.notes for agent in self._noting]
            is_known, self._noted = given == self._noted, given
        if not is_known:
            notes, earlier = [*map(session_types.notes_of, self._noting)], self.model_calls
            self.model_calls += session_types.new_model_calls(notes, earlier, len(self._log))

    def _pass_turn(self, role: actions.Role) -> None:
        self.turn, self._commander_actions_in_turn, self._last_progress = role, 0, None

    def _act(self, action: actions.Action) -> None:
        """Carry out a primitive and log it; what TEACh's format has no place for fails unlogged."""
        known = action.verb in actions.MOTION_VERBS or (
            action.verb in actions.FOLLOWER_VERBS and action.click is not None
        )
        if known:
            result = self._sim.step(actions.Role.FOLLOWER, action)
        else:
            result = actions.ActionResult(False, f"{action.verb} is no action of a Follower")
        self.last_result = result
        self._steps += 1
        self._failures += not result.success
        if known:
            is_motion = action.verb in actions.MOTION_VERBS
            self._log.add(
                actions.Role.FOLLOWER,
                action.verb,
                result.success,
                result=result,
                pose=records.logged_pose(self._sim.snapshot().follower) if is_motion else None,
                click=action.click,
                object_id=result.object_id if action.click else None,
            )

    def _speak(self, role: actions.Role, text: str | None) -> None:
        self._pass_turn(actions.Role(1 - role))
        self._log.add(role, actions.Verb.TEXT, True, text=text or "")


def run_session(
    sim: protocol.Simulator,
    scene: state.Scene,
    task: Task,
    commander: Commander,
    follower: Follower,
    *,
    limits: session_types.SessionLimits = session_types.TATC_LIMITS,
    watch: Callable[[session_types.SessionEvent], None] | None = None,
    perception: percepts.PerceptionLevel | None = None,
) -> session_types.SessionResult:
    """Run one session in a home, which is reset to the scene, from its start to its end.

    Only the Commander knows the task; it may ask for the home's state but cannot act.  Without
    `perception` the Follower has only words and images.  `watch` is called with every logged action
    as it happens.  An error of an agent becomes an AgentCrash, Ctrl-C an Interrupted.
    """
    agents = commander, follower
    return Session(sim, task, *agents, limits=limits, watch=watch, perception=perception).run(scene)


def recorded_decision(step: int, decision: Decision) -> records.RecordedDecision:
    """Return a decision with the step of the session at which it was spoken."""
    values = {field.name: getattr(decision, field.name) for field in fields(decision)}
    if key := decision.problem_key:
        values["problem_key"] = (key.object_id, key.object_type, key.property_name, key.desired)
    return records.RecordedDecision(step=step, **values)


SECONDS_PER_ACTION = 0.1
"""The simulated duration of a logged action in seconds: the same session gives the same record."""


class ActionLog:
    """The logged actions in order, in TEACh's form; a watcher is called with each as it happens.

    Each agent is given the utterances of the other once.
    """

    def __init__(self, watch: Callable[[session_types.SessionEvent], None] | None = None) -> None:
        """Begin empty, at 0 s."""
        self._entries: list[records.Interaction] = []
        self._watch = watch
        self._given_counts = dict.fromkeys(actions.Role, 0)  # of entries
        self.utterance_count = 0

    def __len__(self) -> int:
        """Return how many actions are logged."""
        return len(self._entries)

    @property
    def entries(self) -> tuple[records.Interaction, ...]:
        """The actions logged so far."""
        return tuple(self._entries)

    def resume_after(self, entries: Sequence[records.Interaction]) -> None:
        """Continue after entries, unwatched; of what was said in them, only the last is given."""
        self._entries.extend(entries)
        spoken = [i for i, done in enumerate(entries) if done.verb is actions.Verb.TEXT]
        self.utterance_count = len(spoken)
        self._given_counts = dict.fromkeys(actions.Role, spoken[-1] if spoken else 0)

    def add(
        self,
        role: actions.Role,
        verb: actions.Verb,
        success: bool | None,
        *,
        result: actions.ActionResult | None = None,
        progress: Progress | None = None,
        **parts: Any,
    ) -> None:
        """Log an action, with the parts that an `Interaction` of this verb has."""
        before = self._entries[-1].time if self._entries else 0.0
        time = round(before + SECONDS_PER_ACTION, 1)
        done = records.Interaction(role, verb, time, success, **parts)
        self._entries.append(done)
        self.utterance_count += verb is actions.Verb.TEXT
        if self._watch is not None:
            self._watch(session_types.SessionEvent(done, result, progress))

    def take_unheard(self, role: actions.Role) -> tuple[actions.Utterance, ...]:
        """Return what the other agent has said since the last call for this one."""
        new = self._entries[self._given_counts[role] :]
        self._given_counts[role] = len(self._entries)
        return tuple(
            actions.Utterance(done.role, done.text, done.time)
            for done in new
            if done.verb is actions.Verb.TEXT and done.role is not role
        )
