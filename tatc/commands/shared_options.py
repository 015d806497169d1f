"""Options that several commands take, worded once."""

from pathlib import Path
from typing import Annotated

import typer

GamesArgument = Annotated[
    list[str],
    typer.Argument(metavar="GAMES...", help="Game files or records, folders with them, or globs."),
]

OptionalGamesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAMES]...", help="Game files, folders with them, or globs."),
]

GameOption = Annotated[
    Path | None,
    typer.Option("--game", help="Start as this recorded TEACh game did, with its task."),
]

ParamsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="NAME=VALUE",
        help="A parameter of the task, by name or in order; repeats. "
        "Those left out are drawn by the seed.",
    ),
]

SeedOption = Annotated[int, typer.Option(min=0, help="Draws start and parameters.")]

TaskFoldersOption = Annotated[
    list[Path] | None,
    typer.Option("--tasks", metavar="DIR", help="A folder of task definitions to add."),
]

OnlyPlansOption = Annotated[
    list[str] | None, typer.Option(metavar="LIST", help="Only these floor plans, as 3,16,205.")
]

WithoutPlansOption = Annotated[
    list[str] | None, typer.Option(metavar="LIST", help="Without these floor plans.")
]

FloorMapOption = Annotated[
    str,
    typer.Option(
        "--map",
        metavar="boxes|FILE",
        help="Where the body may stand: from boxes alone, or from a map file too "
        "(`tatc rooms import`); a game's own cells are left out.",
    ),
]

CommanderOption = Annotated[
    str,
    typer.Option(
        "--commander",
        metavar="NAME|MODULE:CLASS",
        help="Who knows the task and speaks: rule, or one of your own.",
    ),
]

FollowerOption = Annotated[
    str,
    typer.Option(
        "--follower", metavar="NAME|MODULE:CLASS", help="Who acts: rule, or one of your own."
    ),
]

PlannerOption = Annotated[
    str,
    typer.Option(
        "--planner",
        metavar="policies|pddl",
        help="What the rule Commander plans with: policies, falling back on PDDL, or PDDL alone.",
    ),
]

WordingOption = Annotated[
    str,
    typer.Option(
        "--wording",
        metavar="actions|steps|goals",
        help="How the rule Commander speaks: in primitives with their clicks, in "
        "steps that leave the click to be seen, or in goals.",
    ),
]

PoliciesOption = Annotated[
    list[Path] | None,
    typer.Option(metavar="DIR", help="A folder of subgoal policies to add; repeats."),
]

CascadedOption = Annotated[
    bool,
    typer.Option(
        "--cascaded",
        help="Run each session from each of its instructions, and report the share "
        "of the goal conditions left there that is reached.",
    ),
]

SimOption = Annotated[
    str,
    typer.Option(
        "--sim",
        metavar="embedded|thor",
        help="The world: tatc's own, or AI2-THOR (the extra thor).",
    ),
]

ThorExecutableOption = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="AI2-THOR's executable, or what `tatc thor-server --print-executable` "
        "prints; left out, the build that the client fetches.",
    ),
]

ThorCommitOption = Annotated[
    str | None, typer.Option(metavar="ID", help="A build of AI2-THOR by its commit.")
]

NoiseOption = Annotated[
    float, typer.Option(min=0, max=1, help="Make each primitive fail at random, this often.")
]

AllRoomsOption = Annotated[bool, typer.Option("--rooms", help="Take all shipped rooms.")]

RoomsOption = Annotated[
    list[str] | None, typer.Option(help="Take this room (a name or a room file); repeats.")
]

SeedsOption = Annotated[
    str, typer.Option(metavar="LIST", help="Seeds in rooms, as 1,2,5 or 9001-9004.")
]

LimitOption = Annotated[
    int | None, typer.Option(min=1, help="Take a sample, each task in proportion.")
]

KindOption = Annotated[
    str,
    typer.Option(
        metavar="tatc|edh|tfd",
        help="Whole sessions of both agents, or instances (`tatc instances`) that "
        "a Follower or a model with TEACh's interface plays alone.",
    ),
]

RecordedGamesOption = Annotated[
    list[str] | None,
    typer.Option("--games", metavar="DIR", help="Games that instances were cut from."),
]

FailOnCrashOption = Annotated[
    bool,
    typer.Option("--fail-on-crash", help="End with exit status 3 when an agent crashed."),
]

WorkersOption = Annotated[int, typer.Option(min=1, help="Sessions at a time.")]
