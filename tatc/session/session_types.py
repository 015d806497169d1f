"""The limits, the events and the result of a session."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tatc.home.actions import ActionResult, Role
from tatc.home.state import Snapshot
from tatc.session.records import Interaction, RecordedModelCall
from tatc.session.records.record import RecordedDecision, SessionEnd
from tatc.tdl import Progress


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """When a session is stopped: the benchmark's limits count the Follower's primitives.

    `utterances` bounds the number of utterances, so that agents who only talk stop too.
    """

    steps: int = 1000
    failures: int = 30
    utterances: int = 1000

    def end_at(self, steps: int, failures: int, utterances: int = 0) -> SessionEnd | None:
        """Return how a session ends with so many of each; None where it goes on."""
        if steps >= self.steps:
            return SessionEnd.STEP_LIMIT
        if failures >= self.failures:
            return SessionEnd.FAILURE_LIMIT
        return SessionEnd.GAVE_UP if utterances >= self.utterances else None


TATC_LIMITS = SessionLimits()
"""The benchmark's limits."""
ALFRED_LIMITS = SessionLimits(failures=10)
"""ALFRED's limits (its `models/eval`)."""


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """One logged action as it happens.

    `result` is None for utterances and checks; `progress` is the answer to a check.
    """

    interaction: Interaction
    result: ActionResult | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The result of a session: how it ended, what was done, and the final check.

    `understanding` says which readings of dialogue the Follower used if it asked a model, such as
    "model 3, lexicon 1"; else it is "".  `agent_options` are what the agents want a record to say.
    `model_calls` are the requests to language models that played the agents.
    """

    end: SessionEnd
    progress: Progress
    start: Snapshot
    final: Snapshot
    interactions: tuple[Interaction, ...]
    decisions: tuple[RecordedDecision, ...]
    failures: int
    understanding: str = ""
    agent_options: tuple[tuple[str, str], ...] = ()
    model_calls: tuple[RecordedModelCall, ...] = ()

    @property
    def success(self) -> bool:
        """Whether the task was complete at the end."""
        return self.end is SessionEnd.SUCCESS

    def count_actions(self, role: Role) -> int:
        """Return how many logged interactions an agent made, failed ones too."""
        return sum(done.role is role for done in self.interactions)


def agent_options(*agents: object) -> tuple[tuple[str, str], ...]:
    """Return what agents want a record to say: their `record_options`, each once."""
    given = (option for agent in agents for option in getattr(agent, "record_options", ()))
    return tuple(dict.fromkeys(given))


def end_of_stop(agent: object) -> SessionEnd:
    """Return how a session ends when this agent stops: as its `end_of_stop` says, or given up."""
    return getattr(agent, "end_of_stop", None) or SessionEnd.GAVE_UP


def new_model_calls(
    agents: Sequence[object], noted: Sequence[RecordedModelCall], step: int
) -> tuple[RecordedModelCall, ...]:
    """Return the calls in the agents' `model_calls` that are not among those `noted`.

    They are made at this step, which is noted in each.
    """
    found: list[RecordedModelCall] = []
    for agent in agents:
        made: tuple[RecordedModelCall, ...] = getattr(agent, "model_calls", ())
        old = sum(call.role is made[0].role for call in noted) if made else 0
        found += (replace(call, step=step) for call in made[old:])
    return tuple(found)
