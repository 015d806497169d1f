"""Whose dialogue the Follower of an instance hears: controls of what its words are worth."""

from dataclasses import replace
from enum import StrEnum
from itertools import cycle

from tatc.evaluation.instances.source_games import SPEECH_VERBS
from tatc.home.actions import Role
from tatc.session.records import Instance, Interaction


class DialogueSource(StrEnum):
    """The instance's own dialogue, that of another game's instance, or none."""

    OWN = "own"
    OTHER = "other"
    EMPTY = "empty"


def without_words(instance: Instance) -> Instance:
    """Return an instance in which nobody says anything."""
    acted = tuple(each for each in instance.history if each.verb not in SPEECH_VERBS)
    return replace(instance, dialogue=(), history=acted)


def with_words_of(instance: Instance, other: Instance) -> Instance:
    """Return an instance whose words are those of another; what was done stays.

    In a history, each agent's utterances become those of the same agent in the other dialogue,
    in order and from the start again where that is shorter.
    """
    words = {role: cycle(_words_of(role, other)) for role in Role}

    def reworded(done: Interaction) -> Interaction:
        return replace(done, text=next(words[done.role])) if done.verb in SPEECH_VERBS else done

    return replace(
        instance, dialogue=other.dialogue, history=tuple(map(reworded, instance.history))
    )


def _words_of(role: Role, instance: Instance) -> list[str]:
    return [each.text for each in instance.dialogue if each.speaker is role] or [""]
