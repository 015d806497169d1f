"""Examples from recorded games: a history, and what the Follower did next.

A game is replayed in the embedded world as TEACh's replay does it: successful actions, on
the recorded objects.  An example is a walk and the interaction at its end, and its text is
the history until then (`follower/learned/light/history_text`).  The last example before
somebody speaks ends with a question, which stands for "done".  Failed actions are left out.
"""

from collections.abc import Mapping
from pathlib import Path

from tatc.apps.training.examples import DemonstratedAction, Example, make_example
from tatc.evaluation.instances.source_games import SPEECH_VERBS, RecordedReplay
from tatc.follower import HistoryEvent, PastAction
from tatc.follower.learned.light.history_text import history_text
from tatc.follower.learned.light.network_inputs import (
    MAX_ACTIONS_PER_UTTERANCE,
    SEGMENTATION_SIDE_PIXELS,
    ClassMap,
    class_map,
)
from tatc.home.actions import FOLLOWER_VERBS, INTERACTION_VERBS, Role, Utterance, Verb
from tatc.home.state import Snapshot
from tatc.session.records import Interaction, read_game
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.tdl import load_library
from tatc.tdl.edh import type_of_object_id


def examples_of_game(path: Path, classes: Mapping[str, int]) -> tuple[Example, ...]:
    """Return the examples of a recorded game, up to the first object that our world lacks."""
    game = read_game(path)
    scene = start_from_game(path, load_library([]), None, (), 1).scene
    sim = EmbeddedSimulator()
    sim.reset(scene)
    replay, builder = RecordedReplay(sim), _GameExampleBuilder(SnapshotRenderer(scene), classes)
    for interaction in game.interactions:
        builder.add_interaction(interaction, sim.snapshot())
        replay.apply(interaction)
        if replay.missing_objects:
            break
    else:
        builder.finish_instruction(sim.snapshot())
    return tuple(builder.examples)


class _GameExampleBuilder:
    """Cuts a game into examples while it is replayed."""

    def __init__(self, renderer: SnapshotRenderer, classes: Mapping[str, int]) -> None:
        self._renderer, self._classes = renderer, classes
        self.examples: list[Example] = []
        self._events: list[HistoryEvent] = []
        self._demonstrated: list[DemonstratedAction] = []
        self._maps: list[ClassMap] = []
        self._has_acted = False  # whether an interaction was done since the last utterance

    def add_interaction(self, interaction: Interaction, before: Snapshot) -> None:
        """Take the next interaction of the game; `before` is the state before it."""
        if interaction.verb in SPEECH_VERBS:
            self.finish_instruction(before)
            self._events.append(Utterance(interaction.role, interaction.text, interaction.time))
        elif interaction.role is Role.FOLLOWER and interaction.verb in FOLLOWER_VERBS[1:]:
            if interaction.success:
                self._add_follower_action(interaction, before)

    def finish_instruction(self, now: Snapshot) -> None:
        """End the actions that followed the last utterance."""
        if self._has_acted:
            self._add_action(DemonstratedAction(Verb.TEXT), now)
        self._finish_example()
        self._has_acted = False

    def _add_follower_action(self, interaction: Interaction, before: Snapshot) -> None:
        if interaction.verb not in INTERACTION_VERBS:
            self._add_action(DemonstratedAction(interaction.verb), before)
            if len(self._demonstrated) == MAX_ACTIONS_PER_UTTERANCE - 1:
                self._finish_example()
        elif interaction.object_id is not None and interaction.click is not None:
            object_type = type_of_object_id(interaction.object_id)
            action = DemonstratedAction(interaction.verb, object_type, interaction.click)
            self._add_action(action, before)
            self._finish_example()
            self._events.append(PastAction(interaction.verb, object_type))
            self._has_acted = True

    def _add_action(self, action: DemonstratedAction, before: Snapshot) -> None:
        if any(isinstance(event, Utterance) for event in self._events):
            self._demonstrated.append(action)
            segments = self._renderer.segments(before, Role.FOLLOWER, SEGMENTATION_SIDE_PIXELS)
            self._maps.append(class_map(segments, self._classes))

    def _finish_example(self) -> None:
        if self._demonstrated:
            texts = (history_text(self._events),)
            example = make_example(texts, self._demonstrated, self._maps, self._classes)
            self.examples.append(example)
        self._demonstrated, self._maps = [], []
