"""The contract of Commanders: what they are given, what they may ask, and what they return.

A Commander knows the task and may ask an oracle about the home, but cannot act in it: it speaks.
Whoever writes one needs this module, `tatc.home.actions` and `tatc.tdl`.  Any class with `begin`,
`act` and `decisions` is a Commander; nothing has to be subclassed or registered.

A session takes turns.  The Follower begins, and acts until it says something; then the Commander
acts until it says something, and so on.  The session ends when either agent returns Stop or a limit
is reached: 1000 actions of the Follower, 30 failed ones or 1000 utterances, unless the session says
otherwise.  Whatever ended it, it is a success if the task is done at that moment.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tatc.home import actions, state
from tatc.tdl import ProblemKey, Progress, Task

PDDL_POLICY = "pddl"  # stands for a policy's name where the PDDL fallback planned


class Oracle(Protocol):
    """What a Commander may ask about the home, at any time and as often as it likes.

    A session's oracle answers, and so do every simulator and the listener's semantic map.  Asking
    changes nothing, costs no action and stands in no record.  Lengths are in metres, in AI2-THOR's
    axes: y is up, and a yaw of 0 looks along z.
    """

    def snapshot(self) -> state.Snapshot:
        """Return all objects and both agents as they are in this turn, in an immutable value.

        An object that has not changed since the last call may be the same instance.
        """
        ...

    def reachable(self) -> tuple[state.Pose, ...]:
        """Return the poses that the Follower's body can get to; only x and z matter.

        They depend on the home as it is now: an open door may cut floor off.
        """
        ...


@dataclass(frozen=True, slots=True)
class CommanderView:
    """What a Commander is given for one action; each utterance and check is given once.

    `utterances` came from either agent since its last action, the oldest first; `progress` is None
    unless that action, in this turn, was a progress check.
    """

    utterances: tuple[actions.Utterance, ...]
    progress: Progress | None


@dataclass(frozen=True, slots=True)
class Decision:
    """Why a Commander said something, for the debugger and the record.

    `problem_key` is None where no single thing was to be changed.  `policy` is the property whose
    policy planned, or `PDDL_POLICY`, "" at the end; `skill` is the plan in words.  `reason` is what
    the last failure taught, or why the session ends.  `alternatives` are plans that were tried
    before and rejected, each with why; `cost` is in primitives.  `fallback_reason` says why the
    policies gave way to PDDL, "" where they did not.
    """

    utterance: str
    problem_key: ProblemKey | None
    policy: str
    skill: str
    reason: str
    alternatives: tuple[str, ...]
    cost: int
    fallback_reason: str = ""


class Commander(Protocol):
    """An agent that knows the task and may ask the oracle, but cannot act.

    One instance may play many sessions, one after another.  What it raises ends the session with an
    `AgentCrash` that names the error, file and line; tatc's own errors (`TatcError`) pass
    unchanged.
    """

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session of a task in the oracle's home, and forget the last one.

        The oracle stays valid until the next `begin`.  A session may begin in the middle of
        another, as the debugger does: then things have moved already.
        """
        ...

    def act(self, view: CommanderView) -> actions.Action:
        """Return the next action of this turn.

        - `OPEN_PROGRESS_CHECK` checks the task; the next view has the result.
        - `TEXT` says `text` to the Follower, in any words, and ends the turn.
        - `STOP` ends the session.
        - `SEARCH_OBJECT` and `SELECT_OID` look for the object that `text` names by its type or its
          id, and motions move the Commander's own camera, as in TEACh; records keep both.

        Any other verb does nothing.  Eight actions without a Text end the turn, and the Follower
        goes on.  Nothing that a Commander does counts towards the limits but its utterances.
        """
        ...

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reasons for this session's utterances, in order, one for each; () for none at all."""
        ...


@runtime_checkable
class InterjectingCommander(Protocol):
    """A Commander that may also speak between the Follower's actions, as people do."""

    def interject(self) -> actions.Action | None:
        """Return what to do before the Follower's next action, None for nothing.

        It may return what `act` may, and is called again until it returns None or Stop, at most
        eight times.  No view is given: what the Follower has said comes with the next `act`.  After
        an interjected Text it is still the Follower's turn.
        """
        ...
