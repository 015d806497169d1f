"""The games in progress: a limited number, each saved as a record when it is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from tatc.apps.viewer.play import human_game, role_views
from tatc.apps.viewer.session_index import SessionEntry, SessionIndex
from tatc.base.errors import BadInput, OutputError, UnknownName
from tatc.home.actions import Role
from tatc.language import Wording
from tatc.session import play, session_record
from tatc.session.agents import agents, session_setup
from tatc.session.agents.agent_names import FOLLOWERS, SELF_CONTAINED_COMMANDERS
from tatc.session.start import SessionStart, free_start, start_from_game, start_from_room_name
from tatc.sim.rooms import shipped_names
from tatc.tdl import TaskLibrary

MAX_GAMES = 8  # how many games there may be at a time
ABANDONED_AFTER_SECONDS = 600.0
"""Seconds without a request of its players after which a game may be removed."""
PLAYED_SOURCE = "played here"
"""The source that the list of sessions shows for games played in the viewer."""


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A game that somebody wants to start.

    `start` is the id of an indexed session whose start is taken; if "", `task` and `room` ("" for
    the first where the task can be done) define it; without a `task` nothing is checked.
    `partner` is an agent's name or "person".
    """

    role: Role
    partner: str
    wording: str
    task: str
    params: tuple[str, ...]
    room: str
    seed: int
    start: str


class GameHost:
    """The games by id: starts, finds and saves them."""

    def __init__(
        self,
        library: TaskLibrary,
        session_index: SessionIndex,
        *,
        commanders: Sequence[str] = (),
        followers: Sequence[str] = (),
        folder: Path | None = None,
        pace_seconds: float = 0.35,
        max_games: int = MAX_GAMES,
    ) -> None:
        """Host games of a library's tasks.

        The index offers recorded starts, and gets the records of games played; they are saved in
        `folder`, the user's data folder if None.  `commanders` and `followers` are offered besides
        the shipped ones.  No others can be chosen, so that no request imports a module.
        """
        for name in commanders:
            agents.commander_factory(name)
        for name in followers:
            agents.follower_factory(name)
        self.library, self.session_index = library, session_index
        self.commanders = tuple(dict.fromkeys((*SELF_CONTAINED_COMMANDERS, *commanders)))
        self.followers = tuple(dict.fromkeys((*FOLLOWERS, *followers)))
        self._folder, self._pace_seconds, self._max_games = folder, pace_seconds, max_games
        self._games: dict[str, role_views.RoleViews] = {}
        self._saved: dict[str, SessionEntry | str] = {}
        self._lock = Lock()

    def start_game(self, game_request: GameRequest) -> role_views.RoleViews:
        """Start a game."""
        setup = self._setup_of(game_request)
        people = tuple(Role) if game_request.partner == human_game.PERSON else (game_request.role,)
        start = self._start_of(game_request)
        with self._lock:
            self._remove_finished_games()
            game = human_game.HumanGame(start, setup, people, pace_seconds=self._pace_seconds)
            hosted = self._games[game.id] = role_views.RoleViews(game)
        return hosted

    def get(self, name: str) -> role_views.RoleViews | None:
        """Return the game with this id, or None."""
        return self._games.get(name)

    def games(self) -> tuple[role_views.RoleViews, ...]:
        """Return the games, the oldest first."""
        return tuple(self._games.values())

    def save_if_over(self, game: human_game.HumanGame) -> SessionEntry | str | None:
        """Save a game that is over; return its entry, or why not; None if it goes on."""
        if not game.is_over:
            return None
        with self._lock:
            return self._save_once(game)

    def close(self) -> None:
        """End all games, and save those in which somebody acted."""
        with self._lock:
            for hosted in self.games():
                self._end_game(hosted.game)

    def _end_game(self, game: human_game.HumanGame) -> None:
        game.stop()
        if len(game.moments) > 1:
            self._save_once(game)

    def _save_once(self, game: human_game.HumanGame) -> SessionEntry | str:
        if game.id not in self._saved:
            try:
                path = session_record.save_record_in(game.record(), self._folder)
                self._saved[game.id] = self.session_index.add(path, PLAYED_SOURCE)
            except OutputError as error:
                self._saved[game.id] = str(error)
        return self._saved[game.id]

    def _remove_finished_games(self) -> None:
        for name, hosted in tuple(self._games.items()):
            if len(self._games) < self._max_games:
                return
            if hosted.game.is_over or hosted.game.idle_seconds() > ABANDONED_AFTER_SECONDS:
                self._end_game(hosted.game)
                del self._games[name]
        if len(self._games) >= self._max_games:
            raise BadInput(
                f"as many games are going on as may be ({self._max_games})",
                fix="finish one; a game that its players have left ends after ten minutes",
            )

    def _setup_of(self, game_request: GameRequest) -> session_setup.SessionSetup:
        """Return the agents of a game; the agent in a person's role never acts."""
        if game_request.partner == human_game.PERSON:
            return session_setup.SessionSetup()
        commands = game_request.role is Role.FOLLOWER
        known = self.commanders if commands else self.followers
        if game_request.partner not in known:
            fix = f"choose one of {', '.join((*known, human_game.PERSON))}"
            raise UnknownName("partner", game_request.partner, known, fix=fix)
        if not commands:
            setup = session_setup.SessionSetup(follower=game_request.partner)
            return session_setup.resolve_agents(session_setup.with_person(setup)).setup
        setup = session_setup.SessionSetup(
            commander=game_request.partner, wording=game_request.wording or Wording.ACTIONS
        )
        return play.prepare(setup).setup

    def _start_of(self, game_request: GameRequest) -> SessionStart:
        if game_request.start:
            entry = self.session_index.get(game_request.start)
            if entry is None or entry.path is None:
                raise BadInput("there is no such recorded start")
            return start_from_game(entry.path, self.library, None, (), game_request.seed)
        if game_request.room and game_request.room not in shipped_names():
            raise BadInput(f"there is no room {game_request.room!r}")
        room = game_request.room or None
        if not game_request.task:
            return free_start(room, game_request.seed)
        return start_from_room_name(
            room, self.library, game_request.task, game_request.params, game_request.seed
        )
