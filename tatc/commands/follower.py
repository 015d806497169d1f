"""`tatc follower`: what is inside a learned Follower's checkpoint."""

from pathlib import Path
from typing import Annotated

import typer

from tatc.commands.help_panels import PanelCommand
from tatc.commands.output import examples_epilog, print_json

INSPECT_EXAMPLES = examples_epilog(
    "tatc follower inspect et",
    "tatc follower inspect runs/et/follower.safetensors --json",
    "tatc follower inspect et_plus_h/latest.pth",
)

app = typer.Typer(name="follower", no_args_is_help=True)


@app.callback()
def follower() -> None:
    """Look into learned Followers."""


@app.command(cls=PanelCommand, epilog=INSPECT_EXAMPLES)
def inspect(
    checkpoint: Annotated[
        str, typer.Argument(metavar="et|et:FILE|FILE", help="What to look into.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON alone to stdout.")] = False,
) -> None:
    """Say what a checkpoint holds; nothing in it is run."""
    from tatc.agent_names import LEARNED_FAMILY
    from tatc.follower.et.dependencies import require_learned_extra

    require_learned_extra()

    from tatc.follower.et.checkpoint_summary import summarize_checkpoint as look
    from tatc.follower.et.learned_followers import checkpoint_of

    named = checkpoint.partition(":")[0] == LEARNED_FAMILY
    found = look(checkpoint_of(checkpoint) if named else Path(checkpoint))
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        typer.echo(f"{name.replace('_', ' ')}: {value}")
