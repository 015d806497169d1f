"""Ablations: the listener without one of its parts, to show what the part is worth."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import numpy as np

from tatc.commander.plan_builder import PlannedSteps
from tatc.follower.listener import exploration, follower, semantic_map
from tatc.follower.listener.internal_planner import InternalPlanner
from tatc.home import actions, state
from tatc.language.understanding import Understanding, understand
from tatc.language.understanding.understand import DialogueReader

_SEED = 1


class ListenerWithoutHints(follower.ListenerFollower):
    """A listener that does not hear where things are."""

    def __init__(
        self,
        questions: int = follower.DEFAULT_QUESTIONS,
        read: DialogueReader = understand,
        talk: str = follower.TASK_TALK,
    ) -> None:
        """Make a Follower as `ListenerFollower` does, whose readings have no hints."""

        def read_without_hints(utterances: Sequence[actions.Utterance]) -> Understanding:
            return replace(read(utterances), hints=())

        super().__init__(questions, read_without_hints, talk)


class ListenerWithoutMemory(follower.ListenerFollower):
    """A listener that knows no names of the user's, in comparisons with one that does."""

    traits = replace(follower.ListenerFollower.traits, recalls_names=False)


class RandomExplorer(exploration.Explorer):
    """Looks anywhere: no hints, no priors, no costs; the same anywhere in every session."""

    def __init__(self, belief: semantic_map.SemanticMap) -> None:
        """Explore for a semantic map."""
        super().__init__(belief)
        self._random = Random(_SEED)

    def next_steps(self, planner: InternalPlanner, wanted: Iterable[str]) -> PlannedSteps:
        """Return steps that look around, then at any place or into any container."""
        if steps := self._look_around():
            return steps
        search = partial(self._search_container, planner, tuple(sorted(wanted)), hinted=False)
        if self._random.random() < 0.5:
            return self._look_at_cells(planner) or search()
        return search() or self._look_at_cells(planner)

    def _choose_look(
        self, gains: "np.ndarray[Any, Any]", costs: "np.ndarray[Any, Any]"
    ) -> int | None:
        """Return the index of any pose that shows something new."""
        useful = np.flatnonzero(gains >= exploration.MIN_CELLS_WORTH_A_LOOK).tolist()
        return self._random.choice(useful) if useful else None

    def ranked_places(self, types: tuple[str, ...]) -> list[state.ObjectState]:
        """Return the places not searched yet in any order."""
        found = super().ranked_places(types)
        self._random.shuffle(found)
        return found


class RandomSearchListener(follower.ListenerFollower):
    """A listener that looks for things anywhere."""

    explorer_class = RandomExplorer
