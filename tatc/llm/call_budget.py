"""What the calls of this process have cost so far, and whether one more is allowed."""

from tatc.errors import BudgetSpent
from tatc.llm.settings import CallLimits


class CallBudget:
    """Counts calls, tokens and seconds; what an endpoint does not count is estimated."""

    def __init__(self, limits: CallLimits) -> None:
        """Start with nothing spent."""
        self._limits = limits
        self.calls = self.tokens = 0
        self.seconds = 0.0

    def check(self, tokens: int) -> None:
        """Check that one more call, of so many tokens at most, keeps to the limits.

        Raises:
            BudgetSpent: it does not.

        """
        limits = self._limits
        if self.calls >= limits.calls:
            raise BudgetSpent(f"the limit of {limits.calls:,} calls is reached")
        if self.seconds >= limits.seconds:
            raise BudgetSpent(f"the limit of {limits.seconds:,.0f} s is reached")
        if self.tokens + tokens > limits.tokens:
            why = f"the limit of {limits.tokens:,} tokens is reached ({self.tokens:,} are spent)"
            raise BudgetSpent(why, fix="name more with --max-tokens")

    def spend(self, tokens: int, seconds: float) -> None:
        """Note a call, whether it was answered or not."""
        self.calls += 1
        self.tokens += tokens
        self.seconds += seconds
