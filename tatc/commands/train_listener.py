"""`tatc train-listener`: a listener of the user's own, from recorded games and named goals."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.base.atomic_files import check_writable
from tatc.base.errors import BadInput
from tatc.commands.options.input_files import InputFiles
from tatc.commands.options.option_groups import old_option, value_of_renamed
from tatc.commands.options.shared_options import ForceOption, GamesArgument, JsonOption
from tatc.commands.text.output import examples_epilog, print_json, remark

if TYPE_CHECKING:
    from tatc.home.state import Snapshot

EXAMPLES = examples_epilog(
    "tatc train-listener games/ --out my-listener.json",
    "tatc train-listener games/ --goals mine.jsonl --out my-listener.json",
    "tatc eval tfd/ --kind tfd --games games/ --follower listener:my-listener.json",
)


def train_listener(
    games: GamesArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write the listener to.")],
    goals: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Goals under names of your own, which it shall know."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
    memory: Annotated[Path | None, old_option("memory")] = None,
) -> None:
    """Learn where things are, for a listener of your own.

    It counts what is in what at the starts of recorded games.  `--follower listener:FILE` uses it.
    The file also holds the goals of --goals (`tatc understand --remember`).  It can be read and
    edited.  Files that are no games are named and skipped; then the exit status is 1.
    """
    from tatc.follower.listener.trained import TrainedListener, count_places, write_trained_listener
    from tatc.language.understanding.named_goals import NamedGoals, read_goals
    from tatc.session.records import find_games

    check_writable(out, force=force)
    file = value_of_renamed("goals", goals, "memory", memory)
    known = NamedGoals() if file is None else read_goals(file)
    files = InputFiles(find_games(games))
    starts = list(files.read(_read_start, "reading games"))
    if not starts:
        raise BadInput("none of these is a game", fix="name recorded games; nothing was written")
    places = count_places(starts)
    write_trained_listener(TrainedListener(len(starts), places, known), out, force=force)
    about = {
        "listener": str(out),
        "games": len(starts),
        "containers": sum(places.containers.values()),
        "things": sum(places.holding.values()),
        "goals": len(known.entries),
    }
    if as_json:
        print_json(about)
    else:
        remark(
            "{listener}: where {things} things were in {containers} places of {games} games, and "
            "{goals} goals under names".format_map(about)
        )
    files.finish()


def _read_start(path: Path) -> "Snapshot":
    from tatc.session.records.game import read_start

    return read_start(path).scene.start
