"""Listeners of the user's own: `listener:FILE`, with a file that `tatc train-listener` wrote."""

from functools import partial
from pathlib import Path

from tatc.follower.listener.exploration import Explorer
from tatc.follower.listener.follower import DEFAULT_QUESTIONS, ListenerFollower
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.follower.listener.trained_file import read_trained_listener
from tatc.language.understanding import understand
from tatc.language.understanding.memory import GoalMemory
from tatc.language.understanding.model_reader import DialogueReader


class TrainedListenerFollower(ListenerFollower):
    """A listener with learned places and a memory; each file has a class of its own."""

    memory: GoalMemory

    def __init__(
        self, questions: int = DEFAULT_QUESTIONS, read: DialogueReader | None = None
    ) -> None:
        """Make a Follower as `ListenerFollower` does, which knows the memory's names."""
        super().__init__(questions, read or partial(understand, memory=self.memory))


def trained_listener(path: Path) -> type[TrainedListenerFollower]:
    """Return the class of the listener of a file."""
    trained = read_trained_listener(path)

    class LearnedExplorer(Explorer):
        """Looks first where things were in the games."""

        def __init__(self, belief: SemanticMap) -> None:
            super().__init__(belief)
            self._places.weight = trained.places.weight

    class FileListener(TrainedListenerFollower):
        """The listener of one file."""

        memory = trained.memory
        explorer_class = LearnedExplorer

    return FileListener
