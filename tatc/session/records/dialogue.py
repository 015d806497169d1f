"""The dialogue of a recorded session, word for word as people typed it."""

from tatc.home.actions import ActionType, Utterance
from tatc.session.records.game import Game

_SPOKEN = (ActionType.KEYBOARD, ActionType.AUDIO)


def dialogue_of(game: Game) -> tuple[Utterance, ...]:
    """Return the utterances of both agents in order: never TEACh's corrected text or its labels.

    Raises:
        GameFormatError: an interaction of the game is missing a field, or one is impossible.

    """
    return tuple(
        Utterance(each.role, each.text, each.time)
        for each in game.interactions
        if each.type in _SPOKEN
    )
