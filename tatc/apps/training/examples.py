"""Examples of recorded games, for a Follower that imitates people."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tatc.evaluation.instances.source_games import SPEECH_VERBS, RecordedReplay
from tatc.follower import HistoryEvent, PastAction
from tatc.follower.learned.light import history_follower, network_inputs
from tatc.home import state, type_facts
from tatc.home.actions import FOLLOWER_VERBS, INTERACTION_VERBS, Click, Role, Utterance, Verb
from tatc.home.assets import known_object_types
from tatc.session.records import Interaction, read_game
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.tdl import edh, load_library

LIGHT_OBJECT_CLASSES = (*sorted(known_object_types()), *sorted(type_facts.WHOLE_TYPE_BY_PIECE))
"""The object types of learned Followers, in the order of their class ids."""
NO_CLICK = -1
"""The class and the cell of an action without a click."""
Int16Array = NDArray[np.int16]
ClassMapStack = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """The text of a history, and the right actions after it with what was seen.

    `actions` (verb ids), `classes` and `cells` (-1 for a verb without a click) have the shape
    (actions,).  `maps` are the class maps before each action, (actions, 32, 32).
    """

    text: str
    actions: Int16Array
    classes: Int16Array
    cells: Int16Array
    maps: ClassMapStack

    def __len__(self) -> int:
        return len(self.actions)


def class_ids() -> dict[str, int]:
    """Return the class id of each object type."""
    return {
        name: i for i, name in enumerate(LIGHT_OBJECT_CLASSES, network_inputs.FIRST_NAMED_CLASS)
    }


MIN_PAIR_COUNT = 5
"""How often examples must show a pair for it to count; rarer ones are accidents."""


def frequent_verb_object_pairs(
    examples: Iterable[Example], classes: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the frequent pairs of verb and object type, in the order of their ids.

    `classes` are the object types in the order of their class ids.
    """
    counts = Counter[tuple[int, int]]()
    for each in examples:
        counts.update(zip(each.actions.tolist(), each.classes.tolist(), strict=True))
    frequent = sorted(pair for pair, count in counts.items() if count >= MIN_PAIR_COUNT)
    verbs, first_class = network_inputs.NETWORK_VERBS, network_inputs.FIRST_NAMED_CLASS
    return tuple(
        (verbs[verb].value, classes[class_id - first_class])
        for verb, class_id in frequent
        if class_id >= first_class
    )


def examples_of_game(path: Path, classes: Mapping[str, int]) -> tuple[Example, ...]:
    """Return the examples of a recorded game, up to the first object that our world lacks.

    The game is replayed as TEACh's replay does it: successful actions, on the recorded objects.
    An example is a walk and the interaction at its end; its text is the history until then
    (`history_text`).  The last one before somebody speaks ends with a question, which stands for
    "done".
    """
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
        self._demonstrated: list[tuple[int, ...]] = []  # ids of verb, class and cell
        self._maps: list[network_inputs.ClassMap] = []
        self._has_acted = False  # whether an interaction was done since the last utterance

    def add_interaction(self, interaction: Interaction, before: state.Snapshot) -> None:
        """Take the next interaction of the game; `before` is the state before it."""
        if interaction.verb in SPEECH_VERBS:
            self.finish_instruction(before)
            self._events.append(Utterance(interaction.role, interaction.text, interaction.time))
        elif interaction.role is Role.FOLLOWER and interaction.verb in FOLLOWER_VERBS[1:]:
            if interaction.success:
                self._add_follower_action(interaction, before)

    def finish_instruction(self, now: state.Snapshot) -> None:
        if self._has_acted:
            self._add_action(Verb.TEXT, now)
        self._finish_example()
        self._has_acted = False

    def _add_follower_action(self, interaction: Interaction, before: state.Snapshot) -> None:
        if interaction.verb not in INTERACTION_VERBS:
            self._add_action(interaction.verb, before)
            if len(self._demonstrated) == network_inputs.MAX_ACTIONS_PER_UTTERANCE - 1:
                self._finish_example()
        elif interaction.object_id is not None and interaction.click is not None:
            object_type = edh.type_of_object_id(interaction.object_id)
            number = self._classes.get(object_type, network_inputs.UNKNOWN_CLASS)
            self._add_action(interaction.verb, before, number, _click_cell(interaction.click))
            self._finish_example()
            self._events.append(PastAction(interaction.verb, object_type))
            self._has_acted = True

    def _add_action(
        self, verb: Verb, before: state.Snapshot, number: int = NO_CLICK, cell: int = NO_CLICK
    ) -> None:
        if any(isinstance(event, Utterance) for event in self._events):
            self._demonstrated.append((*network_inputs.verb_indices([verb]), number, cell))
            side = network_inputs.SEGMENTATION_SIDE_PIXELS
            segments = self._renderer.segments(before, Role.FOLLOWER, side)
            self._maps.append(network_inputs.class_map(segments, self._classes))

    def _finish_example(self) -> None:
        if self._demonstrated:
            text = history_follower.history_text(self._events)
            actions, classes, cells = np.array(self._demonstrated, dtype=np.int16).T
            self.examples.append(Example(text, actions, classes, cells, np.stack(self._maps)))
        self._demonstrated, self._maps = [], []


def _click_cell(click: Click) -> int:
    side = network_inputs.CLICK_GRID_SIDE
    row, column = (min(side - 1, int(v * side)) for v in (click.y, click.x))
    return row * side + column
