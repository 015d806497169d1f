"""What has been said in a session, and who has heard it."""

from collections.abc import Iterable

from tatc.actions import Role, Utterance


class Conversation:
    """The utterances so far; each agent is handed those of the other once."""

    def __init__(self) -> None:
        """Begin in silence."""
        self._said: list[Utterance] = []
        self._heard = dict.fromkeys(Role, 0)

    def __len__(self) -> int:
        """Return how many utterances there were."""
        return len(self._said)

    def add(self, utterance: Utterance) -> None:
        """Keep what an agent has just said."""
        self._said.append(utterance)

    def take_up(self, said: Iterable[Utterance]) -> None:
        """Go on after what others said: both agents hear the last of it alone."""
        self._said.extend(said)
        self._heard = dict.fromkeys(Role, max(len(self._said) - 1, 0))

    def unheard(self, role: Role) -> tuple[Utterance, ...]:
        """Return what the other agent has said since this was last asked for."""
        new = self._said[self._heard[role] :]
        self._heard[role] = len(self._said)
        return tuple(each for each in new if each.speaker is not role)
