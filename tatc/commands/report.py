"""`tatc report`: the scores of a run beside the published ones, and its failures."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tatc.base import errors, files
from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.evaluation.runs.run_report import RunReport
    from tatc.evaluation.scoring.scores import GroupScore


@shared_options.with_option_groups
def report(
    runs: list[Path],
    apart: list[str] | None = None,
    html: Path | None = None,
    site: Path | None = None,
    csv: Path | None = None,
    tasks: shared_options.TaskFoldersOption = None,
    force: shared_options.ForceOption = False,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Show a run's scores beside published ones, and its failures."""
    from tatc.commands.options.session_options import parse_plans
    from tatc.commands.text.report_text import print_report
    from tatc.evaluation.blame.blame_run import read_saved_shares
    from tatc.evaluation.reports import report_page
    from tatc.evaluation.runs import run_folder, run_report
    from tatc.session.records.game_header import place_names

    if site is not None and html is None:
        raise errors.BadInput("--site goes with a page", fix="name the page with --html")
    folders = run_folder.find_runs(runs)
    found = run_report.read_report(folders)
    places = place_names(parse_plans(apart, "--apart"))
    if places and not any(row.place in places for row in found.rows):
        raise errors.BadInput("no session is there", where="--apart", fix="name floor plans of it")
    if html is not None:
        links = site and _write_failure_site(runs, found, site, html, tasks or (), force)
        page = report_page.report_page(found, places, links, read_saved_shares(folders[0]))
        files.write_atomically(page.encode(), html, force=force)
    if csv is not None:
        files.write_atomically(report_page.sessions_csv(found).encode(), csv, force=force)
    if as_json:
        output.print_json(report_json(found, places))
    else:
        print_report(found, places)
    output.exit_for_left_out(found.faults)


def _write_failure_site(
    runs: Sequence[Path],
    found: "RunReport",
    site: Path,
    html: Path,
    tasks: Sequence[Path],
    force: bool,
) -> dict[str, str]:
    """Write a recorded session of each group of failures; return the steps' addresses by key."""
    from urllib.parse import quote

    from tatc.apps.viewer import session_index, static_site, web_app
    from tatc.tdl import load_library

    files.check_writable(html, force=force)
    steps = {group.key: group.failure.step or 0 for group in found.failure_groups()}
    entries = [
        each
        for each in session_index.open_session_index(runs).entries
        if each.key in steps and each.path is not None
    ]
    library = load_library(tasks)
    with output.progress_counter(len(entries), "sessions") as count:
        static_site.write_site(
            entries,
            web_app.SessionCache(library),
            site,
            force=force,
            on_session_written=lambda entry: count(entry.task),
        )
    folder = quote(Path(os.path.relpath(site, html.parent)).as_posix())
    page = f"{folder}/session.html"
    return {each.key: f"{page}?s={each.id}#step={steps[each.key]}" for each in entries}


def report_json(found: "RunReport", places: frozenset[str] = frozenset()) -> dict[str, object]:
    """Return a report as JSON; `places` get figures of their own."""
    from dataclasses import asdict

    from tatc.evaluation.runs.run_report import run_summary, score_json

    def by_name(scores: "Iterable[GroupScore]") -> dict[str, object]:
        return {name: score_json(score) for name, score in scores}

    starts, finished = found.cascade_counts()
    reached = found.overall().goal_condition_rate
    cascaded = {"starts": starts, "finished": finished, "reached_rate": reached}
    return {
        "run": dict(found.identity),
        **run_summary(found.rows, found.seconds),
        "expected": found.expected_sessions,
        "left_out": list(found.faults),
        "wall_seconds": round(found.wall_seconds, 3),
        "per_kind": by_name(found.per_kind()),
        "per_split": by_name(found.per_split()),
        **({"apart": by_name(found.scores_by_places(places))} if places else {}),
        "failures": [asdict(each) for each in found.failure_groups()],
        "controls": {
            each.name: score_json(each.overall)
            | {"where": each.relevant_where, "where_it_matters": score_json(each.relevant_score)}
            for each in found.controls
        },
        "fidelity": found.fidelity,
        **({"cascaded": cascaded} if starts else {}),
        **_instances_json(found),
        **_subgoals_json(found),
    }


def _subgoals_json(found: "RunReport") -> dict[str, object]:
    if not found.is_of_subgoals:
        return {}
    from tatc.evaluation.scoring.published_results import mean_over_kinds

    scores = [score for _, score in found.per_task()]
    return {
        "mean_of_kinds": {
            "success_rate": mean_over_kinds(each.success_rate for each in scores),
            "plw_success_rate": mean_over_kinds(each.plw_success_rate for each in scores),
        }
    }


def _instances_json(found: "RunReport") -> dict[str, object]:
    from tatc.evaluation.runs.run_report import score_json

    official = found.official_scores()
    if official is None:
        return {}
    return {
        "official": official,
        "not_fulfilled_at_start": score_json(found.score_of_initially_unfulfilled()),
    }
