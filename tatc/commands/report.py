"""`tatc report`: the scores of a run beside published ones, and what failed."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.output import examples_epilog, print_json
from tatc.commands.shared_options import ForceOption, JsonOption

if TYPE_CHECKING:
    from tatc.evaluation.run_report import RunReport

EXAMPLES = examples_epilog(
    "tatc report runs/train",
    "tatc report runs/train --html train.html --csv train.csv",
    "tatc report runs/train --apart 3,16,27 --json",
    "tatc report runs/train/shard-*",
)


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="The folder of a run, or the folders of its shards."),
    ],
    apart: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIST", help="Score the sessions in these floor plans separately, such as 3,16."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with plots, in one file.")
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a table with one line for each session."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a run's scores beside published ones, and its failures."""
    from tatc.atomic_files import write_atomically
    from tatc.commands.list_parsing import parse_plans
    from tatc.commands.report_text import print_report
    from tatc.evaluation.run_folder import find_runs
    from tatc.evaluation.run_report import read_report
    from tatc.records.game_header import place_names

    found = read_report(find_runs(runs))
    places = place_names(parse_plans(apart, "--apart"))
    if html is not None:
        from tatc.evaluation.report_page import report_page

        write_atomically(report_page(found, places).encode(), html, force=force)
    if csv is not None:
        from tatc.evaluation.csv_export import sessions_csv

        write_atomically(sessions_csv(found).encode(), csv, force=force)
    if as_json:
        print_json(report_json(found, places))
    else:
        print_report(found, places)


def report_json(found: "RunReport", places: frozenset[str] = frozenset()) -> dict[str, object]:
    """Return a report as JSON; `places` get figures of their own."""
    from dataclasses import asdict

    from tatc.evaluation.summary import run_summary, score_json

    return {
        "run": dict(found.identity),
        **run_summary(found.rows, found.seconds),
        "expected": found.expected_sessions,
        "wall_seconds": round(found.wall_seconds, 3),
        "per_kind": {name: score_json(got) for name, got in found.per_kind()},
        "per_split": {name: score_json(got) for name, got in found.per_split()},
        **({"apart": dict(_listed_plans_json(found, places))} if places else {}),
        "failures": [asdict(each) for each in found.failure_groups()],
        "controls": {
            each.name: score_json(each.overall)
            | {"where": each.relevant_where, "where_it_matters": score_json(each.relevant_score)}
            for each in found.controls
        },
        "fidelity": found.fidelity,
        **_cascade_json(found),
        **_instances_json(found),
    }


def _instances_json(found: "RunReport") -> dict[str, object]:
    from tatc.evaluation.summary import score_json

    official = found.official_scores()
    if official is None:
        return {}
    return {
        "official": official,
        "not_fulfilled_at_start": score_json(found.score_of_initially_unfulfilled()),
    }


def _cascade_json(found: "RunReport") -> dict[str, object]:
    starts = sum(row.starts for row in found.executed_rows)
    if not starts:
        return {}
    finished = sum(row.finished for row in found.executed_rows)
    reached = found.overall().goal_condition_rate
    return {"cascaded": {"starts": starts, "finished": finished, "reached_rate": reached}}


def _listed_plans_json(
    found: "RunReport", places: frozenset[str]
) -> "Iterable[tuple[str, dict[str, object]]]":
    from tatc.evaluation.summary import score_json

    return ((name, score_json(got)) for name, got in found.scores_by_places(places))
