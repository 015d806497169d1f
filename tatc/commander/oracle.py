"""What whoever plans may ask about the home."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tatc.home.actions import Action, Utterance
from tatc.home.state import Pose, Snapshot
from tatc.tdl import ProblemKey, Progress, Task


class Oracle(Protocol):
    """What a Commander may ask about the home; any simulator answers it."""

    def snapshot(self) -> Snapshot:
        """Return all objects and both agents as they are now."""
        ...

    def reachable(self) -> tuple[Pose, ...]:
        """Return the poses that the Follower's body can get to; only x and z matter."""
        ...


# Why an utterance was made: what the debugger and the record show of it.

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


# The interface of Commanders: what they are given and what they return.


@dataclass(frozen=True, slots=True)
class CommanderView:
    """What a Commander is given for one action.

    `utterances` are those since its last action, oldest first.  `progress` is the result of
    a progress check if its last action was one, else None.
    """

    utterances: tuple[Utterance, ...]
    progress: Progress | None


class Commander(Protocol):
    """An agent that knows the task and may ask the oracle, but cannot act."""

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session of a task in the oracle's home, and forget the last one."""
        ...

    def act(self, view: CommanderView) -> Action:
        """Return a progress check or an utterance; Stop ends the session."""
        ...

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reasons for this session's utterances, in order."""
        ...


@runtime_checkable
class InterjectingCommander(Protocol):
    """A Commander that may also speak between the Follower's actions, as people do."""

    def interject(self) -> Action | None:
        """Return what to do before the Follower's next action, None for nothing.

        It is called again until it returns None.
        """
        ...
