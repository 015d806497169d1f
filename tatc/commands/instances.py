"""`tatc instances`: EDH and TfD instances, cut from recorded games."""

from pathlib import Path
from typing import Annotated

import typer

from tatc.base import errors, files, folder_lock, plain_text
from tatc.commands.options import shared_options
from tatc.commands.text import output


@shared_options.with_option_groups
def instances(
    games: shared_options.GamesArgument,
    out: Annotated[Path, typer.Option()],
    kind: str = "edh",
    only_plans: shared_options.OnlyPlansOption = None,
    without_plans: shared_options.WithoutPlansOption = None,
    workers: shared_options.WorkersOption = 1,
    force: Annotated[bool, typer.Option("--force")] = False,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Cut recorded games into EDH or TfD instances."""
    from tatc.commands.options.session_options import selected_games
    from tatc.evaluation.instances.build_instances import write_all_instances
    from tatc.session.records import Benchmark

    errors.UnknownName.check("kind", kind, Benchmark)
    chosen = selected_games(games, only_plans, without_plans)
    made, kept, skipped = 0, 0, list(chosen.skipped_lines)
    files.make_folder(out, fix="name another folder with --out")
    bar = output.progress_counter(len(chosen.paths), "cutting games")
    with folder_lock.held(out), bar as count:
        for each in write_all_instances(chosen.paths, Benchmark(kind), out, force, workers):
            made += each.written
            kept += each.already_there
            skipped += [each.skipped] if each.skipped else []
            count(f"{made} made")
    for line in skipped:
        output.remark(f"skipped: {line}")
    if as_json:
        found = {"kind": kind, "games": len(chosen.paths), "made": made, "kept": kept}
        output.print_json({**found, "skipped": len(skipped), "folder": str(out)})
    else:
        counts = plain_text.counted(made, "instance"), plain_text.counted(len(chosen.paths), "game")
        output.print_line(f"{counts[0]} from {counts[1]} in {out}")
        if kept:
            output.print_line(f"{kept} existed already")
    if skipped:
        raise typer.Exit(output.EXIT_INPUTS_SKIPPED)
