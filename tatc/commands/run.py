"""`tatc run`: one session, printed as it happens, and saved."""

import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tatc.base.errors import BadInput
from tatc.base.files import check_writable
from tatc.base.plain_text import counted
from tatc.commands.options import language_model_options, session_options, shared_options
from tatc.commands.text import output as terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tatc.commands.text.session_narrator import SessionNarrator
    from tatc.follower import Follower
    from tatc.session.agents.session_setup import ResolvedAgents, SessionSetup
    from tatc.session.records import Record
    from tatc.session.session_types import SessionResult
    from tatc.session.start import SessionStart
    from tatc.sim.maps.recorded_map import RecordedMap
    from tatc.sim.protocol import Simulator


@dataclass(frozen=True, slots=True)
class RememberOptions:
    """Whether a session is remembered."""

    remember: str | None = shared_options.agents_field(None)

    def taught_goals(self, path: Path | None) -> "TaughtGoals":
        """Return what adds the session to the goals in a file; without a path, nowhere."""
        if path is None:
            if self.remember is not None:
                raise BadInput("there is no file to remember in", fix="name one with --goals")
            return TaughtGoals(None, None)
        from tatc.base.json_fields import FieldError
        from tatc.language.understanding.named_goals import check_name, read_goals

        read_goals(path)
        if self.remember is not None:
            try:
                check_name(self.remember)
            except FieldError as fault:
                raise BadInput(fault.why, where="--remember", fix="name another") from fault
        return TaughtGoals(path, self.remember)


@dataclass(slots=True)
class TaughtGoals:
    """Remembers a session that was right: one that succeeded, or that the Commander closed."""

    path: Path | None  # the file to add to, None for nowhere
    name: str | None  # None: as the dialogue calls it
    follower: "Follower | None" = None  # the Follower whose session it is

    def remember(self, result: "SessionResult") -> dict[str, str | None]:
        """Add the session; return {"remembered": its name or None}, {} without file or listener."""
        if self.path is None:
            return {}
        from tatc.follower.listener.follower import ListenerFollower
        from tatc.language.understanding.named_goals import keep_goal

        if not isinstance(self.follower, ListenerFollower):
            return {}
        heard = self.follower.heard
        entry = heard.memory_entry(self.name)
        if entry is None or not (result.success or heard.closes):
            if self.name is not None:
                lacking = "goal" if entry is None else "success, and nobody called it right"
                terminal.remark(f"not remembered: the session had no {lacking}")
            return {"remembered": None}
        keep_goal(entry, self.path)
        terminal.remark(f"remembered: {entry.name}")
        return {"remembered": entry.name}


@dataclass(frozen=True, slots=True)
class RunWorldOptions(session_options.ThorWorldOptions):
    """tatc's own world, or a scene of AI2-THOR's."""

    scene: str | None = shared_options.world_field(None)


@dataclass(frozen=True, slots=True)
class RunOutputOptions:
    """What is printed, and what is saved where."""

    save: Path | None = shared_options.output_field(None)
    frames: Path | None = shared_options.output_field(None)
    frame_size: int = shared_options.output_field(900, min=16, max=4096)
    no_save: bool = shared_options.output_field(False, "--no-save")
    force: shared_options.ForceOption = False
    json: shared_options.JsonOption = False
    quiet: bool = shared_options.output_field(False, "--quiet")
    traceback: bool = shared_options.output_field(False, "--traceback")

    def validate(self) -> None:
        """Check that the record can be saved where it shall be."""
        if self.save is not None and self.no_save:
            raise BadInput("--save does not go with --no-save", fix="take one away")
        if self.save is not None:
            check_writable(self.save, force=self.force)


@shared_options.with_option_groups
def run(
    session: session_options.SessionOptions,
    agents: session_options.AgentOptions,
    world: RunWorldOptions,
    output: RunOutputOptions,
    language_model: language_model_options.LanguageModelOptions,
    model_play: language_model_options.ModelPlayOptions,
    recorded: language_model_options.RecordedAnswersOptions,
    remembering: RememberOptions,
) -> None:
    """Run one session of a Commander and a Follower."""
    from tatc.commands.text.session_narrator import SessionNarrator
    from tatc.session.agents.agent_names import PERSON_COMMANDER
    from tatc.session.agents.agents import user_policies
    from tatc.session.play import check_world_of_start
    from tatc.session.session_record import make_record
    from tatc.session.worlds import THOR_WORLD

    setup = model_play.applied_to(world.setup(agents), language_model)
    start: SessionStart | None = None
    if recorded.answers_from is not None:
        start, setup = recorded_session(recorded, session, agents, setup)
    elif recorded.pin is not None:
        raise BadInput("--pin counts the answers of a record", fix="name it with --answers-from")
    taught = remembering.taught_goals(agents.given["goals"])
    resolved = _resolve(setup)
    setup = resolved.setup
    if language_model.dry_run and setup.has_model_agent:
        language_model_options.print_play_estimate(setup, 1, as_json=output.json)
        return
    language_model.prepare(setup)
    if world.scene is not None and world.sim != THOR_WORLD:
        raise BadInput("--scene names a scene of AI2-THOR's", fix="add --sim thor")
    output.validate()
    by_person = setup.commander == PERSON_COMMANDER
    start = start or _find_start(session, world, setup)
    check_world_of_start(start, setup)
    if output.frames is not None:
        from tatc.session.timeline.frame_files import check_frames

        check_frames(output.frames, start.session_id, force=output.force)
    say = terminal.remark if output.json else terminal.print_line
    narrator = SessionNarrator(say, quiet=output.quiet, for_commander=by_person)
    with user_policies(agents.policies or ()), terminal.crash_traceback(shown=output.traceback):
        result, recorded_map = _play(start, resolved, narrator, taught, output)
    record = make_record(start, result, recorded_map, setup)
    path = _end(record, narrator, output)
    alfred = _alfred_score(start, result)
    remembered = taught.remember(result) | _probe_scores(record, start, world.floor_map, say)
    if alfred is not None:
        say("ALFRED's own test: {met} of {total} goal conditions".format_map(alfred))
    if output.frames is not None:
        _write_frames(record, start, world.floor_map, output.frames, output)
    if output.json:
        _print_outcome(record, path, ({} if alfred is None else {"alfred": alfred}) | remembered)
    terminal.exit_for_end(result.end)


def _find_start(
    session: session_options.SessionOptions, world: RunWorldOptions, setup: "SessionSetup"
) -> "SessionStart":
    """Return where the session starts; beside a Follower that converses, no task need be named."""
    from tatc.session.start import free_start

    if setup.get("talk") == "person" and not (session.task_name or session.game or world.scene):
        return free_start(session.room, session.seed)
    return session.find_start(scene=world.scene, thor=world.build)


def _resolve(setup: "SessionSetup") -> "ResolvedAgents":
    """Find the agents; beside a person, who types, the Follower talks as with one."""
    from tatc.session.agents import agent_names, session_setup
    from tatc.session.play import prepare

    if setup.commander != agent_names.PERSON_COMMANDER:
        return prepare(setup)
    from tatc.commands.text.typed_lines import PersonCommander, PipedLines

    person = session_setup.AgentOverrides(lambda: PersonCommander(PipedLines(sys.stdin.buffer)))
    return prepare(session_setup.with_person(setup), person)


def _play(
    start: "SessionStart",
    agents: "ResolvedAgents",
    narrator: "SessionNarrator",
    taught: TaughtGoals,
    output: RunOutputOptions,
) -> "tuple[SessionResult, RecordedMap | None]":
    """Run the session and narrate it; after Ctrl-C, save what a person or a model played."""
    from tatc.session.agents.agent_names import PERSON_COMMANDER
    from tatc.session.play import run_from_start
    from tatc.session.session_record import make_record
    from tatc.session.session_types import Interrupted

    def watch(sim: "Simulator", follower: "Follower") -> None:
        narrator.watch_follower(follower)
        taught.follower = follower

    narrator.narrate_start(start)
    with ExitStack() as stack:
        if agents.setup.commander == PERSON_COMMANDER:
            from tatc.commands.text.typed_lines import PersonCommander, typed_lines

            lines = stack.enter_context(typed_lines())
            agents = replace(agents, make_commander=lambda: PersonCommander(lines))
        try:
            return run_from_start(start, agents, watch=narrator.narrate_event, watch_start=watch)
        except Interrupted as key:
            if key.result.model_calls or agents.setup.commander == PERSON_COMMANDER:
                record = make_record(start, key.result, key.recorded_map, agents.setup)
                _end(record, narrator, output)
            raise


def _end(record: "Record", narrator: "SessionNarrator", output: RunOutputOptions) -> Path | None:
    from tatc.session.session_record import save_record

    path = None if output.no_save else save_record(record, output.save, force=output.force)
    narrator.narrate_end(record, path)
    return path


def _print_outcome(record: "Record", path: Path | None, found: "Mapping[str, object]") -> None:
    from tatc.commands.text.session_narrator import outcome_json
    from tatc.session.transcript import PlannerSummary

    planners = PlannerSummary.of(record.decisions).to_json()
    saved = {"record": str(path) if path else None, "planners": planners}
    terminal.print_json(outcome_json(record) | saved | dict(found))


def _alfred_score(start: "SessionStart", result: "SessionResult") -> dict[str, int] | None:
    if start.alfred_task is None:
        return None
    from tatc.evaluation.runs.rows import alfred_counts

    found = alfred_counts(start.alfred_task, result.start, result.final)
    return {"total": found.total, "met": found.met}


def _probe_scores(
    record: "Record", start: "SessionStart", floor_map: str, say: "Callable[[str], None]"
) -> dict[str, dict[str, int]]:
    """Tell and return how a session's probes were answered; {} for a session without probes."""
    if "probes" not in dict(record.options):
        return {}
    from tatc.session.timeline.timeline import probe_scores

    found = probe_scores(record, start.task, floor_map)
    say(f"Probes: {', '.join(f'{name} {count}' for name, count in found.items()) or 'none'}")
    return {"probes": found}


def _write_frames(
    record: "Record", start: "SessionStart", floor_map: str, folder: Path, output: RunOutputOptions
) -> None:
    from tatc.session.timeline import Timeline
    from tatc.session.timeline.frame_files import write_frames
    from tatc.session.timeline.timeline import finished_session_of

    source = finished_session_of(record, start.task, floor_map=floor_map)
    timeline, name = Timeline.of(source), record.session_id
    size, force = output.frame_size, output.force
    count = sum(1 for _ in write_frames(timeline, name, folder, size=size, force=force))
    terminal.remark(f"{counted(count, 'frame')} in {folder / record.session_id}")


# `tatc run --answers-from`: the session of a record again, with the answers that it holds.


def recorded_session(
    recorded: language_model_options.RecordedAnswersOptions,
    session: session_options.SessionOptions,
    agents: session_options.AgentOptions,
    asked: "SessionSetup",
) -> "tuple[SessionStart, SessionSetup]":
    """Return the start and setup of the named record; with a pin, the model of `asked` goes on."""
    from tatc.session.text_world.model_agents import RecordedAnswers
    from tatc.session.timeline import read_finished_session
    from tatc.tdl import load_library

    assert recorded.answers_from is not None
    if replace(session, tasks=None) != session_options.SessionOptions():
        why = "a record brings its own task and place"
        raise BadInput(why, fix="leave out the task, --room, --game, --param, --seed and --plans")
    if agents != session_options.AgentOptions():
        raise BadInput("a record brings its own agents", fix="leave out the options of agents")
    library = load_library(session.tasks or ())
    found = read_finished_session(recorded.answers_from, library, floor_map=asked.floor_map)
    answers = found.setup.recorded_answers
    if answers is None:
        why = "no language model played in this session, so it holds no answers"
        raise BadInput(why, where=str(recorded.answers_from), fix="`tatc replay` shows it")
    if recorded.pin is None and asked.model is not None:
        why = "the record answers, and a model is named"
        raise BadInput(why, fix="say with --pin from which answer on it is asked")
    pinned = RecordedAnswers(answers.calls, recorded.pin)
    return found.start, replace(found.setup, model=asked.model, recorded_answers=pinned)
