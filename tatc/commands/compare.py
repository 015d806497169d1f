"""`tatc compare`: several Followers in the same sessions."""

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tatc.base.atomic_files import check_writable, write_atomically
from tatc.base.errors import BadInput
from tatc.commands.options.compare_options import CompareOutputOptions, FollowerOptions
from tatc.commands.options.evaluation_options import RunFolderOptions, SelectionOptions
from tatc.commands.options.language_model_options import LanguageModelOptions
from tatc.commands.options.model_play_options import ModelPlayOptions
from tatc.commands.options.option_groups import with_option_groups
from tatc.commands.options.shared_options import MapOption, PlannerOption
from tatc.commands.text.exit_status import exit_for_rows
from tatc.commands.text.output import (
    examples_epilog,
    print_json,
    progress_bar,
    progress_counter,
    remark,
)

if TYPE_CHECKING:
    from tatc.evaluation.runs.eval_options import EvalOptions
    from tatc.evaluation.runs.follower_comparison import Contender, FollowerComparison
    from tatc.evaluation.runs.rows import SessionRow

EXAMPLES = examples_epilog(
    "tatc compare --rooms --seeds 1-3 --tasks coffee --follower rule --follower et",
    "tatc compare games/ --limit 100 --follower rule --follower et --wording steps",
    "tatc compare edh/ --kind edh --games games/ --follower et --follower random",
    "tatc compare --room kitchen-01 --follower rule --follower random --html both.html",
    "tatc compare --rooms --tasks coffee --dialogue silent,one-way,two-way",
)


@with_option_groups
def compare(
    selection: SelectionOptions,
    followers: FollowerOptions,
    folder: RunFolderOptions,
    output: CompareOutputOptions,
    language_model: LanguageModelOptions,
    model_play: ModelPlayOptions,
    planner: PlannerOption = "policies",
    floor_map: MapOption = "boxes",
) -> None:
    """Compare Followers in the same sessions, pair by pair.

    Each session is saved when it ends: after an interruption, the same command
    continues where it stopped.  Exit status 0, whatever the agents solved; 1 when inputs
    were skipped; 3 with --fail-on-crash when an agent crashed.
    """
    from tatc.commands.compare_dialogue import compare_dialogue
    from tatc.commands.text.report_text import print_comparison
    from tatc.evaluation.reports.report_page import comparison_page
    from tatc.evaluation.runs.follower_comparison import choose_contenders
    from tatc.session.agents.agents import commander_with_planner
    from tatc.session.agents.dialogue_readers import check_goals
    from tatc.session.agents.resolve import (
        parse_perception_level,
        with_model_for_players,
    )
    from tatc.session.agents.session_setup import SessionSetup
    from tatc.session.agents.settings import given_settings

    selection.validate()
    language_model.check_processes(folder.workers)
    if language_model.dry_run:
        raise BadInput("--dry-run is for `tatc run` and `tatc eval`", fix="leave it out")
    base = SessionSetup(
        floor_map,
        commander_with_planner("rule", planner),
        perception=parse_perception_level(followers.given["perception"]),
        settings=given_settings(followers.given),
        model=language_model.settings(),
        play=model_play.play(language_model.max_tokens),
    )
    check_goals(base.get("goals"))
    if followers.dialogue is not None:
        compare_dialogue(selection, followers, folder, output, base, language_model.prepare)
        return
    if followers.commander:
        raise BadInput("--commander is for --dialogue", fix="add --dialogue, or leave it out")
    contenders = choose_contenders(
        followers.follower or (),
        followers.wording or (),
        kind=selection.kind,
        ablations=followers.ablations,
    )
    _warn_of_wordings(contenders)
    if output.html is not None:
        check_writable(output.html, force=folder.force)
    options = selection.eval_options(base)
    setups = (replace(base, follower=each.follower) for each in contenders)
    language_model.prepare(*map(with_model_for_players, setups))
    found = _run_comparison(options, contenders, folder)
    if output.html is not None:
        write_atomically(comparison_page(found).encode(), output.html, force=folder.force)
    if output.as_json:
        print_json(comparison_json(found))
    else:
        print_comparison(found)
    rows = [row for report in found.reports.values() for row in report.rows]
    exit_for_rows(rows, from_files=bool(options.games), fail_on_crash=folder.fail_on_crash)


def _warn_of_wordings(contenders: "list[Contender]") -> None:
    """Warn before hours are spent on Followers that hear different wordings."""
    from tatc.evaluation.runs.follower_comparison import pairs_to_compare, wording_warning

    for pair in pairs_to_compare(contenders):
        if warning := wording_warning(*pair):
            remark(f"warning: {warning}")


def _run_comparison(
    options: "EvalOptions",
    contenders: "list[Contender]",
    kept: RunFolderOptions,
) -> "FollowerComparison":
    from tatc.evaluation.runs.follower_comparison import compare_followers as run
    from tatc.evaluation.runs.run_evaluation import locate_run_folder
    from tatc.evaluation.runs.session_selection import select_sessions

    chosen = select_sessions(options, lambda paths: progress_bar(paths, "reading"))
    folder = kept.out if kept.out is not None else locate_run_folder(None, options).path
    total = len(contenders) * (len(chosen.jobs) + len(chosen.skipped_rows))
    try:
        with progress_counter(total, "sessions") as count:

            def watch(contender: "Contender", row: "SessionRow") -> None:
                count(contender.label)

            found = run(
                folder,
                options,
                chosen,
                contenders,
                workers=kept.workers,
                force=kept.force,
                on_row=watch,
                on_bad_line=lambda fault: remark(f"run again: {fault}"),
            )
    except KeyboardInterrupt:
        remark(f"finished sessions are kept in {folder}; the same command continues")
        raise
    remark(f"runs: {folder}")
    return found


def comparison_json(found: "FollowerComparison") -> dict[str, Any]:
    """Return a comparison as JSON.

    `followers` has each Follower's figures under its name (with its wording, where the
    name occurs twice). `pairs` has each pair, `paired` the first of them; a difference is
    first minus second.
    """
    from tatc.commands.report import report_json

    left_out = ("controls", "per_kind", "per_split")
    names = _display_names(found)
    followers = {
        names[label]: {
            name: value for name, value in report_json(report).items() if name not in left_out
        }
        for label, report in found.reports.items()
    }
    pairs = [
        {
            "first": names[each.first.label],
            "second": names[each.second.label],
            "sessions": each.paired.sessions,
            "difference": each.paired.difference,
            "interval": list(each.paired.interval),
            "p": each.paired.p_value,
            "verdict": each.verdict(),
            "warning": each.wording_warning(),
            "both": each.paired.both_succeeded,
            "neither": each.paired.neither_succeeded,
            "first_alone": list(each.only_first_succeeded),
            "second_alone": list(each.only_second_succeeded),
        }
        for each in found.pairs
    ]
    return {"followers": followers, "paired": pairs[0], "pairs": pairs}


def _display_names(found: "FollowerComparison") -> dict[str, str]:
    """Return each Follower's name by its label; the label where it is not enough."""
    short = {label: label.rpartition(" (")[0] for label in found.reports}
    counts = Counter(short.values())
    return {label: name if counts[name] == 1 else label for label, name in short.items()}
