"""The games that go on: a bounded number, each saved as a record when it is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from tatc.actions import Role
from tatc.agents import FOLLOWERS, WORDED, commander_named, follower_named
from tatc.errors import BadInput, OutputError, UnknownName
from tatc.language import Wording
from tatc.opening import Opening, open_game, open_room
from tatc.records import content_hash
from tatc.runner import Setup, save_record
from tatc.sim.rooms import room_names
from tatc.tdl import Library
from tatc.viewer.play.asked import Wish
from tatc.viewer.play.game import PERSON, Game
from tatc.viewer.play.seen import Window
from tatc.viewer.shelf import Entry, Shelf

GAMES = 8
"""Games at a time."""

FORGOTTEN = 600.0
"""Seconds without a sign of life after which a game makes room for another."""

PLAYED = "played here"
"""The source under which the list shows games that have just been played."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game, and the window through which its people see it."""

    game: Game
    window: Window


class Tables:
    """Games by id; it opens, finds and saves them."""

    def __init__(
        self,
        library: Library,
        shelf: Shelf,
        *,
        commanders: Sequence[str] = (),
        followers: Sequence[str] = (),
        folder: Path | None = None,
        pace: float = 0.35,
        games: int = GAMES,
    ) -> None:
        """Play tasks of a library.

        Args:
            library: the tasks.
            shelf: gives recorded starts, and takes the records of games played.
            commanders: Commanders that may be played with besides ours, and no others:
                a request must not make the server import what it likes.
            followers: the same for Followers.
            folder: where records go; the user's data folder if None.
            pace: seconds that an agent waits after each of its actions.
            games: how many there may be at a time.

        Raises:
            BadInput: an agent does not exist.

        """
        for name in commanders:
            commander_named(name)
        for name in followers:
            follower_named(name)
        self.library, self.shelf = library, shelf
        self.commanders = tuple(dict.fromkeys((*WORDED, *commanders)))
        self.followers = tuple(dict.fromkeys((*FOLLOWERS, *followers)))
        self._folder, self._pace, self._most = folder, pace, games
        self._tables: dict[str, Table] = {}
        self._saved: dict[str, Entry | str] = {}
        self._lock = Lock()

    def open(self, wish: Wish) -> Table:
        """Start a game.

        Raises:
            BadInput: it cannot be played, or too many games go on.

        """
        setup, people = self._setup(wish), _people(wish)
        opening = self._opening(wish)
        with self._lock:
            self._make_room()
            game = Game(opening, setup, people, pace=self._pace)
            table = self._tables[game.id] = Table(game, Window(game))
        return table

    def get(self, name: str) -> Table | None:
        """Return the game with this id, or None."""
        return self._tables.get(name)

    def all(self) -> tuple[Table, ...]:
        """Return the games, the oldest first."""
        return tuple(self._tables.values())

    def saved(self, game: Game) -> Entry | str | None:
        """Save a game that is over; return its entry, or why it could not be saved.

        None while it goes on.
        """
        if not game.over:
            return None
        with self._lock:
            return self._save_once(game)

    def close(self) -> None:
        """End all games; those in which something was done are saved."""
        with self._lock:
            for table in self.all():
                self._end(table.game)

    def _end(self, game: Game) -> None:
        game.stop()
        if len(game.moments) > 1:
            self._save_once(game)

    def _save_once(self, game: Game) -> Entry | str:
        if game.id not in self._saved:
            self._saved[game.id] = self._save(game)
        return self._saved[game.id]

    def _save(self, game: Game) -> Entry | str:
        record = game.record()
        try:
            path = save_record(
                record, self._path(game, content_hash(record)), force=True
            )
        except OutputError as error:
            return str(error)
        return self.shelf.add(path, PLAYED)

    def _path(self, game: Game, name: str) -> Path | None:
        if self._folder is None:
            return None
        task = game.opening.task.name.lower().replace(" ", "-")
        return self._folder / f"{task}_{game.opening.place}_{name[:12]}.game.json"

    def _make_room(self) -> None:
        """Put away the games that are over, or that all have left."""
        for name, table in tuple(self._tables.items()):
            if len(self._tables) < self._most:
                return
            if table.game.over or table.game.idle() > FORGOTTEN:
                self._end(table.game)
                del self._tables[name]
        if len(self._tables) >= self._most:
            raise BadInput(
                f"{self._most} games are being played already",
                fix="finish one, or wait ten minutes for one that was left",
            )

    def _setup(self, wish: Wish) -> Setup:
        """Return the agents of a game; the one in a person's place is never asked."""
        if wish.partner == PERSON:
            return Setup()
        commands = wish.part is Role.FOLLOWER
        known = self.commanders if commands else self.followers
        if wish.partner not in known:
            fix = f"choose one of {', '.join((*known, PERSON))}"
            raise UnknownName("partner", wish.partner, known, fix=fix)
        if not commands:
            return Setup(follower=wish.partner)
        setup = Setup(commander=wish.partner, wording=wish.wording or Wording.ACTIONS)
        setup.check()
        return setup

    def _opening(self, wish: Wish) -> Opening:
        if wish.start:
            entry = self.shelf.get(wish.start)
            if entry is None or entry.path is None:
                raise BadInput("there is no such session to start from")
            return open_game(entry.path, self.library, None, (), wish.seed)
        if wish.room and wish.room not in room_names():
            raise BadInput(f"there is no room {wish.room!r}")
        room = wish.room or None
        return open_room(room, self.library, wish.task, wish.params, wish.seed)


def _people(wish: Wish) -> tuple[Role, ...]:
    return tuple(Role) if wish.partner == PERSON else (wish.part,)
