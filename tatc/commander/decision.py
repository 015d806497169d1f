"""Why an utterance was made: the line that the debugger and the record show."""

from dataclasses import dataclass

from tatc.tdl import ProblemKey


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a Commander.

    `alternatives` are those tried and refused first, each with its reason; `cost` is
    the length of the stretch in primitives.
    """

    utterance: str
    problem_key: ProblemKey | None
    policy: str
    skill: str
    reason: str
    alternatives: tuple[str, ...]
    cost: int
