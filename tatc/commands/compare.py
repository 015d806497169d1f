"""`tatc compare`: several agents, or kept runs, in the same sessions."""

import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import exists, relpath  # unlike Path's, it bears any name
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tatc.base import files
from tatc.base.errors import BadInput
from tatc.commands.options import language_model_options, session_options, shared_options
from tatc.commands.text import output as terminal

if TYPE_CHECKING:
    from tatc.evaluation.runs.eval_options import EvalOptions
    from tatc.evaluation.runs.follower_comparison import Contender, FollowerComparison


@dataclass(frozen=True, slots=True)
class FollowerOptions:
    """The Followers that are compared, and how the Commander speaks to them."""

    follower: list[str] | None = shared_options.agents_field(
        None, autocompletion=shared_options.complete_follower
    )
    commander: list[str] | None = shared_options.agents_field(
        None, autocompletion=shared_options.complete_commander
    )
    policies: list[str] | None = shared_options.agents_field(None)
    ablations: bool = shared_options.agents_field(False, "--ablations")
    given: Mapping[str, Any] = shared_options.SpreadOptions(
        lambda each: each.help_in_compare, {}
    ).field()
    """What the user said of each setting that several Followers may have, by name."""
    wording: list[str] | None = shared_options.agents_field(None)
    floor_map: str = shared_options.map_field()


@dataclass(frozen=True, slots=True)
class CompareOutputOptions:
    """What is printed, and written."""

    html: Path | None = shared_options.output_field(None)
    as_json: shared_options.JsonOption = False


@shared_options.with_option_groups
def compare(
    selection: session_options.SelectionOptions,
    followers: FollowerOptions,
    folder: session_options.RunFolderOptions,
    output: CompareOutputOptions,
    language_model: language_model_options.LanguageModelOptions,
    model_play: language_model_options.ModelPlayOptions,
    planner: shared_options.PlannerOption = "policies",
) -> None:
    """Compare agents in the same sessions, pair by pair."""
    from tatc.evaluation.runs import follower_comparison, run_folder
    from tatc.session.agents import agent_names, agents, session_setup, settings

    if output.html is not None:
        files.check_writable(output.html, force=folder.force)
    games, names = selection.games or [], (*agent_names.COMMANDERS, *agent_names.FOLLOWERS)
    in_words = [each for each in games if not exists(each) and ("," in each or each in names)]
    words = [word for each in in_words for word in each.split(",")]
    runs = [Path(each) for each in games if run_folder.holds_runs(Path(each))]
    named = followers.follower or followers.commander or followers.policies
    if (words and (runs or named)) or (runs and named):
        raise BadInput("sides are named in two ways", fix="name runs, words or options alone")
    if runs:
        _show(follower_comparison.compare_kept_runs([*map(Path, games)]), output, (), folder.force)
        return
    selection = replace(selection, games=[each for each in games if each not in in_words])
    selection.validate()
    language_model.check_processes(folder.workers)
    if language_model.dry_run:
        raise BadInput("--dry-run is for `tatc run` and `tatc eval`", fix="leave it out")
    base = session_setup.SessionSetup(
        followers.floor_map,
        agents.commander_with_planner("rule", planner),
        perception=session_setup.parse_perception_level(followers.given["perception"]),
        settings=settings.given_settings(followers.given),
        model=model_play.settings(
            language_model, followers.commander or ["rule"], followers.follower or words
        ),
        play=model_play.play(language_model),
    )
    session_setup.check_goals(base.get("goals"))
    leaders = [agents.commander_with_planner(each, planner) for each in followers.commander or []]
    sides = follower_comparison.options_in_words(words, base.commander)
    contenders = _choose_sides(sides, followers, leaders or [base.commander], selection.kind)
    for first, second in follower_comparison.pairs_to_compare(contenders):
        if warning := first.wording_warning(second):  # before hours are spent
            terminal.remark(f"warning: {warning}")
    options = selection.eval_options(base)
    setups = (replace(base, follower=c.follower, commander=c.commander) for c in contenders)
    language_model.prepare(*setups)
    found = _run_comparison(options, contenders, folder)
    _show(found, output, options.definitions, folder.force)
    rows = [row for report in found.reports.values() for row in report.rows]
    terminal.exit_for_rows(rows, from_files=bool(options.games), fail_on_crash=folder.fail_on_crash)


def _choose_sides(
    in_words: dict[str, list[str]], chosen: FollowerOptions, commanders: list[str], kind: str
) -> "list[Contender]":
    """Return the sides that are compared, as words say, or else options."""
    from tatc.evaluation.runs.follower_comparison import choose_contenders

    followers, policies = chosen.follower or [], chosen.policies or []
    given = {"followers": followers, "commanders": commanders, "policies": policies}
    return choose_contenders(
        (sides := in_words or given)["followers"],
        chosen.wording or (),
        commanders=sides["commanders"],
        policies=sides["policies"],
        ablation_kind=kind if chosen.ablations else "",
    )


def _show(
    found: "FollowerComparison", output: CompareOutputOptions, tasks: Sequence[str], force: bool
) -> None:
    """Write the page that was asked for, and print the comparison."""
    from tatc.commands.text.report_text import print_comparison

    if output.html is not None:
        _write_page(found, output.html, tasks, force)
    if output.as_json:
        terminal.print_json(comparison_json(found))
    else:
        print_comparison(found)


def _write_page(found: "FollowerComparison", html: Path, tasks: Sequence[str], force: bool) -> None:
    """Write the page, and beside it a site of the sessions that it opens, with their records."""
    from tatc.apps.viewer import session_index, static_site, web_app
    from tatc.evaluation.reports.report_page import comparison_page
    from tatc.tdl import load_library

    keys, site = found.keys_to_show(), html.with_name(f"{html.stem}-sessions")
    labels = {str(path): label for label, report in found.reports.items() for path in report.paths}
    index = session_index.open_session_index([*map(Path, labels)])
    entries = [each for each in index.entries if each.key in keys and each.path is not None]
    cache = web_app.SessionCache(load_library(tasks))
    named = [replace(each, source=labels[each.source]) for each in entries]
    static_site.write_site(named, cache, site, with_pictures=False, force=True)
    files.make_folder(site / "records")
    for each in entries:
        assert each.path is not None
        copyfile(each.path, site / "records" / f"{each.id}.game.json.gz")
    here, beside = Path.cwd(), html.absolute().parent
    inside = beside.is_relative_to(here)
    told = {
        "folder": relpath(site, here if inside else beside),
        "link": quote(site.name),
        "root": relpath(here, beside) if inside else ".",
        "ids": {(labels[each.source], each.key): each.id for each in entries},
        "command": shlex.join(["tatc", *sys.argv[1:]]),
    }
    files.write_atomically(comparison_page(found, told).encode(), html, force=force)


def _run_comparison(
    options: "EvalOptions", contenders: "list[Contender]", kept: session_options.RunFolderOptions
) -> "FollowerComparison":
    from tatc.evaluation.runs.follower_comparison import compare_followers as run
    from tatc.evaluation.runs.session_selection import select_sessions

    chosen = select_sessions(options, lambda paths: terminal.progress_bar(paths, "reading"))
    total = len(contenders) * (len(chosen.jobs) + len(chosen.skipped_rows))
    told = terminal.told_if_interrupted("finished sessions are kept; the same command continues")
    with told, terminal.progress_counter(total, "sessions") as count:
        found = run(
            kept.out,
            options,
            chosen,
            contenders,
            workers=kept.workers,
            force=kept.force,
            on_row=lambda contender, row: count(contender.label),
            on_remark=terminal.remark,
        )
    kept_in = [str(path) for report in found.reports.values() for path in report.paths]
    terminal.remark(f"runs: {kept.out or ' '.join(kept_in)}")
    return found


def comparison_json(found: "FollowerComparison") -> dict[str, Any]:
    """Return a comparison as JSON.

    `followers` has each Follower's figures under its name (with its wording, where the
    name occurs twice). `pairs` has each pair, `paired` the first of them; a difference is
    first minus second.
    """
    from tatc.commands.report import report_json

    left_out = ("controls", "per_kind", "per_split")
    short = {label: label.rpartition(" (")[0] for label in found.reports}
    counts = Counter(short.values())
    names = {label: name if counts[name] == 1 else label for label, name in short.items()}
    followers = {
        names[label]: {k: v for k, v in report_json(report).items() if k not in left_out}
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
            "goal_conditions": each.goal_conditions.to_json(),
            "actions": each.actions.to_json(),
            "verdict": each.verdict(),
            "findings": each.findings(),
            "warning": each.first.wording_warning(each.second),
            "both": each.paired.both_succeeded,
            "neither": each.paired.neither_succeeded,
            "first_alone": list(each.only_first_succeeded),
            "second_alone": list(each.only_second_succeeded),
            "only_in_first": list(each.only_in_first),
            "only_in_second": list(each.only_in_second),
        }
        for each in found.pairs
    ]
    return {"followers": followers, "paired": pairs[0], "pairs": pairs}
