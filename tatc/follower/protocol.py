"""What every Follower does, rule-based or learned."""

from typing import Protocol

from tatc.actions import Action, Observation


class Follower(Protocol):
    """An agent that alone can act, and knows only what it is told and sees."""

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        ...

    def act(self, seen: Observation) -> Action:
        """Return the next action: a primitive, a Text to the Commander, or Stop."""
        ...
