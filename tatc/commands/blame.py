"""`tatc blame`: which agent's which step lost a session, found by running what else could be."""

from collections.abc import Iterator, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.evaluation.blame.blame_session import Blame


@shared_options.with_option_groups
def blame(
    what: Annotated[Path, shared_options.what_argument()],
    able: Annotated[str, typer.Option("--with")] = "rule,rule",
    every_step: Annotated[bool, typer.Option("--every-step")] = False,
    budget: Annotated[int, typer.Option(min=1)] = 100,
    tasks: shared_options.TaskFoldersOption = None,
    floor_map: Annotated[str, shared_options.setting_option("floor_map")] = "shipped",
    workers: shared_options.WorkersOption = 1,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Find whose step lost a session."""
    from os.path import isdir

    from tatc.evaluation.blame import blame_run
    from tatc.evaluation.runs.run_folder import find_runs

    rows = [row for run in find_runs([what]) for row in run.rows()] if isdir(what) else []
    with output.progress_counter(sum(bool(row.record) for row in rows), "sessions") as count:
        found = blame_run.blame(
            what, able=tuple(able.split(",")), every_step=every_step, budget=budget,
            definitions=tasks or (), floor_map=floor_map, workers=workers, on_session=count,
        )  # fmt: skip
    is_run = isinstance(found, blame_run.RunBlame)
    if as_json:
        output.print_json(found.to_json())
    elif not is_run:
        output.print_lines(_session_lines(found))
    elif not found.blames:
        output.print_line("Nothing to blame")
    else:
        for heading, shares in (("agent", found.by_agent()), ("kind of step", found.by_kind())):
            heads = heading, "sessions", "%", "95 %", "share %"
            output.print_table(heads, map(_share_cells, shares))
            output.print_line()
        if spent := sum(each.verdict == "the budget is spent" for each in found.blames):
            output.print_line(f"{spent} more, whose budget was spent (raise --budget)")
    output.exit_for_left_out(found.left_out if is_run else ())


def _share_cells(each: Mapping[str, Any]) -> tuple[object, ...]:
    rate, low, high = (f"{100 * each[name]:.1f}" for name in ("rate", "low", "high"))
    share = "" if each["share"] is None else f"{100 * each['share']:.1f}"
    return each["name"], each["sessions"], rate, f"{low}-{high}", share


def _session_lines(found: "Blame") -> Iterator[str]:
    took = f"steps of the Follower's: {found.steps}, of the able pair's: {found.able_steps}"
    yield f"{found.session}: {found.end.replace('_', ' ')}, {took}"
    known = "" if found.moment is None else f" (step {found.moment} was not too late)"
    if found.step is None:
        yield f"{found.verdict.value.capitalize()}{known}"
    else:
        is_slow = found.table is None
        yield f"{'First needless step' if is_slow else 'Point of no return'}: step {found.moment}"
        yield f"Culprit: the {found.agent.capitalize()} at step {found.step}: {found.kind}"
        yield f"  it did:    {found.did}"
        yield f"  able one:  {found.instead}"
    if found.table is not None and found.commander_share is not None:
        words = (f"{met}{' (solved)' * solved}" for met, solved in astuple(found.table))
        own_own, own_able, able_own, able_able = words
        yield f"{'Goal conditions met':<22}{'its own Follower':<20}an able Follower"
        yield f"  its own Commander   {own_own:<20}{own_able}"
        yield f"  an able Commander   {able_own:<20}{able_able}"
        share = 100 * found.commander_share
        yield f"Shares by Shapley value: Commander {share:.0f} %, Follower {100 - share:.0f} %"
    if found.command:
        yield f"Both branches: {found.command}"
    yield f"Continuations run: {found.continuations}"
