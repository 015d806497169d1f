"""`tatc debug`: step through a session, forwards and backwards."""

import sys
from collections.abc import Set
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tatc.base import errors, files
from tatc.commands.options import language_model_options, session_options, shared_options
from tatc.commands.text.output import console, exit_for_end, print_line, remark

if TYPE_CHECKING:
    from tatc.apps.debugger.debugger import Debugger
    from tatc.session.agents.session_setup import SessionSetup


@dataclass(frozen=True, slots=True)
class FinishedSessionOptions:
    """A session that has been run already, in place of a new one, and where to begin."""

    record: Path | None = shared_options.what_field(None)
    at: int = shared_options.what_field(0, min=0)
    fork: bool = shared_options.what_field(False, "--fork")
    breakpoints: Path | None = shared_options.what_field(None)


@dataclass(frozen=True, slots=True)
class DebugOutputOptions:
    """What to write in place of opening the debugger in the terminal."""

    as_text: bool = shared_options.output_field(False, "--print")
    picture: Path | None = shared_options.output_field(None)
    save_case: Path | None = shared_options.output_field(None)
    pddl_out: Path | None = shared_options.output_field(None)
    force: shared_options.ForceOption = False


@shared_options.with_option_groups
def debug(
    context: typer.Context,
    session: session_options.SessionOptions,
    finished: FinishedSessionOptions,
    agents: session_options.AgentOptions,
    world: session_options.WorldOptions,
    output: DebugOutputOptions,
    language_model: language_model_options.LanguageModelOptions,
    model_play: language_model_options.ModelPlayOptions,
) -> None:
    """Step through a session, forwards and backwards."""
    _announce(finished, output)
    from platformdirs import user_config_path

    from tatc.apps.debugger.branches import branch_of_new_session, branch_of_session
    from tatc.apps.debugger.breakpoints import Breakpoints
    from tatc.apps.debugger.debugger import Debugger
    from tatc.session import play, timeline
    from tatc.tdl import load_library

    setup = model_play.applied_to(world.setup(agents), language_model)
    if language_model.dry_run:
        raise errors.BadInput("--dry-run is for sessions that run to their end", fix="leave it out")
    if finished.record is not None:
        _refuse_task_and_place(_typed_options(context))
        if not setup.has_model_agent:
            play.prepare(replace(setup, perception=None, settings=()))
        library = load_library(session.tasks or ())
        source = timeline.read_finished_session(finished.record, library, floor_map=world.floor_map)
        typed = _typed_options(context)
        setup = _setup_with_typed_options(source.setup, setup, typed)
        if setup.model is not None:
            play.prepare(setup)
        if not typed.isdisjoint(("follower", "perception", *dict(setup.settings))):
            setup = play.prepare(setup).setup
        language_model.prepare(setup)
        first = branch_of_session(source)
    else:
        setup = play.prepare(setup).setup
        language_model.prepare(setup)
        first = branch_of_new_session(session.find_start(), setup)
    kept = finished.breakpoints or user_config_path("tatc") / "breakpoints.txt"
    points = Breakpoints(kept, first.session.start.session_id)
    debugger = Debugger(first, setup, policies=agents.policies or (), breakpoints=points)
    with closing(debugger):
        message = _go_to_step(debugger, finished.at)
        if finished.fork:
            message = debugger.fork()
            while debugger.branch.advance():
                pass
        _show(debugger, message, output)
        if debugger.at_end is not None:
            exit_for_end(debugger.at_end)


def _announce(finished: FinishedSessionOptions, output: DebugOutputOptions) -> None:
    """Say what is done until the first screen."""
    draws_none = output.as_text or output.picture or output.save_case or output.pddl_out
    if draws_none or not _has_terminal():
        return
    what = "starting a session" if finished.record is None else f"replaying {finished.record}"
    remark(f"{what}, up to step {finished.at}; the panes open in a moment")


def _has_terminal() -> bool:
    """Return whether all streams are a terminal's; the panes are drawn on stderr."""
    return sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()


def _show(debugger: "Debugger", message: str, output: DebugOutputOptions) -> None:
    if output.save_case is not None:
        from tatc.apps.debugger.pytest_cases import write_pytest_case

        case = output.save_case
        record = write_pytest_case(debugger, case, force=output.force)
        print_line(f"{case} and {record}: run them with pytest {case}")
    elif output.pddl_out is not None:
        from tatc.planners.pddl.problem_writer import save_pddl

        task, now = debugger.branch.session.start.task, debugger.moment.snapshot
        save_pddl(task, now, output.pddl_out, force=output.force)
        print_line(output.pddl_out / "problem.pddl")
    elif output.picture is not None:
        _write_screenshot(debugger, output.picture, output.force)
    elif output.as_text:
        _print_step(debugger)
    else:
        _open_terminal(debugger, message)


def _go_to_step(debugger: "Debugger", step: int) -> str:
    from tatc.session.records import SessionEnd

    message = debugger.go_to(step).reason
    if debugger.at < step and debugger.at_end is SessionEnd.CRASHED and message:
        raise errors.AgentCrash(message, where=f"step {debugger.at}")
    if debugger.at < step:
        why = f"there is no step {step}: the session ends at step {debugger.at}"
        raise errors.BadInput(why, where="--at", fix=f"name a step from 0 to {debugger.at}")
    return message


def _open_terminal(debugger: "Debugger", message: str) -> None:
    from tatc.apps.debugger.suspended_screen import breakpoint_hook
    from tatc.apps.debugger.terminal_app import DebuggerApp

    if not _has_terminal():
        raise errors.BadInput("the debugger needs a terminal", fix="--print tells a step as text")
    app = DebuggerApp(debugger, message)
    sys.breakpointhook = breakpoint_hook(app.free_terminal)
    app.run()


def _print_step(debugger: "Debugger") -> None:
    from tatc.apps.debugger import follower_camera, pane_texts

    camera = follower_camera.FollowerCamera(debugger.branch.session.start.scene)
    out = console()
    for line in pane_texts.all_pane_texts(debugger, camera):
        out.print(line)


def _write_screenshot(debugger: "Debugger", path: Path, force: bool) -> None:
    import asyncio

    from tatc.apps.debugger.terminal_app import screenshot_svg

    files.check_writable(path, force=force)
    files.write_atomically(asyncio.run(screenshot_svg(debugger)).encode(), path, force=force)
    print_line(path)


def _refuse_task_and_place(typed: Set[str]) -> None:
    named = ("room", "game", "param", "seed", "plans")
    given = ["the task"] if typed & {"named_task", "task"} else []
    given += [f"--{name}" for name in named if name in typed]
    if given:
        fix = f"leave out {' and '.join(given)}"
        raise errors.BadInput("a record brings its own task, place and seed", fix=fix)


def _typed_options(context: typer.Context) -> frozenset[str]:
    """Return the names of the options that the user gave, even those given their defaults."""
    return frozenset(
        name
        for name in context.params
        if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
    )


def _setup_with_typed_options(
    recorded: "SessionSetup", asked: "SessionSetup", typed: Set[str]
) -> "SessionSetup":
    """Return a record's setup with what was typed; an agent that is named brings its settings."""
    from tatc.home.actions import Role
    from tatc.session.agents.settings import group_of, settings_in_order

    chosen = replace(recorded, model=asked.model)
    if recorded.agents_from is not None:
        named = (asked.commander, asked.follower)
        chosen = replace(chosen, agents_from=replace(recorded.agents_from, named_by_user=named))
    typed_roles = {
        Role.COMMANDER: not typed.isdisjoint(("commander", "planner")),
        Role.FOLLOWER: "follower" in typed,
    }
    taken = {
        each.name: asked.get(each.name)
        for each in settings_in_order()
        if not typed.isdisjoint(mate.name for mate in group_of(each))
        or (each.role is not None and typed_roles[each.role])
    }
    return chosen.with_settings(**{name: taken[name] for name in taken.keys() - {"floor_map"}})
