"""The listening Follower: it understands, looks, plans on what it has seen, acts, and checks."""

from collections import deque
from collections.abc import Sequence
from enum import StrEnum

from tatc.actions import Action, Utterance, Verb
from tatc.commander.recovery import SpokenStep
from tatc.commander.refusal_memory import RefusalMemory
from tatc.follower import FrameSource, HistoryEvent, PastAction, ViewSource
from tatc.language import FailureReport
from tatc.listener.aiming import aimed_click
from tatc.listener.expected_effects import expect_effects
from tatc.listener.exploration import Explorer
from tatc.listener.heard_dialogue import HeardDialogue
from tatc.listener.inner_voice import InnerVoice
from tatc.listener.needs import missing_types, types_wanted_all
from tatc.listener.semantic_map import SemanticMap
from tatc.observation import Observation, ObservedResult
from tatc.percepts import PerceptionLevel
from tatc.refusals import RefusalCode
from tatc.tdl import Task

DEFAULT_QUESTIONS = 3
"""Times that the Follower speaks in a session, at most."""
DONE_WORDS = "I think that is done. Is anything missing?"
"""What the Follower says when it takes its goal for done."""
FAILED_WORDS = "I could not do all of it. Where should I look?"
"""What the Follower says when nothing is left to try."""
MAX_DECISIONS = 300
"""Stretches and looks of one goal, at most."""


class ListenerEnd(StrEnum):
    """Why the Follower stopped."""

    NO_GOAL = "no goal was understood"
    NO_PERCEPTS = "the session gives no percepts"
    DONE = "the goal is done, as far as seen"
    NOTHING_LEFT = "nothing is left to try"
    BUDGET = "the budget of decisions is spent"


class ListenerFollower:
    """A Follower that does what it was told in free words, from what it has seen."""

    perceives = True
    """It needs a session that gives percepts, and the views of a history."""

    def __init__(self, questions: int = DEFAULT_QUESTIONS) -> None:
        """Make a Follower that asks and reports at most `questions` times a session."""
        self._questions = questions
        self._given_goal: Task | None = None
        self.begin()

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self.belief = SemanticMap()
        self.explorer = Explorer(self.belief)
        self.end: ListenerEnd | None = None
        self.log: list[str] = []
        self._voice: InnerVoice | None = None
        self._memory: RefusalMemory | None = None
        self._queue: deque[SpokenStep] = deque()
        self._current: SpokenStep | None = None
        self._is_exploring = False
        self._failure: FailureReport | None = None
        self._decisions = 0
        self._needs_were_met = True
        self._goal = self._given_goal
        self._dialogue = HeardDialogue()
        self._questions_left = self._questions
        self._has_reported = False

    def begin_after(
        self, events: Sequence[HistoryEvent], frames: FrameSource, views: ViewSource
    ) -> None:
        """Begin in the middle of a session: hear what was said, see what was done."""
        self._dialogue.hear(each for each in events if isinstance(each, Utterance))
        past = [each for each in events if isinstance(each, PastAction)]
        for done, view in zip(past, views() if past else (), strict=False):
            self.belief.see(view)
            self.explorer.note_view()
            object_id = self.belief.id_of_number(done.number)
            if object_id is not None:
                expect_effects(self.belief, done.verb, object_id, None)
        self._take_understood_goal(newest=bool(past))

    def take_goal(self, goal: Task) -> None:
        """Take a goal as given, whatever is said: for evaluation with the true goal."""
        self._given_goal = self._goal = goal

    def act(self, observation: Observation) -> Action:
        """Return the next primitive, a Text to the Commander, or Stop."""
        view = None if observation.percepts is None else observation.percepts()
        if view is None:
            return self._stop(ListenerEnd.NO_PERCEPTS)
        self._take_result(observation.last_result)
        self.belief.see(view)
        self.explorer.note_view()
        if self._dialogue.hear(observation.utterances):
            self._take_words()
        elif self._has_reported:
            return self._stop(self.end or ListenerEnd.DONE)
        if self._goal is None:
            return self._say(self._dialogue.open_question(), ListenerEnd.NO_GOAL)
        if self._queue and self._is_exploring and self._found_what_was_missing():
            self._queue.clear()
        while not self._queue:
            if (stop := self._decide(self._goal)) is not None:
                return self._report(stop)
        self._current = self._queue.popleft()
        return self._aimed(self._current)

    def _aimed(self, step: SpokenStep) -> Action:
        """Return a step's action; where boxes are only guessed, it clicks on what is seen."""
        action, belief = step.step.action, self.belief
        view, points = belief.view, belief.points
        if view is None or points is None or view.level is PerceptionLevel.TRUTH:
            return action
        if action.click is None or step.action_key is None:
            return action
        click = aimed_click(view, points, step.action_key[1], action.verb, action.click)
        return Action(action.verb, click)

    def _take_words(self) -> None:
        """Understand anew; words after a report that only close the session end it."""
        before = self._goal
        self._take_understood_goal(newest=False)
        if self._goal is not before:
            self._queue.clear()
            self._voice = None
        if self._has_reported and not self._dialogue.closes:
            self._has_reported = False
            self.end = None
            self.explorer.start_over()

    def _take_understood_goal(self, *, newest: bool) -> None:
        """Take the goal that the words mean, unless one was given.

        With `newest` it is what the newest words ask for, if they ask for anything by themselves:
        who takes over a session stops after its newest instruction.
        """
        if self._given_goal is None:
            asked = self._dialogue.newest_task if newest else None
            self._goal = asked or self._dialogue.task
            self.explorer.hints = self._dialogue.hints

    def _report(self, why: ListenerEnd) -> Action:
        words = DONE_WORDS if why is ListenerEnd.DONE else FAILED_WORDS
        return self._say(words, why)

    def _say(self, text: str, why: ListenerEnd) -> Action:
        """Speak, if the budget allows it and nobody was told already; else stop."""
        if self._has_reported or not self._questions_left:
            return self._stop(why)
        self._questions_left -= 1
        self._has_reported = True
        self.end = why
        self._dialogue.say(text)
        return Action(Verb.TEXT, text=text)

    def _stop(self, why: ListenerEnd) -> Action:
        self.end = why
        return Action(Verb.STOP)

    def _take_result(self, result: ObservedResult | None) -> None:
        """Learn from how the last step went."""
        done, self._current = self._current, None
        if done is None or result is None:
            return
        if not result.success:
            self._queue.clear()
            self._take_failure(done, result)
        elif done.action_key is not None:
            expect_effects(self.belief, done.step.verb, done.action_key[1], done.clicked_point)

    def _take_failure(self, done: SpokenStep, result: ObservedResult) -> None:
        code = result.refusal_code or RefusalCode.UNKNOWN
        report = FailureReport(done.step, code.value)
        self.log.append(f"failed: {done.step} {done.action_key} {report.reason}")
        if self._is_exploring and self._voice is not None:
            self._voice.learn(report)
        else:
            self._failure = report

    def _found_what_was_missing(self) -> bool:
        """Return whether a search can end, because what was missing has come into view."""
        assert self._goal is not None
        if self._needs_were_met:
            return False
        now = self.belief.snapshot()
        return not missing_types(self._goal, self._goal.check(now), now)

    def _decide(self, goal: Task) -> ListenerEnd | None:
        """Queue the next steps; return why there are none."""
        self._decisions += 1
        if self._decisions > MAX_DECISIONS:
            return ListenerEnd.BUDGET
        voice = self._inner_voice(goal)
        now = self.belief.snapshot()
        progress = goal.check(now)
        wanted = missing_types(goal, progress, now)
        self._needs_were_met = not wanted
        if progress.success:
            return self._verify(goal, voice)
        if wanted and self._explore(voice, wanted):
            return None
        failure, self._failure = self._failure, None
        if steps := voice.next_stretch(failure, thorough=False):
            return self._start(steps, exploring=False)
        if not wanted and (steps := voice.next_stretch(None, thorough=True)):
            return self._start(steps, exploring=False)
        if self._explore(voice, wanted or types_wanted_all(goal)):
            return None
        if steps := voice.next_stretch(None, thorough=True):
            return self._start(steps, exploring=False)
        self.log.append(f"gave up: {voice.decisions[-1].reason}")
        return ListenerEnd.NOTHING_LEFT

    def _verify(self, goal: Task, voice: InnerVoice) -> ListenerEnd | None:
        """Look for what an "all" may have missed; the goal is done where nothing is left."""
        everything = types_wanted_all(goal)
        if everything and self._explore(voice, everything):
            return None
        return ListenerEnd.DONE

    def _explore(self, voice: InnerVoice, wanted: frozenset[str]) -> bool:
        steps = self.explorer.next_steps(voice, wanted)
        if steps:
            self._start(steps, exploring=True)
        return bool(steps)

    def _start(self, steps: tuple[SpokenStep, ...], *, exploring: bool) -> None:
        """Queue the steps of a stretch, or of a look."""
        self._queue.extend(steps)
        self._is_exploring = exploring
        kind = "explore" if exploring else "stretch"
        self.log.append(
            f"{kind}: {[str(s.step.verb) + ' ' + (s.step.object_type or '') for s in steps]}"
        )

    def _inner_voice(self, goal: Task) -> InnerVoice:
        if self._voice is None:
            memory = self._memory
            self._voice = InnerVoice()
            self._voice.start(self.belief, goal, memory)
            self._memory = self._voice.knowledge.memory
        return self._voice
