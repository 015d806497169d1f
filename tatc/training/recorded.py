"""Examples from recorded games: what was said and done, and what was done next.

A game is done again in the embedded world as TEACh's replay does it: what succeeded,
with the object that is recorded.  An example is a walk and the interaction it leads to,
told as a Follower would recall the session until then (`follower/et/light/recall`); the
last one before somebody speaks ends with the question that says: done.  What failed is
left out.
"""

from collections.abc import Mapping
from pathlib import Path

from tatc.actions import FOLLOWER_VERBS, INTERACTIONS, Role, Utterance, Verb
from tatc.errors import BadInput
from tatc.evaluation.instances.course import Course
from tatc.evaluation.instances.segments import SPOKEN
from tatc.follower import Deed, Event
from tatc.follower.et.light.history import MOST_ACTIONS
from tatc.follower.et.light.recall import recalled
from tatc.follower.et.light.sight import SENSOR, ClassMap, class_map
from tatc.opening import open_game
from tatc.records import Interaction, read_game
from tatc.sim.embedded.render import Renderer
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Snapshot
from tatc.tdl import load_library
from tatc.tdl.edh import type_of
from tatc.training.examples import Done, Example, example_of


def examples_of(path: Path, classes: Mapping[str, int]) -> tuple[Example, ...]:
    """Return the examples of a game; none where it cannot be done again.

    Args:
        path: a recorded game.
        classes: numbers of object types.

    """
    try:
        game = read_game(path)
        scene = open_game(path, load_library([]), None, (), 1).scene
    except BadInput:
        return ()
    sim = EmbeddedSimulator()
    sim.reset(scene)
    course, pupil = Course(sim), _Watching(Renderer(scene), classes)
    for done in game.interactions:
        pupil.see(done, sim.snapshot())
        course.follow(done)
        if course.lost:
            break
    else:
        pupil.end(sim.snapshot())
    return tuple(pupil.examples)


class _Watching:
    """Follows a game and cuts it into examples."""

    def __init__(self, renderer: Renderer, classes: Mapping[str, int]) -> None:
        self._renderer, self._classes = renderer, classes
        self.examples: list[Example] = []
        self._events: list[Event] = []
        self._done: list[Done] = []
        self._maps: list[ClassMap] = []
        self._acted = False  # whether something was done since the last words

    def see(self, done: Interaction, before: Snapshot) -> None:
        """Take in one interaction; `before` is the state it was done in."""
        if done.verb in SPOKEN:
            self.end(before)
            self._events.append(Utterance(done.role, done.text, done.time))
        elif done.role is Role.FOLLOWER and done.verb in FOLLOWER_VERBS[1:]:
            if done.success:
                self._follow(done, before)

    def end(self, now: Snapshot) -> None:
        """End what was done upon the last words."""
        if self._acted:
            self._do(Done(Verb.TEXT), now)
        self._keep()
        self._acted = False

    def _follow(self, done: Interaction, before: Snapshot) -> None:
        if done.verb not in INTERACTIONS:
            self._do(Done(done.verb), before)
            if len(self._done) == MOST_ACTIONS - 1:
                self._keep()
        elif done.object_id is not None and done.click is not None:
            noun = type_of(done.object_id)
            self._do(Done(done.verb, noun, done.click), before)
            self._keep()
            self._events.append(Deed(done.verb, noun))
            self._acted = True

    def _do(self, done: Done, before: Snapshot) -> None:
        if any(isinstance(event, Utterance) for event in self._events):
            self._done.append(done)
            seen = self._renderer.segments(before, Role.FOLLOWER, SENSOR)
            self._maps.append(class_map(seen, self._classes))

    def _keep(self) -> None:
        if self._done:
            texts = (recalled(self._events),)
            found = example_of(texts, self._done, self._maps, self._classes)
            self.examples.append(found)
        self._done, self._maps = [], []
