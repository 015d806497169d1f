"""What was tried for one utterance and could not be said: the log of alternatives."""

from tatc.commander.draft import Plan
from tatc.commander.trouble import Trouble
from tatc.tdl import ProblemKey


class Refused:
    """The plans that could not be drafted for one utterance, and why."""

    def __init__(self) -> None:
        """Begin with none."""
        self._tried: list[tuple[ProblemKey, Plan, Trouble | None]] = []

    def add(self, key: ProblemKey, plan: Plan, trouble: Trouble | None) -> None:
        """Note a plan for a key, and what put it in trouble; None: nothing to add."""
        self._tried.append((key, plan, trouble))

    def troubles(self) -> tuple[tuple[ProblemKey, Trouble], ...]:
        """Return each trouble once, with the first key that met it."""
        first: dict[Trouble, ProblemKey] = {}
        for key, _, trouble in self._tried:
            if trouble is not None:
                first.setdefault(trouble, key)
        return tuple((key, trouble) for trouble, key in first.items())

    def lines(self) -> tuple[str, ...]:
        """Return a line for each plan, in the order they were tried."""
        return tuple(
            f"{names(plan) or key.property_name}: {trouble or 'nothing to add'}"
            for key, plan, trouble in self._tried
        )

    def why(self) -> str:
        """Return the reason to give up, as a clause."""
        lines = self.lines()
        return lines[0] if lines else "no policy knows what to change"


def names(plan: Plan) -> str:
    """Return what a plan's skills are called, in their order."""
    return ", ".join(repr(skill) for skill in plan)
