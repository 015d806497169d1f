"""Ablations: the listener without one of its parts, to show what the part is worth."""

from collections.abc import Sequence
from dataclasses import replace

from tatc.follower.listener import follower
from tatc.home import actions
from tatc.language.understanding import Understanding, understand
from tatc.language.understanding.understand import DialogueReader


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
