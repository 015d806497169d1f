"""The options that say which session to run, with which agents and in which world."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tatc.base.errors import BadInput, UnknownName
from tatc.commands.options.completion import (
    complete_commander,
    complete_follower,
    complete_room,
    complete_task,
)
from tatc.commands.options.shared_options import (
    MapOption,
    PlannerOption,
    PlansOption,
    TaskFoldersOption,
    ThorCommitOption,
    ThorExecutableOption,
    agents_field,
    what_argument,
    what_field,
    world_field,
)

if TYPE_CHECKING:
    from tatc.commander.speaker import SpeakingStyle
    from tatc.session.agents.session_setup import SessionSetup
    from tatc.session.directives import AnnotatedLanguage
    from tatc.session.start import SessionStart
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
        from tatc.session.runner import find_session_start
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
    """The two agents, and how the rule Commander plans and speaks."""

    commander: str = agents_field(
        "rule",
        metavar="NAME|MODULE:CLASS",
        help="The Commander, who knows the task and instructs: rule, speaker (a simulated user), "
        "llm (played by --model; llm:NAME names the model), or a class of your own; in `tatc run` "
        "also me: you type.",
        autocompletion=complete_commander,
    )
    follower: str = agents_field(
        "rule",
        metavar="NAME|MODULE:CLASS",
        help="The Follower, who acts: rule, random, listener (understands free English), "
        "listener:FILE, et (learned), et:FILE, llm (played by --model; llm:NAME names the model), "
        "or a class of your own.",
        autocompletion=complete_follower,
    )
    perception: str | None = agents_field(
        None,
        metavar="truth|masks",
        help="What a Follower that perceives is told of the objects in view: their states and "
        "boxes, or their types and pixels alone. Default: truth.",
    )
    questions: int | None = agents_field(
        None,
        min=0,
        metavar="N",
        help="How often a Follower that asks may speak in a session, at most.",
    )
    speaker_seed: int | None = agents_field(
        None,
        min=0,
        metavar="N",
        help="With --commander speaker: draws its words. Default: 0.",
    )
    typos: float | None = agents_field(
        None,
        min=0,
        max=1,
        metavar="P",
        help="With --commander speaker: the share of longer words that it misspells, 0 to 1.",
    )
    memory: Path | None = agents_field(
        None,
        metavar="FILE",
        help="Goals under names of your own, which the dialogue may say to a Follower that "
        "understands it (see `tatc understand --remember`).",
    )
    planner: PlannerOption = "policies"
    policies: list[Path] | None = agents_field(
        None, metavar="DIR", help="A folder with subgoal policies of your own. Repeat it for more."
    )
    wording: str | None = agents_field(
        None,
        metavar="actions|steps|goals",
        help="How the rule Commander speaks: in primitive actions with click "
        "positions, in steps such as 'put the bread into the toaster', or in goals. Default: "
        "actions, or steps with --follower llm.",
    )
    language: str | None = agents_field(
        None,
        metavar="goal|steps",
        help="In ALFRED's trajectories, in place of a Commander: the Follower hears the goal "
        "sentence that the first annotator wrote, or also the directives of the steps.",
    )

    def annotated_language(self) -> "AnnotatedLanguage | None":
        """Return what of an annotation is read out, None for nothing."""
        from tatc.session.directives import AnnotatedLanguage

        if self.language is None:
            return None
        known = [each.value for each in AnnotatedLanguage]
        if self.language not in known:
            fix = f"name {' or '.join(known)}"
            raise UnknownName("language", self.language, known, fix=fix)
        return AnnotatedLanguage(self.language)

    def speaking_style(self) -> "SpeakingStyle | None":
        """Return how a simulated user speaks, None where nothing is said of it."""
        if self.speaker_seed is None and self.typos is None:
            return None
        from tatc.commander.speaker import SpeakingStyle

        return SpeakingStyle(self.speaker_seed or 0, typo_rate=self.typos or 0.0)


@dataclass(frozen=True, slots=True)
class WorldOptions:
    """tatc's own world."""

    floor_map: MapOption = "boxes"
    noise: float = world_field(
        0.0,
        min=0,
        max=1,
        metavar="P",
        help="Let each action of the Follower fail with this probability, 0 to 1.",
    )

    def setup(self, agents: AgentOptions) -> "SessionSetup":
        """Return how a session is run with these agents in this world; nothing is checked yet."""
        from tatc.session.agents.agents import commander_with_planner, usual_wording
        from tatc.session.agents.perception_levels import parse_perception_level
        from tatc.session.agents.session_setup import SessionSetup

        commander = commander_with_planner(agents.commander, agents.planner)
        return SessionSetup(
            self.floor_map,
            commander,
            agents.follower,
            self.noise,
            agents.wording or usual_wording(commander, agents.follower),
            perception=parse_perception_level(agents.perception),
            language=agents.annotated_language(),
            questions=agents.questions,
            speaking=agents.speaking_style(),
            memory=None if agents.memory is None else str(agents.memory),
        )


@dataclass(frozen=True, slots=True)
class ThorWorldOptions(WorldOptions):
    """tatc's own world, or AI2-THOR."""

    sim: str = world_field(
        "embedded",
        metavar="embedded|thor",
        help="The simulator: embedded is tatc's own, thor is AI2-THOR (extra thor).",
    )
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
