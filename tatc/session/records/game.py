"""Reads recorded TEACh sessions, and the part of them that running and scoring may see.

Every field that is used is checked; others (a file's own copy of the task definition, comments)
may be missing.  Harmless faults are accepted: a missing `custom_object_metadata` counts as empty,
a second episode is ignored, and `world_type` may be null.  `episode_states` has the faults of a
start that are repaired with a note.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from tatc.base import files, json_fields
from tatc.home import actions, metadata
from tatc.home.state import AgentState, RoomKind, Scene, Snapshot, Vec3
from tatc.session.records import episode_states, file_search
from tatc.session.records.record import Interaction, LoggedPose, read_interaction

EPISODE_PATH = "tasks[0].episodes[0]"
"""Where a game file has its session; TEACh's few second episodes are ignored."""

TATC_KEY = "tatc"  # the top-level key that only files written by tatc have
TATC_COMMENT_PREFIX = "written by tatc"
"""How the comment at the top of a file written by tatc begins."""

_ROOM_KIND_BY_HUNDRED: dict[int, RoomKind] = dict(zip((0, 2, 3, 4), RoomKind, strict=True))
_FLOOR_PLAN_PATTERN = re.compile(r"(FloorPlan([1-9][0-9]{0,2}))(_physics)?")
FLOOR_PLANS_HINT = "iTHOR's plans are FloorPlan1-30, 201-230, 301-330 and 401-430"


@dataclass(frozen=True, slots=True)
class GameStart:
    """All that running and scoring may know of a recorded session.

    `world` is the room as TEACh names it ("FloorPlan1_physics"), `scene.place` the plan
    ("FloorPlan1").  `n_actions` is the number of logged interactions of both agents.
    `split` is the name of the folder that contains the file.
    """

    game_id: str
    split: str
    version: str
    task_name: str
    task_params: tuple[str, ...]
    world: str
    scene: Scene
    n_actions: int

    @property
    def floor_plan(self) -> str:
        """The floor plan, or the name of one of tatc's own rooms."""
        return self.scene.place


# No slots, because a cached property stores its value in the instance's dictionary.
@dataclass(frozen=True)
class Game(GameStart):
    """A whole recorded session; what follows the start is read when it is first used."""

    path: Path
    _episode: Mapping[str, Any] = field(repr=False, compare=False)

    @cached_property
    def final(self) -> Snapshot:
        """The state at the session's recorded end."""
        with file_search.field_faults_in(self.path):
            return read_episode_state(self._episode, "final_state", metadata.SIMBOT_FIELDS)

    @cached_property
    def interactions(self) -> tuple[Interaction, ...]:
        """The interactions of both agents, in order."""
        with file_search.field_faults_in(self.path):
            return read_interactions(self._episode)

    @property
    def raw_interactions(self) -> tuple[Mapping[str, Any], ...]:
        """The interactions of both agents as JSON, with all fields, such as dialogue acts."""
        return tuple(_raw_interactions(self._episode))


def read_game(path: Path | str) -> Game:
    """Return the session of a TEACh game file, plain or gzipped, or of a tatc record."""
    path = Path(path)
    start, episode = _open_game(path)
    known = {each.name: getattr(start, each.name) for each in fields(start)}
    return Game(**known, path=path, _episode=episode)


def read_start(path: Path | str) -> GameStart:
    """Return what running and scoring may see of a game file."""
    return _open_game(Path(path))[0]


def find_episode(document: object) -> Mapping[str, Any]:
    """Return the JSON of a game file's session, in which the Commander must have no body."""
    if not isinstance(document, dict) or "tasks" not in document:
        fix = "name a TEACh game file (<game id>.game.json)"
        raise json_fields.FieldError("", "is JSON but not a game: `tasks` is missing", fix)
    root = cast(dict[str, Any], document)
    task = json_fields.as_mapping(_first_entry(root, "tasks", "tasks"), "tasks[0]")
    first = _first_entry(task, "episodes", "tasks[0].episodes")
    episode = json_fields.as_mapping(first, EPISODE_PATH)
    embodied = episode.get("commander_embodied", "False")
    if embodied not in ("False", False):
        found = json_fields.short_repr(embodied)
        why = f'should be "False" (a Commander without a body), is {found}'
        raise json_fields.FieldError(f"{EPISODE_PATH}.commander_embodied", why)
    return episode


@json_fields.faults_under(EPISODE_PATH)
def read_episode_id(episode: Mapping[str, Any]) -> str:
    """Return the id of an episode; files and folders are named after it."""
    return json_fields.get_file_name(episode, "episode_id")


def read_episode_state(
    episode: Mapping[str, Any], name: str, simbot_properties: tuple[str, ...] = ()
) -> Snapshot:
    """Return the initial_state or the final_state of an episode, see `read_state`."""
    with json_fields.faults_under(f"{EPISODE_PATH}.{name}"):
        if name not in episode:
            raise json_fields.FieldError("", "is missing")
        is_final = name == "final_state"
        return episode_states.read_state(episode[name], simbot_properties, is_final=is_final)


def read_interactions(episode: Mapping[str, Any]) -> tuple[Interaction, ...]:
    """Return the interactions of both agents in an episode, in order."""
    entries = _raw_interactions(episode)
    return tuple(json_fields.read_each(entries, read_interaction, f"{EPISODE_PATH}.interactions"))


@json_fields.faults_under(EPISODE_PATH)
def read_place(episode: Mapping[str, Any], written_by_tatc: bool) -> tuple[str, RoomKind]:
    """Return an episode's floor plan, or tatc's room if `written_by_tatc`, and its kind."""
    world = json_fields.get_file_name(episode, "world")
    plan = _FLOOR_PLAN_PATTERN.fullmatch(world)
    if plan is None and written_by_tatc:
        kind = json_fields.get_text(episode, "world_type")
        if kind not in list(RoomKind):
            why = f"should be one of {', '.join(repr(kind.value) for kind in RoomKind)}"
            raise json_fields.FieldError("world_type", why)
        return world, RoomKind(kind)
    kind = floor_plan_room_kind(int(plan[2])) if plan else None
    if plan is None or kind is None:
        why = f"names an unknown floor plan: {json_fields.short_repr(world)}"
        raise json_fields.FieldError("world", why, FLOOR_PLANS_HINT)
    if episode.get("world_type") not in (None, kind):
        why = f"should be {kind.value!r} or null for {plan[1]}"
        raise json_fields.FieldError("world_type", why)
    return plan[1], kind


def _open_game(path: Path) -> tuple[GameStart, Mapping[str, Any]]:
    document = files.read_json(path, files.GAME)
    with file_search.field_faults_in(path):
        episode = find_episode(document)
        # A file without an end is rejected at once; the end's content is not read yet.
        json_fields.as_mapping(episode.get("final_state"), f"{EPISODE_PATH}.final_state")
        return _read_start(document, episode, path), episode


def _read_start(document: Mapping[str, Any], episode: Mapping[str, Any], path: Path) -> GameStart:
    place, kind = read_place(episode, TATC_KEY in document)
    name, params = read_task_name_and_params(document["tasks"][0])
    start, notes = _read_repaired_start(episode)
    if notes:
        episode_states.log_repairs(path, notes)
    return GameStart(
        game_id=read_episode_id(episode),
        split=path.absolute().parent.name,
        version=json_fields.get_text(document, "version"),
        task_name=name,
        task_params=params,
        world=episode["world"],
        scene=Scene(place, kind, start),
        n_actions=len(_raw_interactions(episode)),
    )


def _read_repaired_start(episode: Mapping[str, Any]) -> tuple[Snapshot, tuple[str, ...]]:
    """Return the start of an episode, and notes on what was repaired in it."""
    state, notes = episode.get("initial_state"), list[str]()
    if isinstance(state, Mapping):
        state = cast(Mapping[str, Any], state)
        objects, notes = episode_states.repair_objects(state.get("objects"))
        if notes:
            episode = {**episode, "initial_state": {**state, "objects": objects}}
    start = read_episode_state(episode, "initial_state", ("simbotObjectClass",))
    commander, of_commander = episode_states.repair_agent(start.commander, "agents[0]")
    follower, of_follower = episode_states.repair_agent(start.follower, "agents[1]")
    start = replace(start, commander=commander, follower=follower)
    return start, (*notes, *of_commander, *of_follower)


@json_fields.faults_under("tasks[0]")
def read_task_name_and_params(task: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return a task's name and parameters; the file's copy of its definition is not read."""
    params = json_fields.get_names(task, "task_params")
    if params is None:
        raise json_fields.FieldError("task_params", "is missing")
    if "task_nparams" in task:
        count = json_fields.as_integer(task["task_nparams"], "task_nparams")
        if count != len(params):
            why = f"is {json_fields.short_repr(count)}, but task_params has {len(params)}"
            raise json_fields.FieldError("task_nparams", why)
    return json_fields.get_text(task, "task_name"), params


def _first_entry(owner: Mapping[str, Any], name: str, path: str) -> object:
    found = json_fields.as_list(owner.get(name), path)
    if not found:
        raise json_fields.FieldError(path, "is empty")
    return found[0]


def _raw_interactions(episode: Mapping[str, Any]) -> list[Any]:
    path = f"{EPISODE_PATH}.interactions"
    return json_fields.as_list(episode.get("interactions"), path, files.MAX_INTERACTIONS)


def floor_plan_room_kind(number: int) -> RoomKind | None:
    """Return the kind of the floor plan with a number; None if there is none."""
    hundred, rest = divmod(number, 100)
    return _ROOM_KIND_BY_HUNDRED.get(hundred) if 1 <= rest <= 30 else None


_SPOKEN = (actions.ActionType.KEYBOARD, actions.ActionType.AUDIO)


def dialogue_of(game: Game) -> tuple[actions.Utterance, ...]:
    """Return what both agents said, as people typed it: not TEACh's corrected text or labels."""
    return tuple(
        actions.Utterance(each.role, each.text, each.time)
        for each in game.interactions
        if each.type in _SPOKEN
    )


# A recorded session as attempts that a world can repeat, without success and object, apart from
# their recorded results, to compare with and to restore the world's state afterwards.

_COMPARED_VERBS = frozenset(actions.INTERACTION_VERBS + actions.TRANSLATION_VERBS)


@dataclass(frozen=True, slots=True)
class RecordedAttempt:
    """An action of the Follower and its pose before; `index` is that of the interaction."""

    index: int
    verb: actions.Verb
    agent: AgentState
    click: actions.Click | None = None

    @property
    def action(self) -> actions.Action:
        """The action to repeat."""
        return actions.Action(self.verb, self.click)

    @property
    def is_translation(self) -> bool:
        """Whether it is a translation, not an interaction."""
        return self.verb in actions.TRANSLATION_VERBS


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """What AI2-THOR answered; `object_id` is set where an interaction succeeded.

    `sliced_pose` says how a thing lay when it was cut, which stays so to the recorded end: its
    position, metres, and its rotation about x, y and z, degrees.
    """

    success: bool
    object_id: str | None
    sliced_pose: tuple[Vec3, Vec3] | None = None


RecordedStep = tuple[RecordedAttempt, RecordedResult]


def recorded_steps(game: Game) -> tuple[RecordedStep, ...]:
    """Return the Follower's translations and interactions, in order."""
    body, steps = game.scene.initial.follower, list[RecordedStep]()
    for i, each in enumerate(game.interactions):
        if each.role is not actions.Role.FOLLOWER:
            continue
        if each.verb in _COMPARED_VERBS:
            pose = _sliced_object_pose(game, each)
            result = RecordedResult(bool(each.success), each.object_id, pose)
            steps.append((RecordedAttempt(i, each.verb, body, each.click), result))
        if each.pose is not None:
            body = agent_state_at(each.pose)
    return tuple(steps)


def _sliced_object_pose(game: Game, interaction: Interaction) -> tuple[Vec3, Vec3] | None:
    if interaction.verb is not actions.Verb.SLICE or interaction.object_id is None:
        return None
    whole = game.final.get(interaction.object_id)
    if whole is None or not whole.isSliced:
        return None
    return whole.position, whole.rotation


def agent_state_at(pose: LoggedPose) -> AgentState:
    """Return the agent at a logged pose (spec section 2.14)."""
    z, minus_x, y, _, horizon, minus_yaw = pose
    return episode_states.snap_to_grid(AgentState((-minus_x, y, z), -minus_yaw % 360.0, horizon))


class ObjectSubstitutes:
    """The substitutes of recorded objects that a world does not have.

    An object may be cut into fewer pieces than in the recording: another piece of the same whole
    substitutes a missing one, the same from then on.
    """

    def __init__(self) -> None:
        """Start without substitutes."""
        self._substitute_ids: dict[str, str] = {}

    def object_id_in(self, object_id: str, world: Snapshot) -> str | None:
        """Return the id of the object or of its substitute; None if it has neither."""
        if world.get(object_id) is not None:
            return object_id
        if object_id not in self._substitute_ids:
            found = self._find_substitute(object_id, world)
            if found is None:
                return None
            self._substitute_ids[object_id] = found
        return self._substitute_ids[object_id]

    def _find_substitute(self, object_id: str, world: Snapshot) -> str | None:
        whole, _, piece = object_id.rpartition("|")
        kind = piece.rpartition("_")[0]
        taken = set(self._substitute_ids.values())
        pieces = [
            obj
            for obj in (world.of_type(kind) if kind else ())
            if obj.objectId.startswith(f"{whole}|") and not obj.isPickedUp
        ]
        free = [obj for obj in pieces if obj.objectId not in taken] or pieces
        # The last piece: recorded pieces that exist here have the low numbers.
        return free[-1].objectId if free else None
