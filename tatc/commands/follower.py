"""`tatc follower`: what a learned Follower's checkpoint holds."""

from pathlib import Path
from typing import Annotated

import typer

from tatc.commands.options.shared_options import JsonOption
from tatc.commands.text.help_panels import PanelCommand
from tatc.commands.text.output import examples_epilog, print_json, print_line

INSPECT_EXAMPLES = examples_epilog(
    "tatc follower inspect et",
    "tatc follower inspect runs/et/follower.safetensors --json",
    "tatc follower inspect et_plus_h/latest.pth",
)

app = typer.Typer(name="follower", help="Inspect learned Followers.", no_args_is_help=True)


@app.command(cls=PanelCommand, epilog=INSPECT_EXAMPLES)
def inspect(
    checkpoint: Annotated[
        str,
        typer.Argument(
            metavar="et|et:FILE|FILE", help="The shipped checkpoint (et), or a checkpoint file."
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Show what a checkpoint holds, without running anything in it."""
    from tatc.follower.learned import LEARNED_FAMILY, require_learned_extra

    require_learned_extra()

    from tatc.follower.learned.learned_followers import checkpoint_of
    from tatc.follower.learned.learned_followers import summarize_checkpoint as look

    named = checkpoint.partition(":")[0] == LEARNED_FAMILY
    found = look(checkpoint_of(checkpoint) if named else Path(checkpoint))
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        print_line(f"{name.replace('_', ' ')}: {value}")
