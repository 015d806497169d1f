"""Options that several commands take, worded once, and the panels of `--help`."""

from pathlib import Path
from typing import Annotated

import typer

WHAT_PANEL, AGENTS_PANEL = "What to run", "Agents"
WORLD_PANEL, OUTPUT_PANEL = "World", "Output"
"""The headings under which `--help` lists options."""

GamesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="GAMES",
        help="Recorded games or saved sessions: files, folders or glob patterns.",
        rich_help_panel=WHAT_PANEL,
    ),
]

OptionalGamesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAMES",
        help="Recorded games: files, folders or glob patterns.",
        rich_help_panel=WHAT_PANEL,
    ),
]

TaskFoldersOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--tasks",
        metavar="DIR",
        help="A folder with task definitions of your own. Repeat it for more.",
        rich_help_panel=WHAT_PANEL,
    ),
]

OnlyPlansOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LIST",
        help="Only games in these floor plans, such as 3,16,205.",
        rich_help_panel=WHAT_PANEL,
    ),
]

WithoutPlansOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LIST",
        help="No games in these floor plans.",
        rich_help_panel=WHAT_PANEL,
    ),
]

RecordedGamesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--games",
        metavar="DIR",
        help="The recorded games that the instances were cut from.",
        rich_help_panel=WHAT_PANEL,
    ),
]

PlannerOption = Annotated[
    str,
    typer.Option(
        "--planner",
        metavar="policies|policies-only|pddl",
        help="How the rule Commander plans: by subgoal policies with PDDL as a fallback, by "
        "policies alone, or by PDDL alone.",
        rich_help_panel=AGENTS_PANEL,
    ),
]

FloorMapOption = Annotated[
    str,
    typer.Option(
        "--map",
        metavar="boxes|FILE",
        help="Where an agent can stand: computed from the objects' bounding boxes, or "
        "read from a map file too (`tatc rooms import`). What a map knows from the very "
        "game that is run is left out.",
        rich_help_panel=WORLD_PANEL,
    ),
]

ThorExecutableOption = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="AI2-THOR's executable, or what `tatc thor-server --print-executable` "
        "prints. Default: the build that AI2-THOR's Python client downloads.",
        rich_help_panel=WORLD_PANEL,
    ),
]

ThorCommitOption = Annotated[
    str | None,
    typer.Option(
        metavar="ID", help="A build of AI2-THOR, by its commit.", rich_help_panel=WORLD_PANEL
    ),
]

JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object to stdout.", rich_help_panel=OUTPUT_PANEL),
]

JsonLinesOption = Annotated[
    bool,
    typer.Option(
        "--json", help="Print JSON to stdout, one object a line.", rich_help_panel=OUTPUT_PANEL
    ),
]

ForceOption = Annotated[
    bool,
    typer.Option("--force", help="Replace files that exist.", rich_help_panel=OUTPUT_PANEL),
]

WorkersOption = Annotated[
    int,
    typer.Option(
        min=1, metavar="N", help="How many processes work at once.", rich_help_panel=OUTPUT_PANEL
    ),
]
