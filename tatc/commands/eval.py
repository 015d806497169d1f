"""`tatc eval`: many sessions, scored; after an interruption it continues where it stopped."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tatc.base import errors, plain_text
from tatc.commands.options import language_model_options, session_options, shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.evaluation.runs.eval_options import EvalOptions
    from tatc.evaluation.runs.rows import SessionRow
    from tatc.evaluation.runs.run_folder import RunFolder

_MAX_SKIPPED_NAMED = 5  # skipped files that are named, at most


@dataclass(frozen=True, slots=True)
class InstanceOptions:
    """What a Follower, or a model with TEACh's interface, gets in instances."""

    model_args: str = shared_options.agents_field("")
    model_seconds: float = shared_options.agents_field(60.0, min=0.1)
    goal: str = shared_options.agents_field("understood")
    feedback: int = shared_options.agents_field(0, min=0)
    dialogue: str = shared_options.agents_field("own")


@dataclass(frozen=True, slots=True)
class EvalRunOptions:
    """What of the sessions is run, by whom, and what is kept."""

    controls: bool = shared_options.what_field(False, "--controls")
    shard: str = shared_options.what_field("1/1")
    save_records: str = shared_options.output_field("failures")
    stop: bool = shared_options.what_field(False, "-x")
    last_failed: bool = shared_options.what_field(False, "--last-failed")
    pdb: bool = shared_options.what_field(False, "--pdb")
    as_json: shared_options.JsonOption = False


@shared_options.with_option_groups
def evaluate(
    selection: session_options.SelectionOptions,
    agents: session_options.AgentOptions,
    instances: InstanceOptions,
    world: session_options.ThorWorldOptions,
    folder: session_options.RunFolderOptions,
    run: EvalRunOptions,
    language_model: language_model_options.LanguageModelOptions,
    model_play: language_model_options.ModelPlayOptions,
) -> None:
    """Run many sessions and score them."""
    from tatc.evaluation.runs import eval_options, run_conditions, subgoal_runner
    from tatc.evaluation.runs.session_selection import select_sessions
    from tatc.session.agents.session_setup import check_goals

    kinds = eval_options.SaveRecords
    keep = errors.UnknownName.member("choice of records", run.save_records, kinds)
    selection.validate()
    if run.controls and selection.kind != eval_options.TATC:
        why = "controls are Commanders, and instances have none"
        raise errors.BadInput(why, fix="leave out --controls")
    named = world.setup(agents)
    language_model.check_processes(folder.workers, plays=named.has_model_agent)
    setup = model_play.applied_to(named, language_model)
    check_goals(setup.get("goals"))
    options = replace(
        selection.eval_options(setup),
        shard=session_options.parse_shard(run.shard),
        policies=tuple(map(str, agents.policies or ())),
        keep=keep,
        model_args=tuple(shlex.split(instances.model_args)),
        model_seconds=instances.model_seconds,
        goal=instances.goal,
        feedback=instances.feedback,
        dialogue=errors.UnknownName.member(
            "dialogue", instances.dialogue, eval_options.DialogueSource
        ),
    )
    run_conditions.check_conditions(options)
    subgoal_runner.check_subgoal_options(options)
    options = run_conditions.with_perception(options)
    if language_model.dry_run and setup.has_model_agent:
        chosen = select_sessions(options, lambda paths: output.progress_bar(paths, "reading games"))
        language_model_options.print_play_estimate(setup, len(chosen.jobs), as_json=run.as_json)
        return
    language_model.prepare(setup)
    rows = _run_evaluation(options, folder, run)
    output.exit_for_rows(rows, from_files=bool(options.games), fail_on_crash=folder.fail_on_crash)


def _run_evaluation(
    options: "EvalOptions", kept: session_options.RunFolderOptions, run: EvalRunOptions
) -> "tuple[SessionRow, ...]":
    from tatc.evaluation.runs.eval_options import SaveRecords
    from tatc.evaluation.runs.run_evaluation import last_failed, locate_run_folder, run_evaluation
    from tatc.evaluation.runs.session_selection import select_sessions
    from tatc.session.agents.agent_names import CONTROL_COMMANDERS

    chosen = select_sessions(options, lambda paths: output.progress_bar(paths, "reading games"))
    folder = locate_run_folder(kept.out, options, output.remark)
    if run.last_failed:
        folder, chosen = last_failed(folder, chosen)
    total = len(chosen.jobs) + len(chosen.skipped_rows)

    def run_into(into: "RunFolder", how: "EvalOptions", label: str) -> "tuple[SessionRow, ...]":
        # A bar that moves would overwrite pdb's prompt.
        with output.progress_counter(total, label, shown=not run.pdb) as count:
            return run_evaluation(
                into,
                how,
                chosen,
                workers=kept.workers,
                force=kept.force or run.last_failed,
                stop_at_failure=run.stop,
                debug_crash=_open_pdb if run.pdb else None,
                on_row=_row_counter(count),
                on_remark=output.remark,
            )

    where = f"finished sessions are kept in {folder.path}; this command continues:"
    command = shlex.join(["tatc", *sys.argv[1:]])
    with output.told_if_interrupted(where, command), folder.held():
        rows = run_into(folder, options, "sessions")
        for name in CONTROL_COMMANDERS if run.controls else ():
            setup = replace(options.setup, commander=name)
            control = replace(options, setup=setup, keep=SaveRecords.NONE)
            run_into(folder.control_folder(name), control, name)
    _print_report(folder, run.as_json)
    refused = [row for row in rows if row.skipped and options.games]
    if refused:
        for row in refused[:_MAX_SKIPPED_NAMED]:
            output.remark(f"skipped: {row.skipped}")
        output.remark(f"skipped: {plain_text.counted(len(refused), 'file')}")
    return rows


def _open_pdb(fault: BaseException) -> None:
    import pdb

    output.remark(f"{type(fault).__name__}: {fault}")
    pdb.post_mortem(fault.__traceback__)


def _row_counter(count: Callable[[str], None]) -> "Callable[[SessionRow], None]":
    ran = solved = 0

    def watch(row: "SessionRow") -> None:
        nonlocal ran, solved
        ran += not row.skipped and not row.unanswered
        solved += row.success
        count(f"{solved / ran:.1%} solved" if ran else "")

    return watch


def _print_report(folder: "RunFolder", as_json: bool) -> None:
    from tatc.commands.report import report_json
    from tatc.commands.text.report_text import print_report
    from tatc.evaluation.runs.run_report import read_report

    found = read_report([folder])
    if as_json:
        output.print_json({"folder": str(folder.path), **report_json(found)})
    else:
        print_report(found)
        output.remark(f"run: {folder.path}")
