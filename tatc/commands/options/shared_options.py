"""Options that several commands take, worded once, and the headings of `--help`."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from tatc.commands.options.option_groups import OptionField

# For each heading of `--help`: fields of groups, and annotations of parameters.
what_field, agents_field = OptionField("What to run"), OptionField("Agents")
world_field, output_field = OptionField("World"), OptionField("Output")
plain_field, model_field = OptionField("Options"), OptionField("Language model")
what_argument = partial(typer.Argument, rich_help_panel=what_field.heading)
_what_option = partial(typer.Option, rich_help_panel=what_field.heading)
_agents_option = partial(typer.Option, rich_help_panel=agents_field.heading)
_world_option = partial(typer.Option, rich_help_panel=world_field.heading)
_output_option = partial(typer.Option, rich_help_panel=output_field.heading)

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
    _what_option(
        "--tasks",
        metavar="DIR",
        help="A folder with task definitions of your own. Repeat it for more.",
    ),
]

OnlyPlansOption = Annotated[
    list[str] | None,
    _what_option(metavar="LIST", help="Only games in these floor plans, such as 3,16,205."),
]

WithoutPlansOption = Annotated[
    list[str] | None, _what_option(metavar="LIST", help="No games in these floor plans.")
]

PlansOption = Annotated[
    list[str] | None,
    _what_option(
        "--plans",
        metavar="PLANS",
        help="For ALFRED's trajectories: files and folders with the furniture of their floor plans "
        "(AI2-THOR's metadata dumps, room files, TEACh games, or ai2thor-object-metadata.json of "
        "procthor 0.0.1.dev2). Repeat it for more.",
    ),
]

RecordedGamesOption = Annotated[
    list[str] | None,
    _what_option(
        "--games", metavar="DIR", help="The recorded games that the instances were cut from."
    ),
]

PlannerOption = Annotated[
    str,
    _agents_option(
        metavar="policies|policies-only|pddl|fast-downward",
        help="How the rule Commander plans: by subgoal policies with PDDL as a fallback, by "
        "policies alone, by PDDL alone, or by PDDL with Fast Downward, which is installed apart "
        "(`pip install up-fast-downward`).",
    ),
]

MapOption = Annotated[
    str,
    _world_option(
        "--map",
        metavar="boxes|FILE",
        help="Where an agent can stand: computed from the objects' bounding boxes, or "
        "read from a map file too (`tatc maps build`). What a map knows from the very "
        "game that is run is left out.",
    ),
]

RoomsFolderOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="The folder to write the rooms to. Default: tatc's data folder, where "
        "`--room FloorPlan1` and `tatc thor-server` find them.",
    ),
]

ThorExecutableOption = Annotated[
    str | None,
    _world_option(
        metavar="PATH",
        help="AI2-THOR's executable, or what `tatc thor-server --print-executable` "
        "prints. Default: the build that AI2-THOR's Python client downloads.",
    ),
]

ThorCommitOption = Annotated[
    str | None, _world_option(metavar="ID", help="A build of AI2-THOR, by its commit.")
]

JsonOption = Annotated[bool, _output_option("--json", help="Print one JSON object to stdout.")]

JsonLinesOption = Annotated[
    bool, _output_option("--json", help="Print JSON to stdout, one object a line.")
]

ForceOption = Annotated[bool, _output_option("--force", help="Replace files that exist.")]

WorkersOption = Annotated[
    int, _output_option(min=1, metavar="N", help="How many processes work at once.")
]
