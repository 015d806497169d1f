"""The options that say which session to run, with which agents and in which world."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tatc.commands.completion import (
    complete_commander,
    complete_follower,
    complete_room,
    complete_task,
)
from tatc.commands.shared_options import (
    FloorMapOption,
    PlannerOption,
    TaskFoldersOption,
    ThorCommitOption,
    ThorExecutableOption,
    agents_option,
    what_argument,
    what_option,
    world_option,
)
from tatc.errors import BadInput

if TYPE_CHECKING:
    from tatc.session.runner import SessionSetup
    from tatc.session.start import SessionStart
    from tatc.sim.thor_build import ThorBuild


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
    task: Annotated[
        str | None,
        what_option(
            metavar="TASK",
            help="The same as the argument TASK.",
            autocompletion=complete_task,
        ),
    ] = None
    room: Annotated[
        str | None,
        what_option(
            metavar="ROOM|FILE",
            help="A shipped room (`tatc rooms list`) or a room file. Default: the first "
            "room that the task can be done in.",
            autocompletion=complete_room,
        ),
    ] = None
    game: Annotated[
        Path | None,
        what_option(
            metavar="FILE",
            help="Start from the initial state of this recorded TEACh game, with its task.",
        ),
    ] = None
    param: Annotated[
        list[str] | None,
        what_option(
            metavar="NAME=VALUE",
            help="A parameter of the task, by name or in order. Repeat it for more; "
            "the seed draws those that are left out.",
        ),
    ] = None
    seed: Annotated[
        int,
        what_option(
            min=0, metavar="N", help="Draws where objects are at the start, and task parameters."
        ),
    ] = 1
    tasks: TaskFoldersOption = None

    @property
    def task_name(self) -> str | None:
        """The task, as an argument or as an option.

        Raises:
            BadInput: both are given and differ.

        """
        if None not in (self.named_task, self.task) and self.named_task != self.task:
            why = f"two tasks are named: {self.named_task!r} and --task {self.task!r}"
            raise BadInput(why, fix="leave one out")
        return self.task if self.named_task is None else self.named_task

    def find_start(
        self, *, scene: str | None = None, thor: "ThorBuild | None" = None
    ) -> "SessionStart":
        """Return where the session starts; a `scene` is one of AI2-THOR's, of a build."""
        from tatc.session.runner import find_session_start
        from tatc.sim.thor_build import DEFAULT_BUILD

        return find_session_start(
            task=self.task_name,
            room=self.room,
            game=self.game,
            params=self.param or (),
            seed=self.seed,
            task_folders=self.tasks or (),
            scene=scene,
            thor=thor or DEFAULT_BUILD,
        )


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """The two agents, and how the rule Commander plans and speaks."""

    commander: Annotated[
        str,
        agents_option(
            metavar="NAME|MODULE:CLASS",
            help="The Commander, who knows the task and instructs: rule, or a class of your own.",
            autocompletion=complete_commander,
        ),
    ] = "rule"
    follower: Annotated[
        str,
        agents_option(
            metavar="NAME|MODULE:CLASS",
            help="The Follower, who acts: rule, random, et (learned), et:FILE, or a class "
            "of your own.",
            autocompletion=complete_follower,
        ),
    ] = "rule"
    planner: PlannerOption = "policies"
    policies: Annotated[
        list[Path] | None,
        agents_option(
            metavar="DIR", help="A folder with subgoal policies of your own. Repeat it for more."
        ),
    ] = None
    wording: Annotated[
        str,
        agents_option(
            metavar="actions|steps|goals",
            help="How the rule Commander speaks: in primitive actions with click "
            "positions, in steps such as 'put the bread into the toaster', or in goals.",
        ),
    ] = "actions"


@dataclass(frozen=True, slots=True)
class WorldOptions:
    """tatc's own world."""

    floor_map: FloorMapOption = "boxes"
    noise: Annotated[
        float,
        world_option(
            min=0,
            max=1,
            metavar="P",
            help="Let each action of the Follower fail with this probability, 0 to 1.",
        ),
    ] = 0.0

    def setup(self, agents: AgentOptions) -> "SessionSetup":
        """Return how a session is run with these agents in this world; nothing is checked yet.

        Raises:
            BadInput: there is no such planner, or not for this Commander.

        """
        from tatc.session.agents import commander_with_planner
        from tatc.session.runner import SessionSetup

        commander = commander_with_planner(agents.commander, agents.planner)
        return SessionSetup(self.floor_map, commander, agents.follower, self.noise, agents.wording)


@dataclass(frozen=True, slots=True)
class ThorWorldOptions(WorldOptions):
    """tatc's own world, or AI2-THOR."""

    sim: Annotated[
        str,
        world_option(
            metavar="embedded|thor",
            help="The simulator: embedded is tatc's own, thor is AI2-THOR (extra thor).",
        ),
    ] = "embedded"
    thor_executable: ThorExecutableOption = None
    thor_commit: ThorCommitOption = None

    @property
    def build(self) -> "ThorBuild":
        """The AI2-THOR that is asked for."""
        from tatc.sim.thor_build import ThorBuild

        return ThorBuild(self.thor_executable, self.thor_commit)

    def setup(self, agents: AgentOptions) -> "SessionSetup":
        """Return how a session is run, in AI2-THOR where that is asked for."""
        # Not super(): slots make a new class, which the zero-argument form does not find.
        return replace(WorldOptions.setup(self, agents), sim=self.sim, thor=self.build)
