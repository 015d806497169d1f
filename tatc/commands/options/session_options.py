"""The options that say which session to run, with which agents and in which world."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tatc.base.errors import BadInput, UnknownName
from tatc.commands.options.shared_options import (
    MapOption,
    PlansOption,
    TaskFoldersOption,
    ThorCommitOption,
    ThorExecutableOption,
    complete_commander,
    complete_follower,
    complete_room,
    complete_task,
    setting_field,
    settings_field,
    what_argument,
    what_field,
)
from tatc.session.agents.settings import AGENTS, given_settings

if TYPE_CHECKING:
    from tatc.session.agents.session_setup import SessionSetup
    from tatc.session.start import AnnotatedLanguage, SessionStart
    from tatc.sim.protocol import ThorBuild


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Which session: a task in a room, or the start of a recorded game."""

    named_task: Annotated[
        str | None,
        what_argument(
            metavar="TASK",
            help="The task: a name or a number (`tatc tasks` lists them).",
            autocompletion=complete_task,
        ),
    ] = None
    task: str | None = what_field(
        None, metavar="TASK", help="The same as the argument TASK.", autocompletion=complete_task
    )
    room: str | None = what_field(
        None,
        metavar="ROOM|FILE",
        help="A shipped room (`tatc rooms list`) or a room file. Default: the first "
        "room that the task can be done in.",
        autocompletion=complete_room,
    )
    game: Path | None = what_field(
        None,
        metavar="FILE",
        help="Start from the initial state of this recorded TEACh game, with its task; or from "
        "one of ALFRED's trajectories (traj_data.json), with --plans.",
    )
    param: list[str] | None = what_field(
        None,
        metavar="NAME=VALUE",
        help="A parameter of the task, by name or in order. Repeat it for more; "
        "the seed draws those that are left out.",
    )
    seed: int = what_field(
        1, min=0, metavar="N", help="Draws where objects are at the start, and task parameters."
    )
    tasks: TaskFoldersOption = None
    plans: PlansOption = None

    @property
    def task_name(self) -> str | None:
        """The task, as an argument or as an option."""
        if None not in (self.named_task, self.task) and self.named_task != self.task:
            why = f"two tasks are named: {self.named_task!r} and --task {self.task!r}"
            raise BadInput(why, fix="leave one out")
        return self.task if self.named_task is None else self.named_task

    def find_start(
        self, *, scene: str | None = None, thor: "ThorBuild | None" = None
    ) -> "SessionStart":
        """Return where the session starts; a `scene` is one of AI2-THOR's, of a build."""
        from tatc.session.play import find_session_start
        from tatc.sim.protocol import DEFAULT_BUILD

        return find_session_start(
            task=self.task_name,
            room=self.room,
            game=self.game,
            params=self.param or (),
            seed=self.seed,
            task_folders=self.tasks or (),
            plans=self.plans or (),
            scene=scene,
            thor=thor or DEFAULT_BUILD,
        )


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """The two agents, how the rule Commander plans and speaks, and what else agents take."""

    given: Mapping[str, Any] = settings_field(
        AGENTS, {"commander": complete_commander, "follower": complete_follower}
    )
    """What the user said of each setting, by name; its default where nothing was said."""

    @property
    def policies(self) -> list[Path]:
        """The folders with subgoal policies of the user's own."""
        return self.given["policies"] or []

    def named(self) -> "tuple[str, str]":
        """Return the names of the Commander, with its planner, and of the Follower."""
        from tatc.session.agents.agents import commander_with_planner

        given = self.given
        return commander_with_planner(given["commander"], given["planner"]), given["follower"]

    def annotated_language(self) -> "AnnotatedLanguage | None":
        """Return what of an annotation is read out, None for nothing."""
        from tatc.session.start import AnnotatedLanguage

        language = self.given["language"]
        if language is None:
            return None
        known = [each.value for each in AnnotatedLanguage]
        if language not in known:
            fix = f"name {' or '.join(known)}"
            raise UnknownName("language", language, known, fix=fix)
        return AnnotatedLanguage(language)


@dataclass(frozen=True, slots=True)
class WorldOptions:
    """tatc's own world."""

    floor_map: MapOption = "boxes"
    noise: float = setting_field("noise")

    def setup(self, agents: AgentOptions) -> "SessionSetup":
        """Return how a session is run with these agents in this world; nothing is checked yet."""
        from tatc.session.agents.agents import usual_wording
        from tatc.session.agents.session_setup import SessionSetup, parse_perception_level

        commander, follower = agents.named()
        return SessionSetup(
            self.floor_map,
            commander,
            follower,
            self.noise,
            agents.given["wording"] or usual_wording(commander, follower),
            perception=parse_perception_level(agents.given["perception"]),
            language=agents.annotated_language(),
            settings=given_settings(agents.given),
        )


@dataclass(frozen=True, slots=True)
class ThorWorldOptions(WorldOptions):
    """tatc's own world, or AI2-THOR."""

    sim: str = setting_field("sim")
    thor_executable: ThorExecutableOption = None
    thor_commit: ThorCommitOption = None

    @property
    def build(self) -> "ThorBuild":
        """The AI2-THOR that is asked for."""
        from tatc.sim.protocol import ThorBuild

        return ThorBuild(self.thor_executable, self.thor_commit)

    def setup(self, agents: AgentOptions) -> "SessionSetup":
        """Return how a session is run, in AI2-THOR where that is asked for."""
        # Not super(): slots make a new class, which the zero-argument form does not find.
        return replace(WorldOptions.setup(self, agents), sim=self.sim, thor=self.build)
