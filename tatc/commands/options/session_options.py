"""The options that say which session or sessions to run, with which agents and in which world."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import exists, isdir  # unlike Path's, these bear what is too long for a path
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tatc.base.errors import BadInput, UnknownName
from tatc.base.plain_text import whole_number
from tatc.commands.options import shared_options
from tatc.session.agents.settings import AGENTS, given_settings

if TYPE_CHECKING:
    from tatc.evaluation.runs.eval_options import EvalOptions
    from tatc.evaluation.runs.session_selection import GameSelection
    from tatc.session.agents.session_setup import SessionSetup
    from tatc.session.start import AnnotatedLanguage, SessionStart
    from tatc.sim.protocol import ThorBuild


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Which session: a task in a room, or the start of a recorded game."""

    named_task: Annotated[
        str | None, shared_options.what_argument(autocompletion=shared_options.complete_task)
    ] = None
    task: str | None = shared_options.what_field(None, autocompletion=shared_options.complete_task)
    room: str | None = shared_options.what_field(None, autocompletion=shared_options.complete_room)
    game: Path | None = shared_options.what_field(None)
    param: list[str] | None = shared_options.what_field(None)
    seed: int = shared_options.what_field(1, min=0)
    tasks: shared_options.TaskFoldersOption = None
    plans: shared_options.PlansOption = None

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

    given: Mapping[str, Any] = shared_options.SpreadOptions(
        lambda each: each.help if each.heading == AGENTS else "",
        {
            "commander": shared_options.complete_commander,
            "follower": shared_options.complete_follower,
        },
    ).field()
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
        return UnknownName.member("language", language, AnnotatedLanguage)


@dataclass(frozen=True, slots=True)
class PlayedAgentOptions:
    """Which agent another program plays by tool calls, and who plays the other."""

    played: str = shared_options.agents_field("follower", "--as")
    commander: str | None = shared_options.agents_field(
        None, autocompletion=shared_options.complete_commander
    )
    follower: str | None = shared_options.agents_field(
        None, autocompletion=shared_options.complete_follower
    )
    wording: str | None = shared_options.agents_field(None)
    grain: str = shared_options.agents_field("go-to")


@dataclass(frozen=True, slots=True)
class WorldOptions:
    """tatc's own world."""

    floor_map: str = shared_options.map_field()
    noise: float = shared_options.setting_field("noise")

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

    sim: str = shared_options.setting_field("sim")
    thor_executable: shared_options.ThorExecutableOption = None
    thor_commit: shared_options.ThorCommitOption = None

    @property
    def build(self) -> "ThorBuild":
        """The AI2-THOR that is asked for."""
        from tatc.sim.protocol import ThorBuild

        return ThorBuild(self.thor_executable, self.thor_commit)

    def setup(self, agents: AgentOptions) -> "SessionSetup":
        """Return how a session is run, in AI2-THOR where that is asked for."""
        # Not super(): slots make a new class, which the zero-argument form does not find.
        return replace(WorldOptions.setup(self, agents), sim=self.sim, thor=self.build)


# The options of commands that run many sessions: which ones, and where the run is kept.


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """Which sessions to run: those of recorded games, in rooms, or of instances."""

    games: shared_options.OptionalGamesArgument = None
    all_rooms: bool = shared_options.what_field(False, "--rooms")
    room: list[str] | None = shared_options.what_field(
        None, autocompletion=shared_options.complete_room
    )
    split: str = shared_options.what_field("", autocompletion=shared_options.complete_split)
    seeds: str = shared_options.what_field("1")
    tasks: list[str] | None = shared_options.what_field(None)
    limit: int | None = shared_options.what_field(None, min=1)
    kind: str = shared_options.what_field("tatc")
    recorded: shared_options.RecordedGamesOption = None
    plans: shared_options.PlansOption = None
    only_plans: shared_options.OnlyPlansOption = None
    without_plans: shared_options.WithoutPlansOption = None
    seed: int = shared_options.what_field(1, min=0)
    cascaded: bool = shared_options.what_field(False, "--cascaded")
    subgoals: list[str] | None = shared_options.what_field(None)

    def validate(self) -> None:
        """Check that what is named goes together."""
        self._validate_kind()
        self._validate_places()
        if self.subgoals and (self.cascaded or self.kind != "tatc" or not self.games):
            why = "--subgoals is for sessions in ALFRED's trajectories"
            raise BadInput(why, fix="name trajectories, and leave out --cascaded and --kind")

    def eval_options(self, setup: "SessionSetup") -> "EvalOptions":
        """Return what to evaluate, with this setup and nothing else than the default."""
        from tatc.evaluation.runs.eval_options import EvalOptions
        from tatc.evaluation.runs.subgoal_runner import parse_subgoals

        folders = tuple(each for each in self.tasks or () if isdir(each))
        groups = self.games or () if self.all_rooms else ()
        return EvalOptions(
            games=() if groups else tuple(self.games or ()),
            rooms=tuple(self.room or ()) or _rooms_of_groups(groups),
            split=self.split,
            seeds=parse_numbers(self.seeds, "--seeds"),
            tasks=parse_names([each for each in self.tasks or () if each not in folders]),
            limit=self.limit,
            only_plans=parse_plans(self.only_plans, "--only-plans"),
            without_plans=parse_plans(self.without_plans, "--without-plans"),
            seed=self.seed,
            setup=setup,
            definitions=folders,
            kind=self.kind,
            recorded=tuple(self.recorded or ()),
            cascaded=self.cascaded,
            plans=tuple(self.plans or ()),
            subgoals=parse_subgoals(parse_names(self.subgoals)) if self.subgoals else (),
        )

    def _validate_kind(self) -> None:
        from tatc.evaluation.runs.eval_options import TATC
        from tatc.session.records import Benchmark

        if self.kind == TATC:
            if self.recorded:
                why = "--games is for instances (--kind edh or tfd)"
                raise BadInput(why, fix="name recorded games without an option")
            return
        UnknownName.check("kind", self.kind, (TATC, *Benchmark))
        if not self.games:
            raise BadInput("there is nothing to run", fix=f"name {self.kind} instances")

    def _validate_places(self) -> None:
        if self.split:
            from tatc.session.start import load_split

            load_split(self.split).sessions()
            if self.games or self.room or self.all_rooms or self.seeds != "1":
                why = "a split lists its rooms and seeds"
                raise BadInput(why, fix="leave out --split, or games, rooms and --seeds")
            return
        if self.all_rooms and self.room:
            raise BadInput("--rooms means all rooms", fix="leave out --rooms or --room")
        if self.all_rooms:
            _rooms_of_groups(self.games or ())
            return
        for name in map(str, self.games or ()):
            if name in shared_options.complete_room(name) and not exists(name):
                raise BadInput(f"{name} is a room, not a game", fix=f"write --room {name}")
        if self.games and self.room:
            raise BadInput("games bring their own rooms", fix="leave out --room")
        if not (self.games or self.room):
            raise BadInput("there is nothing to run", fix="name games, --rooms, --room or --split")


def _rooms_of_groups(groups: Sequence[str]) -> tuple[str, ...]:
    from tatc.sim.rooms.room_files import ROOM_GROUPS, group_names

    others = [each for each in groups if each.lower() not in map(str.lower, ROOM_GROUPS)]
    if others:
        why = f"--rooms is for groups of rooms, and {others[0]} is none"
        raise BadInput(why, fix="name ithor or generated after it; games bring their own rooms")
    return tuple(name for group in groups for name in group_names(group))


@dataclass(frozen=True, slots=True)
class RunFolderOptions:
    """Where a run is kept, and how many processes work on it."""

    workers: shared_options.WorkersOption = 1
    out: Path | None = shared_options.output_field(None)
    force: bool = shared_options.output_field(False, "--force")
    fail_on_crash: bool = shared_options.output_field(False, "--fail-on-crash")


# Lists as people type them: names separated by commas, numbers and their ranges.

_MAX_RANGE_LENGTH = 100_000
_PLAN_NAME = re.compile(r"[A-Za-z][\w-]*")
_PLANS_HINT = "write numbers, as 3,16,205, or names, as FloorPlan3"


def parse_names(given: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in options that repeat or hold several by commas."""
    parts = (part.strip() for text in given or () for part in text.split(","))
    return tuple(part for part in parts if part)


def parse_plans(given: Sequence[str] | None, option: str) -> tuple[str, ...]:
    """Return the floor plans in an option, by numbers or by names; none if not given."""
    from tatc.session.records import floor_plan_room_kind

    found = parse_names(given)
    for name in found:
        number = whole_number(name)
        known = _PLAN_NAME.fullmatch(name) if number is None else floor_plan_room_kind(number)
        if known is None:
            raise BadInput(f"{name!r} is no floor plan", where=option, fix=_PLANS_HINT)
    if given and not found:
        raise BadInput("names no floor plan", where=option, fix=_PLANS_HINT)
    return found


def selected_games(
    games: Sequence[str], only_plans: Sequence[str] | None, without_plans: Sequence[str] | None
) -> "GameSelection":
    """Return the games that are named, as far as `--only-plans` and `--without-plans` let them."""
    from tatc.evaluation.runs.session_selection import select_games

    only = parse_plans(only_plans, "--only-plans")
    return select_games(games, only, parse_plans(without_plans, "--without-plans"))


def parse_numbers(text: str, option: str) -> tuple[int, ...]:
    """Return the numbers of a list like "1,2,5" or "9001-9004", each once."""
    found: dict[int, None] = {}
    for part in parse_names([text]):
        first, dash, last = part.partition("-")
        start, end = whole_number(first), whole_number(last if dash else first)
        if start is None or end is None or end < start:
            fix = "write it like 1,2,5 or 9001-9004"
            raise BadInput(f"{part!r} is no number or range", where=option, fix=fix)
        if end - start > _MAX_RANGE_LENGTH:
            raise BadInput(f"{part!r} is too many", where=option, fix="name fewer")
        found.update(dict.fromkeys(range(start, end + 1)))
    if not found:
        raise BadInput("names no number", where=option, fix="write it like 1,2,5")
    return tuple(found)


def parse_shard(text: str) -> tuple[int, int]:
    """Return i and n of a shard "i/n"."""
    i, n = map(whole_number, text.partition("/")[::2])
    if i is None or n is None or not 1 <= i <= n:
        fix = "write i/n with i from 1 to n, as 1/4"
        raise BadInput(f"{text!r} is no shard", where="--shard", fix=fix)
    return i, n
