"""Runs the same sessions under several conditions of dialogue."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.base.process_pool import map_in_processes
from tatc.evaluation.dialogue_worth.conditions import DialogueCondition, commander_under
from tatc.evaluation.dialogue_worth.kept_measures import KeptMeasures
from tatc.evaluation.dialogue_worth.measured_session import SessionMeasures, SessionMeter
from tatc.evaluation.runs.jobs import SessionJob
from tatc.home.actions import Action, Role, Verb
from tatc.session.agents.agent_crash import original_error
from tatc.session.agents.model_players import with_model_for_players
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.loop import Session
from tatc.session.runner import make_agents, make_simulator, setup_with_perception, validate_setup
from tatc.session.start import SessionStart, start_from_game, start_from_room_name
from tatc.tdl import TaskLibrary, load_library


@dataclass(frozen=True, slots=True)
class AgentPair:
    """A Commander and a Follower, by name, and how the rule Commander speaks."""

    commander: str
    follower: str
    wording: str

    @property
    def label(self) -> str:
        """Both names, as tables print them."""
        return f"{self.commander} + {self.follower}"

    def setup(self, base: SessionSetup) -> SessionSetup:
        """Return how sessions of this pair run, the rest as in `base`."""
        setup = replace(
            base, commander=self.commander, follower=self.follower, wording=self.wording
        )
        setup = with_model_for_players(setup)
        validate_setup(setup)
        return setup_with_perception(setup)


@dataclass(frozen=True, slots=True)
class Trials:
    """Sessions to run under one condition; `definitions` are folders with more tasks."""

    jobs: tuple[SessionJob, ...]
    setup: SessionSetup
    condition: DialogueCondition
    definitions: tuple[str, ...] = ()


def measure_sessions(
    trials: Trials, kept: KeptMeasures, workers: int = 1
) -> Generator[SessionMeasures]:
    """Yield what was measured in each session: in those kept, then in the others as they end.

    Each of the latter is kept before it is yielded, so that after an interruption the same call
    goes on.

    Raises:
        OutputError: a session cannot be kept.

    """
    done = kept.by_key()
    yield from (done[job.key] for job in trials.jobs if job.key in done)
    left = [job for job in trials.jobs if job.key not in done]
    measure = partial(_measure, replace(trials, jobs=()))
    for each in map_in_processes(measure, left, workers, _after_death):
        kept.add(each)
        yield each


def _measure(trials: Trials, job: SessionJob) -> SessionMeasures:
    """Run one session; what an agent raises is a result."""
    nothing = SessionMeasures(job.key, f"{job.place} {job.task}")
    try:
        start = _open(job, _library(trials.definitions))
    except BadInput as fault:
        return replace(nothing, skipped=fault.one_line)
    try:
        return measure_session(start, trials.setup, trials.condition, nothing.key, nothing.group)
    except Exception as fault:  # whatever an agent may raise
        raised = original_error(fault)
        return replace(nothing, crash=f"{type(raised).__name__}: {raised}")


def measure_session(
    start: SessionStart, setup: SessionSetup, condition: DialogueCondition, key: str, group: str
) -> SessionMeasures:
    """Run a session under a condition and return what was measured.

    Raises:
        AgentCrash: an agent raised an error.

    """
    sim, _ = make_simulator(start, setup)
    try:
        commander, follower = make_agents(setup)
        meter = SessionMeter(sim, start.task, condition)
        session = Session(
            sim,
            start.task,
            commander_under(condition, commander),
            follower,
            watch=meter.watch,
            perception=setup.perception,
        )
        session.start(start.scene)
        meter.begin()
        if condition is DialogueCondition.SILENT:
            line = start.task.check(sim.snapshot()).description
            session.act_for(Role.COMMANDER, Action(Verb.TEXT, text=line))
        while session.end is None:
            session.step()
        return meter.measures(key, group, session.result().progress)
    finally:
        sim.close()


def _open(job: SessionJob, library: TaskLibrary) -> SessionStart:
    if job.path is not None:
        return start_from_game(Path(job.path), library, None, (), job.seed)
    return start_from_room_name(job.room, library, job.task, (), job.seed)


@cache
def _library(definitions: tuple[str, ...]) -> TaskLibrary:
    return load_library([Path(each) for each in definitions])


def _after_death(job: SessionJob, why: str) -> SessionMeasures:
    return SessionMeasures(job.key, f"{job.place} {job.task}", crash=why)
