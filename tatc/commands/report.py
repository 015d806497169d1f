"""`tatc report`: the figures of a run, beside those published, and what failed."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.output import examples, print_json

if TYPE_CHECKING:
    from tatc.evaluation.report import Report

EXAMPLES = examples(
    "tatc report runs/train",
    "tatc report runs/train --html train.html --csv train.csv",
    "tatc report runs/train --apart 3,16,27 --json",
    "tatc report runs/train/shard-*",
)


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...", help="A run's folder, or those of its shards."
        ),
    ],
    apart: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIST", help="Give these floor plans a line of their own."
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with plots, all in one file."),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a table with a line a session."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that exist.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the figures as one JSON object.")
    ] = False,
) -> None:
    """Report on a run: scores beside published ones, failures."""
    from tatc.atomic import write_whole
    from tatc.commands.ranges import plans_of
    from tatc.commands.report_text import tell
    from tatc.evaluation.folder import find_runs
    from tatc.evaluation.games import places_of
    from tatc.evaluation.report import read_report

    found = read_report(find_runs(runs))
    places = places_of(plans_of(apart, "--apart"))
    if html is not None:
        from tatc.evaluation.page import page

        write_whole(page(found, places).encode(), html, force=force)
    if csv is not None:
        from tatc.evaluation.csv import sessions_csv

        write_whole(sessions_csv(found).encode(), csv, force=force)
    if as_json:
        print_json(json_of(found, places))
    else:
        tell(found, places)


def json_of(found: "Report", places: frozenset[str] = frozenset()) -> dict[str, object]:
    """Return a report as JSON; `places` get figures of their own."""
    from dataclasses import asdict

    from tatc.evaluation.summary import score_json, summary

    return {
        "run": dict(found.identity),
        **summary(found.rows, found.seconds),
        "expected": found.expected,
        "wall_seconds": round(found.wall_seconds, 3),
        "per_kind": {name: score_json(got) for name, got in found.per_kind()},
        "per_split": {name: score_json(got) for name, got in found.per_split()},
        **({"apart": dict(_apart(found, places))} if places else {}),
        "failures": [asdict(each) for each in found.troubles()],
        "controls": {
            each.name: score_json(each.overall)
            | {"where": each.where, "where_it_matters": score_json(each.matters)}
            for each in found.controls
        },
        "fidelity": found.fidelity,
        **_cascade_json(found),
        **_instances_json(found),
    }


def _instances_json(found: "Report") -> dict[str, object]:
    from tatc.evaluation.summary import score_json

    official = found.official()
    if official is None:
        return {}
    return {"official": official, "not_fulfilled_at_start": score_json(found.begun())}


def _cascade_json(found: "Report") -> dict[str, object]:
    starts = sum(row.starts for row in found.ran)
    if not starts:
        return {}
    finished = sum(row.finished for row in found.ran)
    reached = found.overall().goal_condition_rate
    return {
        "cascaded": {"starts": starts, "finished": finished, "reached_rate": reached}
    }


def _apart(
    found: "Report", places: frozenset[str]
) -> "Iterable[tuple[str, dict[str, object]]]":
    from tatc.evaluation.summary import score_json

    return ((name, score_json(got)) for name, got in found.apart(places))
