"""Why an utterance was made: what the debugger and the record show of it."""

from dataclasses import dataclass

from tatc.tdl import ProblemKey

PDDL_POLICY = "pddl"
"""Stands for a policy's name where the PDDL fallback planned."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a Commander.

    `policy` names the property whose policy planned, or is `PDDL_POLICY`; "" at the end of
    a session.  `alternatives` are the plans that were tried first, each with the reason
    why it could not be said; `cost` is the length of the stretch in primitives.
    `fallback_reason` says in plain English why the policies gave way to PDDL, "" where
    they did not.
    """

    utterance: str
    problem_key: ProblemKey | None
    policy: str
    skill: str
    reason: str
    alternatives: tuple[str, ...]
    cost: int
    fallback_reason: str = ""
