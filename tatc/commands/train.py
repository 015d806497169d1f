"""`tatc train`: a light learned Follower, from rule sessions in rooms of its own."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import SomeGames, WithoutPlans
from tatc.commands.output import examples, print_json, remark
from tatc.commands.training import Anew, Bar, Device, Out, device_named

if TYPE_CHECKING:
    from tatc.training.fit import Epoch
    from tatc.training.school import Watch

EXAMPLES = examples(
    "tatc train --out runs/et",
    "tatc train games/ --without-plans 3,16 --held-out-plans 5,14 --out runs/people",
    "tatc train --out runs/et --lessons 2000 --rounds 2 --workers 2",
    "tatc run --task coffee --follower et:runs/et/follower.safetensors",
)


def train(
    out: Out,
    games: SomeGames = None,
    without_plans: WithoutPlans = None,
    held_out_plans: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="Floor plans whose games are validated on."),
    ] = None,
    lessons: Annotated[
        int, typer.Option(min=0, help="Sessions of the rule pair that are imitated.")
    ] = 800,
    epochs: Annotated[int, typer.Option(min=0, help="Epochs of imitation.")] = 10,
    rounds: Annotated[
        int, typer.Option(min=0, help="Rounds of example aggregation after that.")
    ] = 1,
    round_lessons: Annotated[
        int, typer.Option(min=1, help="Sessions of each round.")
    ] = 100,
    round_epochs: Annotated[int, typer.Option(min=0, help="Epochs of each round.")] = 3,
    held_out: Annotated[
        int, typer.Option(min=1, help="Sessions to validate on, in rooms of their own.")
    ] = 40,
    width: Annotated[
        int, typer.Option(min=8, help="Width of the network, a multiple of 4.")
    ] = 128,
    seed: Annotated[
        int, typer.Option(min=1, help="Draws lessons, weights and order.")
    ] = 1,
    device: Device = "auto",
    workers: Annotated[
        int, typer.Option(min=1, help="Processes that make examples.")
    ] = 1,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where examples are kept between runs."),
    ] = None,
    cache_mb: Annotated[
        int, typer.Option(min=1, help="How large that folder may grow, in megabytes.")
    ] = 1000,
    force: Anew = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="End with one JSON object on stdout.")
    ] = False,
) -> None:
    """Train a learned Follower on sessions of the rule pair.

    The same command goes on where it was broken off.  The Follower imitates the rule
    pair in rooms made on the fly; then its own errors are corrected, round by round.
    Where recorded games are named it imitates these alone, for --epochs and without
    lessons, and recalls what was said and done in the whole session.

    The Follower of the last epoch is DIR/follower.safetensors: give it as
    `--follower et:FILE`.
    """
    from platformdirs import user_cache_path

    from tatc.commands.ranges import plans_of
    from tatc.errors import BadInput
    from tatc.follower.et.extra import require

    if width % 4:
        raise BadInput(f"--width {width} is no multiple of 4", fix="name another")
    require()

    from tatc.training.cache import Cache
    from tatc.training.school import Options
    from tatc.training.school import train as run

    options = Options(
        games=tuple(games or ()),
        without_plans=plans_of(without_plans, "--without-plans"),
        held_out_plans=plans_of(held_out_plans, "--held-out-plans"),
        lessons=0 if games else lessons,
        epochs=epochs,
        rounds=0 if games else rounds,
        round_lessons=round_lessons,
        round_epochs=round_epochs,
        held_out=held_out,
        seed=seed,
        width=width,
        device=device_named(device),
    )
    kept = Cache(cache or user_cache_path("tatc") / "examples", cache_mb)
    with _watch() as (watch, ended):
        path = run(out, options, kept, workers=workers, force=force, watch=watch)
    if as_json:
        print_json({"follower": str(path), "epochs": len(ended)})
    else:
        typer.echo(f"Follower: {path}")


@contextmanager
def _watch() -> "Generator[tuple[Watch, list[Epoch]]]":
    """Yield who shows bars and tells of epochs, and the epochs that have ended."""
    from tatc.training.school import Watch

    ended: list[Epoch] = []
    with Bar() as bar:

        def told(epoch: "Epoch") -> None:
            ended.append(epoch)
            bar.close()
            remark(_line(epoch))

        watch = Watch(
            lessons=bar.open,
            lesson=bar.count,
            epoch=lambda number, total: bar.open(f"epoch {number}", total),
            example=bar.count,
            ended=told,
        )
        yield watch, ended


def _line(epoch: "Epoch") -> str:
    shares = "; ".join(
        f"{v.grain}: {v.actions:.1%} of actions, {v.classes:.1%} of classes, "
        f"{v.cells:.1%} of cells"
        for v in epoch.validations
    )
    return f"epoch {epoch.number}: loss {epoch.loss:.3f}; right of held-out {shares}"
