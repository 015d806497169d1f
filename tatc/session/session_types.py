"""The limits, the events and the result of a session, and what agents leave of it or raise."""

import sysconfig
import traceback
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from tatc.base import code_identity, errors, plain_text
from tatc.home import actions, agent_traits, state
from tatc.session.records import Interaction, RecordedModelCall, record
from tatc.tdl import Progress


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """When a session stops: the Follower's `steps` and `failures`, and the `utterances` of both."""

    steps: int = 1000
    failures: int = 30
    utterances: int = 1000

    def end_at(self, steps: int, failures: int, utterances: int = 0) -> record.SessionEnd | None:
        """Return how a session ends with so many of each; None where it goes on."""
        if steps >= self.steps:
            return record.SessionEnd.STEP_LIMIT
        if failures >= self.failures:
            return record.SessionEnd.FAILURE_LIMIT
        return record.SessionEnd.GAVE_UP if utterances >= self.utterances else None


TATC_LIMITS = SessionLimits()  # the benchmark's limits
PERSON_LIMITS = SessionLimits(steps=50_000, failures=50_000, utterances=20_000)
"""Those beside a person, who says when it is enough: what a record can hold."""
ALFRED_LIMITS = SessionLimits(failures=10)  # ALFRED's limits (its `models/eval`)


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """One logged action as it happens: a primitive with its `result`, a check with `progress`."""

    interaction: Interaction
    result: actions.ActionResult | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The result of a session: how it ended, what was done, and the final check.

    `agent_options` are what the agents want a record to say, `model_calls` the requests to language
    models that played the agents.
    """

    end: record.SessionEnd
    progress: Progress
    start: state.Snapshot
    final: state.Snapshot
    interactions: tuple[Interaction, ...]
    decisions: tuple[record.RecordedDecision, ...]
    failures: int
    agent_options: tuple[tuple[str, str], ...] = ()
    model_calls: tuple[RecordedModelCall, ...] = ()

    @property
    def unanswered(self) -> str:
        """Why endpoint, network or the run's limits ended it, "" if they did not."""
        last = self.model_calls[-1] if self.model_calls else None
        ended = self.end in (record.SessionEnd.MODEL_FAILED, record.SessionEnd.BUDGET_SPENT)
        return last.why if ended and last is not None and last.is_unanswered else ""

    @property
    def success(self) -> bool:
        """Whether the task was complete at the end."""
        return self.end is record.SessionEnd.SUCCESS

    def count_actions(self, role: actions.Role) -> int:
        """Return how many logged interactions an agent made, failed ones too."""
        return sum(done.role is role for done in self.interactions)


@dataclass(frozen=True, slots=True)
class AgentNotes:
    """What an agent leaves of a session: `notes` of one whose traits say that it has them."""

    options: tuple[tuple[str, str], ...] = ()  # what it wants a record to say
    model_calls: tuple[RecordedModelCall, ...] = ()
    """Its requests to a language model so far, and what came of them."""
    end_of_stop: record.SessionEnd | None = None
    """How the session ends if the agent stops; None: it gave up."""


def notes_of(agent: Any) -> AgentNotes:
    """Return an agent's notes, empty ones of an agent that has none."""
    with crashes_blamed_on():
        notes: Any = agent.notes if agent_traits.traits_of(agent).notes else None
        if not isinstance(notes, AgentNotes):  # the word is anybody's
            return AgentNotes()
    if not _can_be_kept(notes):
        why = f"the agent {type(agent).__name__} crashed: no record can hold its notes"
        raise errors.AgentCrash(why, fix="give each option as a pair of texts")
    return notes


def _can_be_kept(notes: AgentNotes) -> bool:
    options, calls = cast(Any, notes.options), cast(tuple[object, ...], notes.model_calls)
    try:
        texts = [text for name, value in options for text in (name, value)]
        hash(options)
    except (TypeError, ValueError):
        return False
    calls_are_known = all(isinstance(each, RecordedModelCall) for each in calls)
    return calls_are_known and all(map(plain_text.is_savable, texts))


def agent_options(*agents: object) -> tuple[tuple[str, str], ...]:
    """Return what agents want a record to say, each option once."""
    return tuple(dict.fromkeys(option for agent in agents for option in notes_of(agent).options))


def end_of_stop(agent: object) -> record.SessionEnd:
    """Return how a session ends when this agent stops: as its notes say, or given up."""
    return notes_of(agent).end_of_stop or record.SessionEnd.GAVE_UP


def new_model_calls(
    notes: Sequence[AgentNotes], noted: Sequence[RecordedModelCall], step: int
) -> tuple[RecordedModelCall, ...]:
    """Return the calls in the notes that are not among those `noted`, as made at this step."""
    found: list[RecordedModelCall] = []
    for each in notes:
        old = sum(call.role is each.model_calls[0].role for call in noted if each.model_calls)
        found += (replace(call, step=step) for call in each.model_calls[old:])
    return tuple(found)


_MAX_ERROR = 5000  # characters that are taken of an error's words
_PACKAGE_FOLDER = str(code_identity.PACKAGE_FOLDER)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a session: `result` is what it was until then, and `recorded_map` its map."""

    recorded_map: Any = None

    def __init__(self, result: SessionResult) -> None:
        """Keep the result for whoever saves it."""
        super().__init__()
        self.result = result


@contextmanager
def crashes_blamed_on(role: actions.Role | None = None) -> Generator[None]:
    """Turn what an agent raises, also `sys.exit`, into its AgentCrash, but no error of tatc's."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # whatever an agent may raise
        if isinstance(fault, errors.TatcError) and not isinstance(fault, errors.UnsavableText):
            raise
        who = "agent" if role is None else role.name.capitalize()
        what = f"the {who} crashed: {error_words(fault)}"
        raise errors.AgentCrash(what, where=crash_place(fault)) from fault


def describe_crash(fault: BaseException) -> str:
    """Return an error and its place in one line: "IndexError: no mug (coffee.py:8)"."""
    fault = original_error(fault)
    if isinstance(fault, errors.TatcError):
        return fault.one_line
    place = crash_place(fault)
    return error_words(fault) + (f" ({place})" if place else "")


def original_error(fault: BaseException) -> BaseException:
    """Return what an agent raised, where an error is its crash; else the error itself."""
    cause = fault.__cause__ if isinstance(fault, errors.AgentCrash) else None
    return fault if cause is None else cause


def crash_place(fault: BaseException) -> str:
    """Return "file:line" of the innermost frame that is an agent's, else of tatc's, "" for none."""
    frames = [
        frame
        for frame in traceback.extract_tb(fault.__traceback__)
        if not frame.filename.startswith(sysconfig.get_path("stdlib"))
    ]
    own = [frame for frame in frames if not frame.filename.startswith(_PACKAGE_FOLDER)]
    last = (own or frames)[-1:]
    return f"{last[0].filename}:{last[0].lineno}" if last else ""


def error_words(fault: BaseException, *, whole: bool = True) -> str:
    """Return an error's type and words (or their first line) in one line that can be saved."""
    name = type(fault).__name__
    try:
        words = str(fault)[:_MAX_ERROR]
    except KeyboardInterrupt:
        raise
    except BaseException as inner:
        words = f"its words cannot be told ({type(inner).__name__})"
    words = words if whole else next(iter(words.splitlines()), "")
    words = " ".join(words.encode("utf-8", "backslashreplace").decode().split())
    return f"{name}: {words}" if words else name
