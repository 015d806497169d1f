"""The listening Follower: it understands, looks, plans on what it has seen, acts, and checks."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from tatc.base.errors import UnknownName
from tatc.commander import knowledge, rule_commander, rule_planner
from tatc.commander.plan_builder import PlannedStep, PlannedSteps
from tatc.follower import FrameSource, HistoryEvent, PastAction, ViewSource
from tatc.follower.listener import (
    conversation,
    expected_effects,
    exploration,
    heard_dialogue,
    internal_planner,
    semantic_map,
)
from tatc.follower.listener.aimed_clicks import aimed_action
from tatc.follower.listener.belief import Belief, GoalSource
from tatc.home import actions, agent_traits, refusals
from tatc.home.observation import Observation, ObservedResult
from tatc.language import Wording, say
from tatc.language.conversation import act_classifier, orders
from tatc.language.conversation.agenda import TASK
from tatc.language.understanding import Goal, GoalContent, understand
from tatc.language.understanding.understand import DialogueReader
from tatc.tdl import FREE_PLAY, Task
from tatc.tdl.properties import is_of_type_or_class, object_classes_of

TASK_TALK, PERSON_TALK = TALKS = "task", "person"
"""How a listener talks: it reads a dialogue about one task, or converses with a person."""
DEFAULT_QUESTIONS = 3  # times that the Follower speaks in a session, at most
MAX_DECISIONS = 300  # stretches and looks of one goal, at most
_NOTHING_LEFT = heard_dialogue.ListenerEnd.NOTHING_LEFT


class ListenerFollower:
    """A Follower that does what it was told in free words, from what it has seen."""

    traits = agent_traits.AgentTraits(
        perceives=True,
        reads=True,
        recalls_names=True,
        settings=("questions", "talk"),
        keeps_turn=True,
        believes=True,
        tells_goal=True,
        takes_goal=True,
    )

    def __init__(
        self,
        questions: int = DEFAULT_QUESTIONS,
        read: DialogueReader = understand,
        talk: str = TASK_TALK,
    ) -> None:
        """Make a Follower that speaks at most `questions` times; `read` says what words mean.

        With `PERSON_TALK` it talks with a person: it answers, obeys single orders, and never quits.
        """
        UnknownName.check("talk", talk, TALKS)
        self._questions, self._read, self._talk = questions, read, talk
        self._goal = heard_dialogue.GoalChoice()
        self.begin()

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self.belief = semantic_map.SemanticMap()
        self.explorer = exploration.Explorer(self.belief)
        self.end: heard_dialogue.ListenerEnd | None = None
        self._stretches = list[str]()
        self._planner: internal_planner.InternalPlanner | None = None
        self._memory: knowledge.RefusalMemory | None = None
        self._queue, self._decisions = deque[PlannedStep](), 0
        self._current: PlannedStep | None = None
        self._failure: actions.FailureReport | None = None
        self._is_exploring = self._has_reported = False
        self._touched = list[str]()  # what its actions met since the order began
        self._missing, self._questions_left = frozenset[str](), self._questions
        self._goal.begin()
        self._dialogue = heard_dialogue.HeardDialogue(self._read)
        is_free = self._talk == PERSON_TALK
        self.person = conversation.Conversation(self.belief) if is_free else None
        if is_free:
            act_classifier.learn_meanwhile()
        self._order: orders.Order | None = None

    def begin_after(
        self, events: Sequence[HistoryEvent], frames: FrameSource, views: ViewSource
    ) -> None:
        """Begin in the middle of a session: hear what was said, see what was done."""
        self._dialogue.is_answered = False
        self._dialogue.hear(each for each in events if isinstance(each, actions.Utterance))
        if past := [each for each in events if isinstance(each, PastAction)]:
            expected_effects.see_past(self.belief, self.explorer, past, views())
        self._take_understood_goal(newest=bool(past))

    def take_goal(self, goal: Task) -> None:
        """Take a goal as given, whatever is said: for evaluation with the true goal."""
        self._goal.give(goal)

    def set_goal(self, goal: Goal) -> None:
        """Do this goal for the rest of the session, whatever was said and will be."""
        self._goal.edit(goal)
        self._drop_plan()
        self._look_anew()

    def current_belief(self) -> Belief:
        """Return what the Follower believes since it acted last."""
        return Belief(
            self.belief.snapshot(),
            self.belief.floor.seen_cells(),
            self.belief.view_count,
            self._goal.believed(self._dialogue),
            self._dialogue.open_questions,
            self._dialogue.hints,
            self._dialogue.own_words,
            None if self.converses else self._questions_left,
            tuple(self._stretches),
            tuple(each.step for each in (self._current, *self._queue) if each is not None),
            "" if self.end is None else self.end.value,
        )

    def goal_words(self) -> tuple[str, ...]:
        """Return the goal as it was understood, a line for each part; empty if there is none."""
        return self._dialogue.goal_words if self.person is None else self.person.agenda.told_all

    def belief_words(self) -> str:
        """Return what it believes and wants in one line for a person, "" for nobody."""
        return "" if self.person is None else self.person.belief_words()

    @property
    def converses(self) -> bool:
        """Whether it talks with a person, and says itself what it has understood."""
        return self.person is not None

    @property
    def keeps_turn(self) -> bool:
        """Whether it goes on by itself after what it has just said."""
        return self.person is not None and self.person.goes_on

    @property
    def heard(self) -> heard_dialogue.HeardDialogue:
        """What it has heard and said since `begin`."""
        return self._dialogue

    def act(self, observation: Observation) -> actions.Action:
        """Return the next primitive, a Text to the Commander, or Stop."""
        if observation.percepts is None or (view := observation.percepts()) is None:
            return self._stop(heard_dialogue.ListenerEnd.NO_PERCEPTS)
        done = self._take_result(observation.last_result)
        self.belief.see(view)
        expected_effects.expect_running(self.belief)
        if done is not None and expected_effects.notice_miss(self.belief, done.action_key):
            self._take_failure(done, refusals.RefusalCode.NO_FREE_POSITION)
        self.explorer.note_view()
        if self.person is not None:
            return self._act_for(self.person, observation.utterances)
        if self._dialogue.hear(observation.utterances):
            self._take_words()
        elif self._has_reported:
            return self._stop(self.end or heard_dialogue.ListenerEnd.DONE)
        if self._goal.task is None:
            question = next(iter(self._dialogue.open_questions), "What should I do?")
            return self._say(question, heard_dialogue.ListenerEnd.NO_GOAL)
        if (question := self._ask_about_goal()) is not None:
            return question
        if self._queue and self._is_exploring and self._found_what_was_missing():
            self._queue.clear()
        found = self._next_action(self._goal.task)
        if isinstance(found, actions.Action):
            return found
        lost = heard_dialogue.lost_words(self._missing) or heard_dialogue.FAILED_WORDS
        is_done = found is heard_dialogue.ListenerEnd.DONE
        return self._say(heard_dialogue.DONE_WORDS if is_done else lost, found)

    def _next_action(self, goal: Task) -> actions.Action | heard_dialogue.ListenerEnd:
        """Return the next step that can be done, planning where none is left, or why none is."""
        while True:
            while not self._queue:
                if (stop := self._decide(goal)) is not None:
                    return stop
                if self.person is None:
                    goal = self._goal.task or goal  # which a home that was seen may change
            step = self._queue.popleft()
            if (action := aimed_action(self.belief, step)) is not None:
                if action.click and action.verb is actions.Verb.PLACE and self.belief.is_guessed:
                    step = replace(step, clicked_point=self.belief.point_at(action.click))
                self._current = step
                return action
            self._take_failure(step, refusals.RefusalCode.NOT_VISIBLE)

    def _take_words(self) -> None:
        """Understand anew; words after a report that only close the session end it."""
        before = self._goal.task
        self._take_understood_goal(newest=False)
        goes_on = self._has_reported and not self._dialogue.closes
        if goes_on:
            now = self.belief.snapshot()
            self._goal.take_further(self._dialogue, lambda task: task.check(now).success)
        if self._goal.task is not before:
            self._drop_plan()
        if goes_on:
            self._look_anew()

    def _drop_plan(self) -> None:
        self._queue.clear()
        self._planner = None

    def _look_anew(self) -> None:
        """Go on after a report: something is missing after all."""
        self._has_reported, self.end = False, None
        self.explorer.start_over()

    def _take_understood_goal(self, *, newest: bool) -> None:
        """Take goal and hints from the words; `newest` as in `GoalChoice.take_from`."""
        self._goal.take_from(self._dialogue, newest=newest)
        if not self._goal.is_fixed:
            self.explorer.hints = self._dialogue.hints

    def _ask_about_goal(self) -> actions.Action | None:
        """Ask what was left open of the goal; without an answer, the Follower goes on."""
        question = self._dialogue.next_question(self._questions_left)
        if question is None or self._goal.is_fixed:
            return None
        self._questions_left -= 1
        self._dialogue.say(question)
        return actions.Action(actions.Verb.TEXT, text=question)

    def _say(self, text: str, why: heard_dialogue.ListenerEnd) -> actions.Action:
        """Speak, if the budget allows it and nobody was told already; else stop."""
        is_free = not self._dialogue.has_heard  # to ask for the task
        if self._has_reported or not (self._questions_left or is_free):
            return self._stop(why)
        self._questions_left -= not is_free
        self._has_reported = True
        self.end = why
        self._dialogue.say(text)
        return actions.Action(actions.Verb.TEXT, text=text)

    def _stop(self, why: heard_dialogue.ListenerEnd) -> actions.Action:
        self.end = why
        return actions.Action(actions.Verb.STOP)

    def _take_result(self, result: ObservedResult | None) -> PlannedStep | None:
        """Learn from how the last step went; return it if it has succeeded."""
        done, self._current = self._current, None
        if done is None or result is None:
            return None
        key, verb = done.action_key, done.step.verb
        if not result.success:
            code = result.refusal_code or refusals.RefusalCode.UNKNOWN
            if self.belief.is_guessed and key is not None:
                expected_effects.learn_from_refusal(self.belief, verb, key[1], code)
            self._take_failure(done, code)
            return None
        if key is not None:
            self._touched.append(key[1])
            effect = verb, result.number, key[1], done.clicked_point
            if not expected_effects.expect_effects_met(self.belief, *effect):
                self._take_failure(done, refusals.RefusalCode.NO_FITTING_TARGET)
        return done

    def _take_failure(self, done: PlannedStep, code: refusals.RefusalCode) -> None:
        """Drop the plan, and keep for the next why a step of it failed or cannot be done."""
        self._queue.clear()
        report = actions.FailureReport(done.step, code.value)
        if self._is_exploring and self._planner is not None:
            self._planner.learn(report)
        else:
            self._failure = report

    def _found_what_was_missing(self) -> bool:
        """Return whether a search can end, because what was missing has come into view."""
        goal, now = self._goal.task, self.belief.snapshot()
        if goal is None or not self._missing:
            return False
        return not internal_planner.missing_types(goal, goal.check(now), now)

    def _decide(self, goal: Task) -> heard_dialogue.ListenerEnd | None:
        """Queue the next steps; return why there are none."""
        self._decisions += 1
        if self._decisions > MAX_DECISIONS:
            return heard_dialogue.ListenerEnd.BUDGET
        if self._planner is None:
            self._planner = internal_planner.InternalPlanner(self.belief, goal, self._memory)
            self._memory = self._planner.knowledge.memory
        planner = self._planner
        now = self.belief.snapshot()
        progress = goal.check(now)
        self._missing = wanted = internal_planner.missing_types(goal, progress, now)
        everything = internal_planner.types_wanted_all(goal)
        if furniture := self._furniture_in(wanted):  # which is soon seen, or not there
            self._missing = furniture
            return None if self._explore(planner, furniture) else _NOTHING_LEFT
        if progress.success:
            return self._verify(planner, everything)
        if wanted and self._explore(planner, wanted):
            return None
        failure, self._failure = self._failure, None
        if self._begin(planner.next_stretch(failure, thorough=False)):
            return None
        if not wanted and (
            self._begin(planner.next_stretch(None, thorough=True))
            or (self.person is None and expected_effects.take_for_clean(self.belief, progress))
        ):
            return None
        if self._explore(planner, wanted or everything) or self._begin(
            planner.next_stretch(None, thorough=True)
        ):
            return None
        if not self._goal.take_in_home(self._dialogue, self.belief.objects):
            return _NOTHING_LEFT
        self._drop_plan()
        self._look_anew()
        return None

    def _verify(
        self, planner: internal_planner.InternalPlanner, everything: frozenset[str]
    ) -> heard_dialogue.ListenerEnd | None:
        """Look for what an "all" may have missed, and empty the hand; then the goal is done."""
        if everything and self._explore(planner, everything):
            return None
        kept = self.person is not None and self._order is not TASK
        if kept and self._order is not None and self._order.skill != orders.PUT_DOWN:
            return heard_dialogue.ListenerEnd.DONE  # what it holds was not asked to be put down
        if steps := planner.steps_to_put_down(self._failure):
            return self._start(steps, heard_dialogue.PUT_DOWN_WORDS)
        return heard_dialogue.ListenerEnd.DONE

    def _furniture_in(self, wanted: frozenset[str]) -> frozenset[str]:
        """Return what furniture a single order lacks."""
        is_single = self._order is not None and self._order is not TASK
        found = (each for each in wanted if "Furniture" in object_classes_of(each))
        return frozenset(found if is_single else ())

    def _explore(self, planner: internal_planner.InternalPlanner, wanted: frozenset[str]) -> bool:
        is_fixed = self._order not in (None, TASK) and not (wanted or self._order.is_carried)
        on_floor = is_fixed or bool(self._furniture_in(wanted))
        if steps := self.explorer.next_steps(planner, wanted, on_floor=on_floor):
            self._start(steps, heard_dialogue.search_words(wanted), exploring=True)
        return bool(steps)

    def _begin(self, found: rule_planner.PlannedStretch | rule_planner.NoStretch) -> bool:
        if isinstance(found, rule_planner.NoStretch):
            return False
        self._start(found.steps, say(rule_commander.word_stretch(Wording.GOALS, found)))
        return True

    def _start(self, steps: PlannedSteps, words: str, *, exploring: bool = False) -> None:
        self._queue.extend(steps)
        self._is_exploring = exploring
        self._stretches.append(words)
        if self.person is not None:
            self.person.note_stretch(self._missing if exploring else frozenset())

    # With a person

    def _act_for(
        self, person: conversation.Conversation, utterances: Sequence[actions.Utterance]
    ) -> actions.Action:
        """Return the next primitive or answer while a person commands."""
        self.hear_person(person, utterances)
        ruled_out = () if self._memory is None else self._memory.ruled_out
        if person.order is not None and any(e[1] == person.order.only for e in ruled_out):
            person.note_failure()
        person.note_seen(self._order)
        if person.order is not None and person.order is not self._order:
            self._begin_order(person, person.order)
        while True:
            if (reply := person.take_reply()) is not None:
                self._dialogue.say(reply)
                return actions.Action(actions.Verb.TEXT, text=reply)
            if person.ends:
                return self._stop(heard_dialogue.ListenerEnd.GOODBYE)
            if (order := person.order) is None:
                person.prompt()
            elif (action := self._carry_out(person, order)) is not None:
                return action

    def hear_person(
        self, person: conversation.Conversation, utterances: Sequence[actions.Utterance]
    ) -> None:
        """Take in what a person says; the answers wait for the Follower's turn."""
        for each in utterances:
            if each.speaker is actions.Role.COMMANDER and (rest := person.hear(each.text)):
                self._hear_task(person, replace(each, text=rest))

    def _hear_task(self, person: conversation.Conversation, utterance: actions.Utterance) -> None:
        """Read words that are no order as a dialogue about a task."""
        if person.forgets_task or (person.has_done_task and self._dialogue.begins_anew(utterance)):
            self._dialogue, person.forgets_task = heard_dialogue.HeardDialogue(self._read), False
        before, hints = self._dialogue.goal_words, self._dialogue.hints
        self._dialogue.hear([utterance])
        self.explorer.hints = self._dialogue.hints
        words, is_hint = self._dialogue.goal_words, self._dialogue.hints != hints
        person.hear_task(utterance.text, words, is_news=words != before, is_hint=is_hint)
        if words != before:
            self._order = None
            if (question := self._dialogue.next_question(self._questions)) is not None:
                person.ask(question)

    def _carry_out(
        self, person: conversation.Conversation, order: orders.Order
    ) -> actions.Action | None:
        """Return the next primitive for an order; None once the person was told how it went."""
        if order is not self._order:
            self._begin_order(person, order)
        goal = self._goal.task
        assert goal is not None
        found = self._next_action(internal_planner.without_tools(goal))
        if isinstance(found, actions.Action):
            return found
        if found is heard_dialogue.ListenerEnd.DONE:
            if order.skill == orders.GO_TO and self._goes_on_to(order.thing):
                return self._carry_out(person, order)
            if order.skill == orders.GO_TO and not self._is_near(order.thing):
                person.fail(frozenset(), "I find no way to get closer")
            else:
                person.finish(self._touched)
        elif found is not _NOTHING_LEFT or not person.note_failure():
            is_far = found is _NOTHING_LEFT and not self._missing and self._is_far(order.used_thing)
            person.fail(self._missing, "I cannot reach it" if is_far else found.value)
            self.explorer.start_over()
        self._order = None
        return None

    def _begin_order(self, person: conversation.Conversation, order: orders.Order) -> None:
        self._order, self._decisions = order, 0
        self._touched = []
        self._goal.begin()
        if order is TASK:
            self._goal.task = self._dialogue.task
        else:
            goal = order.goal or Goal(GoalContent(), FREE_PLAY, None)
            self._goal.edit(goal, GoalSource.ORDERED)
        self._failure, self._missing = None, frozenset[str]()
        self._drop_plan()

    def _is_far(self, kind: str) -> bool:
        """Whether objects of a type or class are known, none is held and none can be reached."""
        known = [each for each in self.belief.objects if is_of_type_or_class(each, kind)]
        if self._planner is None or not known or any(each.isPickedUp for each in known):
            return False
        return self._planner.steps_to_be_near(kind) is None

    def _is_near(self, kind: str) -> bool:
        steps = None if self._planner is None else self._planner.steps_to_be_near(kind)
        return steps is not None and not steps

    def _goes_on_to(self, kind: str) -> bool:
        """Queue the way to what an order names, or how to find one; False if none is left."""
        self._decisions += 1
        if self._planner is None or self._decisions > MAX_DECISIONS:
            return False
        steps = self._planner.steps_to_be_near(kind)
        if steps is None:
            return self._explore(self._planner, frozenset((kind,)))
        self._queue.extend(steps)
        return bool(steps)
