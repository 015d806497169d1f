"""Lessons of recorded games, for a Follower that does what people did."""

from pathlib import Path

from tatc.apps.training.samples import NO_LABEL, LabelledDecision, LessonUtterance
from tatc.evaluation.instances.source_games import SPEECH_VERBS, RecordedReplay
from tatc.follower import HistoryEvent, PastAction
from tatc.follower.learned.pointing import decision, network, people_follower
from tatc.follower.learned.pointing.instance_memory import Instance
from tatc.follower.learned.pointing.pointing_follower import VIEW_SIDE_PIXELS
from tatc.home.actions import INTERACTION_VERBS, Role, Utterance
from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session.records import Interaction, read_game
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.perception import Perception
from tatc.tdl import edh, load_library


def lessons_of_game(path: Path, type_ids: dict[str, int]) -> tuple[LessonUtterance, ...]:
    """Return the lessons of a recorded game, up to the first object that our world lacks.

    The game is replayed as TEACh's replay does it: successful actions, on the recorded objects.
    The text of a lesson is the history until something was said (`history_text`).  Where something
    was done since, the last decision before the next words is to say something, that is, "done".
    """
    game = read_game(path)
    sim = EmbeddedSimulator()
    body = sim.reset(start_from_game(path, load_library([]), None, (), 1).scene).follower
    sight = Perception(sim, PerceptionLevel.MASKS, body, VIEW_SIDE_PIXELS)
    replay, course = RecordedReplay(sim), _Course(sight, type_ids)
    for each in game.interactions:
        if each.verb in SPEECH_VERBS:
            course.hear(Utterance(each.role, each.text, each.time))
        elif each.role is Role.FOLLOWER and each.success and each.verb in decision.VERB_IDS:
            course.act(each)
        replay.apply(each)
        if replay.missing_objects:
            break
    else:
        course.end_utterance()
    return tuple(course.utterances)


class _Course:
    """The decisions of a game while it is replayed."""

    def __init__(self, sight: Perception, type_ids: dict[str, int]) -> None:
        self._sight, self._memory = sight, decision.SessionMemory(type_ids)
        self._events: list[HistoryEvent] = []
        self._text = ""
        self._has_acted = False  # whether an interaction was done since the last utterance
        self._decisions: list[LabelledDecision] = []
        self._walk: list[tuple[decision.Decision, int, list[Instance]]] = []
        self.utterances: list[LessonUtterance] = []

    def hear(self, said: Utterance) -> None:
        self.end_utterance()
        self._events.append(said)
        self._text = people_follower.history_text(self._events, self._memory.held_type)
        self._memory.begin_utterance(self._text)

    def act(self, done: Interaction) -> None:
        view = self._sight.view()
        assert view is not None
        verb, memory = decision.VERB_IDS[done.verb], self._memory
        seen = memory.look(view)
        if done.verb not in INTERACTION_VERBS:
            self._walk.append((seen, verb, memory.ordered))
            memory.take_past(done.verb)
        elif done.object_id is not None and done.click is not None:
            kind = edh.type_of_object_id(done.object_id)
            met = memory.instances.clicked(kind, done.click)
            self._end_walk(met)
            place = memory.ordered.index(met) if met in memory.ordered else seen.in_view
            if met is not None and place < seen.in_view:
                target = network.FIRST_INSTANCE + place
                cell, crop = memory.instances.cell_of(met, done.click), memory.instances.crop(met)
                self._decisions.append(LabelledDecision(seen, verb, target, cell, crop))
            memory.take_past(done.verb, kind, done.click)
            self._events.append(PastAction(done.verb, kind))
            self._has_acted = True

    def end_utterance(self) -> None:
        self._end_walk(None)
        view = self._sight.view()
        if self._has_acted and view is not None:
            seen = self._memory.look(view)
            self._decisions.append(LabelledDecision(seen, 0, network.NOTHING))
        if self._decisions and any(isinstance(each, Utterance) for each in self._events):
            self.utterances.append(
                LessonUtterance({Wording.GOALS: self._text}, tuple(self._decisions))
            )
        self._has_acted, self._decisions = False, []

    def _end_walk(self, met: Instance | None) -> None:
        """Let the decisions of a walk point at what was met at its end, None if that is unknown."""
        for seen, verb, ordered in self._walk:
            target = NO_LABEL if met is None else network.NOT_SEEN
            if met in ordered:
                target = network.FIRST_INSTANCE + ordered.index(met)
            self._decisions.append(LabelledDecision(seen, verb, target))
        self._walk = []
