"""The utterances of a session, and how many of them each agent has received."""

from collections.abc import Iterable

from tatc.home.actions import Role, Utterance


class Conversation:
    """The utterances so far; each agent receives those of the other once."""

    def __init__(self) -> None:
        """Begin without utterances."""
        self._utterances: list[Utterance] = []
        self._heard_counts = dict.fromkeys(Role, 0)

    def __len__(self) -> int:
        """Return how many utterances there were."""
        return len(self._utterances)

    def add(self, utterance: Utterance) -> None:
        """Add what an agent has just said."""
        self._utterances.append(utterance)

    def resume_after(self, utterances: Iterable[Utterance]) -> None:
        """Continue after earlier utterances, of which both agents receive only the last."""
        self._utterances.extend(utterances)
        self._heard_counts = dict.fromkeys(Role, max(len(self._utterances) - 1, 0))

    def take_unheard(self, role: Role) -> tuple[Utterance, ...]:
        """Return what the other agent has said since the last call for this one."""
        new = self._utterances[self._heard_counts[role] :]
        self._heard_counts[role] = len(self._utterances)
        return tuple(each for each in new if each.speaker is not role)
