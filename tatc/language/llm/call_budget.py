"""What the calls of a run have cost so far, and whether one more is allowed."""

import os
from dataclasses import dataclass
from pathlib import Path

from tatc.base.errors import BudgetSpent, OutputError, os_errors_as
from tatc.language.llm.settings import CallLimits


@dataclass(frozen=True, slots=True)
class Spending:
    """Calls, the tokens of their requests and answers, and the seconds waited for these."""

    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0


class SpendingLedger:
    """What several processes spend together: a file to which each adds lines."""

    def __init__(self, path: str) -> None:
        """Use this file, which exists already."""
        self._path = Path(path)

    def add(self, spent: Spending) -> None:
        """Add a line, at once and whole, so that processes do not mix theirs.

        Raises:
            OutputError: the file cannot be written.

        """
        line = f"{spent.calls} {spent.tokens} {spent.seconds!r}\n".encode()
        fix = "leave out --workers"
        with os_errors_as(OutputError, "cannot be written", self._path, fix=fix):
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND)
            try:
                os.write(file, line)
            finally:
                os.close(file)

    def total(self) -> Spending:
        """Return what all lines add up to."""
        rows = [line.split() for line in self._path.read_text(encoding="ascii").splitlines()]
        return Spending(
            sum(int(calls) for calls, _, _ in rows),
            sum(int(tokens) for _, tokens, _ in rows),
            sum(float(seconds) for _, _, seconds in rows),
        )


class CallBudget:
    """Counts calls, tokens and seconds; what an endpoint does not count is estimated."""

    def __init__(self, limits: CallLimits, ledger: str | None = None) -> None:
        """Start with nothing spent.

        With a `ledger`, the path of an empty file, the limits hold for all processes that use it.
        """
        self._limits = limits
        self._ledger = None if ledger is None else SpendingLedger(ledger)
        self._reserved = 0
        self.calls = self.tokens = 0
        self.seconds = 0.0

    def check(self, tokens: int) -> None:
        """Check that one more call, of so many tokens at most, keeps to the limits.

        In a ledger the call is reserved, so that other processes cannot spend its tokens.

        Raises:
            BudgetSpent: it does not.

        """
        if self._ledger is None:
            self._check(Spending(self.calls, self.tokens, self.seconds), tokens)
            return
        self._ledger.add(Spending(1, tokens))
        total = self._ledger.total()
        try:
            self._check(Spending(total.calls - 1, total.tokens - tokens, total.seconds), tokens)
        except BudgetSpent:
            self._ledger.add(Spending(-1, -tokens))
            raise
        self._reserved = tokens

    def _check(self, spent: Spending, tokens: int) -> None:
        limits = self._limits
        if spent.calls >= limits.calls:
            raise BudgetSpent(f"the limit of {limits.calls:,} calls is reached")
        if spent.seconds >= limits.seconds:
            raise BudgetSpent(f"the limit of {limits.seconds:,.0f} s is reached")
        if spent.tokens + tokens > limits.tokens:
            why = f"the limit of {limits.tokens:,} tokens is reached ({spent.tokens:,} are spent)"
            raise BudgetSpent(why, fix="name more with --max-tokens")

    def spend(self, tokens: int, seconds: float) -> None:
        """Note a call, whether it was answered or not."""
        self.calls += 1
        self.tokens += tokens
        self.seconds += seconds
        if self._ledger is not None:
            self._ledger.add(Spending(0, tokens - self._reserved, seconds))
            self._reserved = 0
