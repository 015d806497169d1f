"""Runs one session as `tatc run` does: from the names that a user gives to its result."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tatc.base import arguments
from tatc.base.errors import BadInput
from tatc.commander import Commander, CommanderView, Decision, Oracle
from tatc.follower import Follower
from tatc.home import actions, agent_traits
from tatc.session import loop, session_types, start as starts, worlds
from tatc.session.agents import session_setup
from tatc.session.records.trajectory import Annotation, is_trajectory_file
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.sim.protocol import DEFAULT_BUILD, Simulator, ThorBuild
from tatc.tdl import Task, load_library


def prepare(
    setup: session_setup.SessionSetup,
    overrides: session_setup.AgentOverrides = session_setup.NO_OVERRIDES,
) -> session_setup.ResolvedAgents:
    """Check the world of a setup, and return its agents, or those of `overrides`, checked."""
    worlds.check_world(setup.sim, setup.floor_map, setup.thor)
    if setup.floor_map != worlds.SHIPPED_MAP:  # which sessions in iTHOR's plans alone open
        worlds.load_recorded_map(setup.floor_map)
    return session_setup.resolve_agents(setup, overrides)


def find_session_start(
    *,
    task: str | int | None,
    room: str | None,
    game: str | Path | None,
    params: Sequence[str],
    seed: int,
    task_folders: Sequence[str | Path],
    plans: Sequence[str] = (),
    scene: str | None = None,
    thor: ThorBuild = DEFAULT_BUILD,
) -> starts.SessionStart:
    """Return the start of a session from the task and the place that a user named.

    The place is a `room`, a recorded `game`, or a `scene` of AI2-THOR, which is loaded from the
    build `thor` and in which the start is drawn as in a room.  A `game` may be one of ALFRED's
    trajectories; `plans` hold the furniture of its floor plan.
    """
    library, params = load_library(task_folders), arguments.texts(params, "--param")
    task = None if task is None else arguments.check_text(task, "--task")
    room = None if room is None else arguments.check_text(room, "--room")
    if game is not None:
        game = Path(arguments.check_text(game, "--game"))
        if room is not None or scene is not None:
            option = "--scene" if room is None else "--room"
            raise BadInput("a game brings its own room", fix=f"leave out {option}")
        if not is_trajectory_file(game):
            return starts.start_from_game(game, library, task, params, seed)
        if task is not None or params:
            raise BadInput("a trajectory brings its own task", fix="leave out --task and --param")
        return starts.start_from_trajectory(game, library, tuple(plans), seed)
    if task is None:
        raise BadInput("there is nothing to do", fix="name a task with --task, or a --game")
    if scene is None:
        return starts.start_from_room_name(room, library, task, params, seed)
    if room is not None:
        raise BadInput("a scene is a room", fix="leave out --room or --scene")
    from tatc.sim.rooms.scene_to_room import capture_room

    captured = capture_room(worlds.thor_client(thor), scene)
    return starts.start_from_room(captured, library, library.find(task), params, seed)


def run_from_start(
    start: starts.SessionStart,
    agents: session_setup.ResolvedAgents,
    *,
    watch: Callable[[session_types.SessionEvent], None] | None = None,
    watch_start: Callable[[Simulator, Follower], None] | None = None,
) -> tuple[session_types.SessionResult, RecordedMap | None]:
    """Run a pair of agents from a start; return the result, and the recorded map that was used.

    The map is without what the start's own game shows, and None if it was computed from boxes
    alone.  `watch` is called with every logged action, `watch_start` with the simulator and the
    Follower before the first.  An error of an agent becomes an AgentCrash.
    """
    sim, recorded_map = make_simulator(start, agents.setup)
    try:
        session, _, follower = session_from_start(sim, start, agents, watch=watch)
        if watch_start is not None:
            watch_start(sim, follower)
        result = session.run(start.scene)
    except session_types.Interrupted as key:
        key.recorded_map = recorded_map
        raise
    finally:
        sim.close()
    return result, recorded_map


def session_from_start(
    sim: Simulator,
    start: starts.SessionStart,
    agents: session_setup.ResolvedAgents,
    *,
    commander: Commander | None = None,
    watch: Callable[[session_types.SessionEvent], None] | None = None,
) -> tuple[loop.Session, Commander, Follower]:
    """Return a session that has not begun, with the limits of its start, and its agents.

    A `commander` takes the place of the setup's, and an annotation that is read out that of both.
    """
    made, follower = agents.make()
    if agents.setup.language is not None:
        leader = DirectiveCommander(start.directives, agents.setup.language, start.place)
    else:
        leader = commander or made
    limits = session_types.TATC_LIMITS
    if start.alfred_task is not None:
        limits = session_types.ALFRED_LIMITS
    elif agents.setup.get("talk") == "person":
        limits = session_types.PERSON_LIMITS
    level = agents.setup.perception
    session = loop.Session(
        sim, start.task, leader, follower, limits=limits, watch=watch, perception=level
    )
    return session, leader, follower


def check_world_of_start(start: starts.SessionStart, setup: session_setup.SessionSetup) -> None:
    """Check that a start fits a setup's world, and has the words that it reads out."""
    if setup.language is not None:
        DirectiveCommander(start.directives, setup.language, start.place)
    if start.alfred_task is not None and setup.sim == worlds.THOR_WORLD:
        raise BadInput("ALFRED's trajectories run in tatc's own world alone", fix="leave out --sim")


def make_simulator(
    start: starts.SessionStart, setup: session_setup.SessionSetup
) -> tuple[Simulator, RecordedMap | None]:
    """Return the simulator for a start, and its recorded map (None: computed from boxes alone)."""
    if setup.sim == worlds.THOR_WORLD:
        from tatc.sim.thor import ThorSimulator

        sim: Simulator = ThorSimulator(worlds.thor_client(setup.thor))
        return worlds.with_noise(sim, start, setup.noise), None
    recorded_map = worlds.load_map_for(setup.floor_map, start.scene.place, start.game_id)
    return worlds.with_noise(EmbeddedSimulator(recorded_map), start, setup.noise), recorded_map


class DirectiveCommander:
    """Reads out what an annotator of ALFRED wrote, and no more.

    It answers the Follower's first words with the goal sentence, and with the directives of the
    steps if they are asked for.  When the Follower speaks again, it has done what it could: nobody
    answers, and the session ends.
    """

    traits = agent_traits.AgentTraits(notes=True)
    decisions: tuple[Decision, ...] = ()

    def __init__(
        self, directives: Annotation | None, language: starts.AnnotatedLanguage, where: str
    ) -> None:
        """Say this much of an annotation, as one utterance; a BadInput if `where` has none."""
        if directives is None:
            fix = "name ALFRED's trajectories, or leave out --language"
            raise BadInput("has no directives", where=where, fix=fix)
        steps = directives.steps if language is starts.AnnotatedLanguage.STEPS else ()
        self._words = " ".join(map(_as_sentence, (directives.goal, *steps)))
        self._has_spoken = False
        self.notes = session_types.AgentNotes(options=(("language", language.value),))

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Forget that anything was said; neither the home nor the task is looked at."""
        self._has_spoken = False

    def act(self, view: CommanderView) -> actions.Action:
        """Return the directives as an utterance, and then Stop."""
        if self._has_spoken:
            return actions.Action(actions.Verb.STOP)
        self._has_spoken = True
        return actions.Action(actions.Verb.TEXT, text=self._words)


def _as_sentence(text: str) -> str:
    plain = " ".join(text.split())
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."
