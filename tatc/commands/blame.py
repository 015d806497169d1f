"""`tatc blame`: which agent's which step lost a session, found by running what else could be."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.base.errors import BadInput
from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.evaluation.blame.blame_run import BlameShare, RunBlame
    from tatc.evaluation.blame.blame_session import Blame

EXAMPLES = output.examples_epilog(
    "tatc blame coffee.game.json",
    "tatc blame coffee.game.json --every-step --json",
    "tatc blame runs/mine --workers 4",
)


def blame(
    what: Annotated[
        Path,
        shared_options.what_argument(
            metavar="RECORD|RUN", help="A session that tatc saved, or the folder of a run."
        ),
    ],
    able: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="COMMANDER,FOLLOWER",
            help="The able pair, which goes on from the session's moments.",
        ),
    ] = "rule,rule",
    every_step: Annotated[
        bool,
        typer.Option(
            "--every-step",
            help="Try every moment from the end on, instead of bisecting: exact, and slower.",
        ),
    ] = False,
    budget: Annotated[
        int, typer.Option(metavar="N", min=1, help="Let the able pair go on so often, at most.")
    ] = 100,
    tasks: shared_options.TaskFoldersOption = None,
    floor_map: Annotated[str | None, shared_options.setting_option("floor_map")] = None,
    workers: shared_options.WorkersOption = 1,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Say which agent's which step lost a session, or made it take too long.

    The world is put back to moments of the session, and an able pair goes on from there.
    The step after the last moment from which it solves the task lost the session. For a
    run, a table says how often it was each agent and each kind of step; it is saved in
    the folder as blame.json, and `tatc report --html` shows it.
    """
    from os.path import isdir

    from tatc.evaluation.blame import blame_run, blame_session
    from tatc.evaluation.runs.run_folder import find_runs
    from tatc.tdl import load_library

    pair = tuple(able.split(","))
    if len(pair) != 2 or not all(pair):
        fix = "name two, as in: --with rule,rule"
        raise BadInput(
            f"should be a Commander and a Follower, is {able!r}", where="--with", fix=fix
        )
    if not isdir(what):
        found = blame_session.blame_session(
            what, load_library(tasks or ()), able=pair, budget=budget, every_step=every_step,
            floor_map=floor_map,
        )  # fmt: skip
        if as_json:
            output.print_json(found.to_json())
        else:
            for line in session_lines(found):
                output.print_line(line)
        return
    runs = find_runs([what])
    total = sum(row.record is not None for run in runs for row in run.rows())
    with output.progress_counter(total, "sessions") as count:
        of_run = blame_run.blame_run(
            runs, workers=workers, on_session=count, able=pair, budget=budget, every_step=every_step
        )
    saved = blame_run.save_blame(of_run, runs[0])
    if as_json:
        output.print_json(of_run.to_json())
    else:
        _print_run(of_run)
        output.print_line(f"Saved: {saved}")
    output.exit_for_skipped(len(of_run.left_out)) if of_run.left_out else None


def session_lines(found: "Blame") -> Iterator[str]:
    """Yield the blame for a session as text."""
    from tatc.evaluation.blame.blame_session import Verdict

    took = f"{found.steps} steps of the Follower's; the able pair takes {found.able_steps}"
    yield f"{found.session}: {found.end.replace('_', ' ')}, {took}"
    if found.verdict is Verdict.WELL:
        yield "Nothing to blame: the task was solved, and about as soon as it could be."
    elif found.verdict is Verdict.START:
        yield "The start is to blame: the able pair fails from it, too."
    elif not found.is_exact:
        where = "" if found.moment is None else f"; step {found.moment} is not lost yet"
        yield f"The budget of {found.continuations} continuations is spent{where} (raise --budget)"
    elif found.culprit is not None:
        culprit, slow = found.culprit, found.verdict is Verdict.SLOW
        yield f"{'First needless step' if slow else 'Point of no return'}: step {found.moment}"
        yield f"Culprit: the {culprit.role.name.title()}, step {culprit.step} ({culprit.kind})"
        yield f"  it did:       {found.did}"
        yield f"  an able one:  {found.instead}"
        yield from _table_lines(found)
        yield f"See both: {found.command}"
    yield f"{found.continuations} continuations were run"


def _table_lines(found: "Blame") -> Iterator[str]:
    from tatc.home.actions import Role

    table = found.table
    if table is None:
        return
    yield "Goal conditions met from there on:   its own Follower   an able Follower"
    for name, cells in (
        ("its own Commander", (table.own_own, table.own_able)),
        ("an able Commander", (table.able_own, table.able_able)),
    ):
        words = [f"{met}{' (solved)' if solved else ''}" for met, solved in cells]
        yield f"  {name:<35}{words[0]:<20}{words[1]}"
    shares = [f"{role.name.title()} {100 * table.share_of(role):.0f} %" for role in Role]
    yield f"Shares by Shapley value: {', '.join(shares)}"


def _print_run(found: "RunBlame") -> None:
    output.print_line(f"{len(found.judged)} sessions lost or slow")
    for heading, shares in (("agent", found.by_agent()), ("kind of step", found.by_kind())):
        output.print_line()
        output.print_table((heading, "sessions", "%", "95 %", "share %"), map(_share_cells, shares))
    if spent := len(found.blames) - len(found.judged):
        output.remark(f"{spent} more sessions: their budget was spent (raise --budget)")
    for why in found.left_out:
        output.remark(f"left out: {why}")


def _share_cells(each: "BlameShare") -> tuple[object, ...]:
    low, high = each.interval
    share = "" if each.share is None else f"{100 * each.share:.1f}"
    return (
        each.name, each.sessions, f"{100 * each.rate:.1f}", f"{100 * low:.1f}-{100 * high:.1f}", share
    )  # fmt: skip
