"""Examples from recorded games: what people said, and what was done upon it.

A game is done again in the embedded world.  Each example begins with what the
Commander said since the Follower last acted and ends before the next words of either;
what failed then, in the recording or here, is left out.  People's words have no grains:
all three are the same.
"""

from collections.abc import Mapping
from pathlib import Path

from tatc.actions import FOLLOWER_VERBS, Role, Verb
from tatc.errors import BadInput
from tatc.follower.et.light.history import MOST_ACTIONS
from tatc.follower.et.light.sight import SENSOR, ClassMap, class_map
from tatc.language import Wording
from tatc.sim.embedded.render import Renderer
from tatc.state import Snapshot
from tatc.timeline import Moment, Timeline
from tatc.training.examples import Done, Example, example_of


def examples_of(path: Path, classes: Mapping[str, int]) -> tuple[Example, ...]:
    """Return the examples of a game; none where it cannot be done again.

    Args:
        path: a recorded game.
        classes: numbers of object types.

    """
    try:
        timeline = Timeline.of(path)
    except BadInput:
        return ()
    pupil = _Watching(Renderer(timeline.opening.scene), classes)
    before = timeline.moments[0].snapshot
    for moment in timeline.moments[1:]:
        pupil.see(moment, before)
        before = moment.snapshot
    pupil.end(before)
    return tuple(pupil.examples)


class _Watching:
    """Follows a game and cuts it into examples."""

    def __init__(self, renderer: Renderer, classes: Mapping[str, int]) -> None:
        self._renderer, self._classes = renderer, classes
        self.examples: list[Example] = []
        self._said: list[str] = []
        self._done: list[Done] = []
        self._maps: list[ClassMap] = []

    def see(self, moment: Moment, before: Snapshot) -> None:
        """Take in one interaction; `before` is the state it was done in."""
        done = moment.interaction
        if done is None:
            return
        if moment.said is not None:
            self.end(before)
            if done.role is Role.COMMANDER:
                self._said.append(" ".join(moment.said.split()))
        elif done.role is Role.FOLLOWER and done.verb in FOLLOWER_VERBS[1:]:
            if done.success and not moment.departs:
                thing = before.get(done.object_id) if done.object_id else None
                noun = None if thing is None else thing.objectType
                if (done.click is None) == (noun is None):
                    self._do(Done(done.verb, noun, done.click), before)

    def end(self, now: Snapshot) -> None:
        """Keep what was done upon the last words, and begin anew."""
        if self._done and self._said:
            self._do(Done(Verb.TEXT), now)
            texts = (" ".join(self._said),) * len(Wording)
            kept = slice(0, MOST_ACTIONS)
            found = example_of(texts, self._done[kept], self._maps[kept], self._classes)
            self.examples.append(found)
        if self._done:
            self._said.clear()
        self._done, self._maps = [], []

    def _do(self, done: Done, before: Snapshot) -> None:
        self._done.append(done)
        seen = self._renderer.segments(before, Role.FOLLOWER, SENSOR)
        self._maps.append(class_map(seen, self._classes))
