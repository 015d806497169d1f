"""Options that several commands take, worded once, and the headings of `--help`."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

# One for each heading under which `--help` lists options.
what_argument = partial(typer.Argument, rich_help_panel="What to run")
what_option = partial(typer.Option, rich_help_panel="What to run")
agents_option = partial(typer.Option, rich_help_panel="Agents")
world_option = partial(typer.Option, rich_help_panel="World")
output_option = partial(typer.Option, rich_help_panel="Output")

GamesArgument = Annotated[
    list[str],
    what_argument(
        metavar="GAMES", help="Recorded games or saved sessions: files, folders or glob patterns."
    ),
]

OptionalGamesArgument = Annotated[
    list[str] | None,
    what_argument(metavar="GAMES", help="Recorded games: files, folders or glob patterns."),
]

TaskFoldersOption = Annotated[
    list[Path] | None,
    what_option(
        "--tasks",
        metavar="DIR",
        help="A folder with task definitions of your own. Repeat it for more.",
    ),
]

OnlyPlansOption = Annotated[
    list[str] | None,
    what_option(metavar="LIST", help="Only games in these floor plans, such as 3,16,205."),
]

WithoutPlansOption = Annotated[
    list[str] | None, what_option(metavar="LIST", help="No games in these floor plans.")
]

RecordedGamesOption = Annotated[
    list[str] | None,
    what_option(
        "--games", metavar="DIR", help="The recorded games that the instances were cut from."
    ),
]

PlannerOption = Annotated[
    str,
    agents_option(
        metavar="policies|policies-only|pddl",
        help="How the rule Commander plans: by subgoal policies with PDDL as a fallback, by "
        "policies alone, or by PDDL alone.",
    ),
]

FloorMapOption = Annotated[
    str,
    world_option(
        "--map",
        metavar="boxes|FILE",
        help="Where an agent can stand: computed from the objects' bounding boxes, or "
        "read from a map file too (`tatc rooms import`). What a map knows from the very "
        "game that is run is left out.",
    ),
]

ThorExecutableOption = Annotated[
    str | None,
    world_option(
        metavar="PATH",
        help="AI2-THOR's executable, or what `tatc thor-server --print-executable` "
        "prints. Default: the build that AI2-THOR's Python client downloads.",
    ),
]

ThorCommitOption = Annotated[
    str | None, world_option(metavar="ID", help="A build of AI2-THOR, by its commit.")
]

JsonOption = Annotated[bool, output_option("--json", help="Print one JSON object to stdout.")]

JsonLinesOption = Annotated[
    bool, output_option("--json", help="Print JSON to stdout, one object a line.")
]

ForceOption = Annotated[bool, output_option("--force", help="Replace files that exist.")]

WorkersOption = Annotated[
    int, output_option(min=1, metavar="N", help="How many processes work at once.")
]
