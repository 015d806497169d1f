"""Makes the record of a session that ran, saves it in a file, and checks it by a replay."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from tatc.base import errors, files
from tatc.base.file_names import file_name
from tatc.home.actions import PRIMITIVE_VERBS, Action, ActionResult, Role, Verb
from tatc.home.body import TEACH
from tatc.home.state import HISTORY_MARKS, Snapshot
from tatc.session import session_types, worlds
from tatc.session.agents.session_setup import SessionSetup, recorded_settings
from tatc.session.records import Interaction, Record, logged_pose, write_record
from tatc.session.records.record import SessionEnd
from tatc.session.records.record_io import BODY_OPTION, content_hash
from tatc.session.start import SessionStart
from tatc.sim import object_search
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.sim.protocol import Simulator
from tatc.sim.rooms import room_files, start_sampling
from tatc.tdl import Task

SUBGOAL_OPTION = "subgoal"
"""The option that names the kind of subgoal, where a record is of a part of its task."""


def make_record(
    start: SessionStart,
    result: session_types.SessionResult,
    recorded_map: RecordedMap | None,
    setup: SessionSetup,
) -> Record:
    """Return the record of a session; `recorded_map` is the map that it used, if it used one."""
    body = start.scene.initial.follower.body
    bodies = () if body == TEACH else ((BODY_OPTION, body.name),)
    furniture = (("furniture", start.furniture),) if start.furniture else ()
    map_name, map_hash = worlds.map_name_and_hash(recorded_map)
    return Record(
        definition=start.task.definition_json(),
        scene=start.scene,
        final=result.final,
        interactions=result.interactions,
        decisions=result.decisions,
        end=result.end,
        gc_total=result.progress.goal_conditions_total,
        gc_satisfied=result.progress.goal_conditions_satisfied,
        world=_world_label(setup),
        floor_map=map_name,
        map_hash=map_hash,
        seed=start.seed,
        game_id=start.game_id,
        options=(
            *(*recorded_settings(setup), *bodies, *furniture),
            *(setup.play.to_options() if setup.has_model_agent else ()),
            *result.agent_options,
        ),
        model_calls=result.model_calls,
    )


def _world_label(setup: SessionSetup) -> str:
    if setup.sim == worlds.EMBEDDED_WORLD:
        return worlds.EMBEDDED_WORLD
    from tatc.sim.thor.client import thor_version

    return f"ai2thor {thor_version()}"


def save_record(record: Record, path: Path | None, *, force: bool) -> Path:
    """Save a record at `path`, or in the user's data folder if that is None; return its path.

    In the data folder, the file's name contains the place or game, the seed and a hash of the
    content, so that saving the same session twice makes one file.  A file that exists
    at `path` is an OutputError unless `force` is given.
    """
    if path is not None:
        write_record(record, path, force=force)
        return path
    name = f"{record.game_id or record.scene.place}_{record.seed}_{content_hash(record)[:12]}"
    from platformdirs import user_data_path

    path = user_data_path("tatc") / "records" / _task_part(record)
    path /= file_name(name, ".game.json", has_hash=True)
    files.make_folder(path.parent, fix="name a place with --save FILE, or give --no-save")
    write_record(record, path, force=True)
    return path


def save_record_in(record: Record, folder: Path | None) -> Path:
    """Save a record once in a folder, which is made, or as `save_record` does; return its path."""
    if folder is None:
        return save_record(record, None, force=True)
    files.make_folder(folder)
    place = record.game_id or record.scene.place
    name = f"{_task_part(record)}_{place}_{content_hash(record)[:12]}"
    return save_record(record, folder / file_name(name, ".game.json", has_hash=True), force=True)


def _task_part(record: Record) -> str:
    return file_name("-".join(record.task_name.lower().split()))


# A replay checks a record: each logged primitive is carried out from the recorded start, in any
# world, up to the first difference, and no agent takes part.  `tatc.session.timeline.moment` in
# contrast replays a whole session in the embedded world and corrects its differences.


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """The first difference of a replay; `index` is its interaction's, None for the final state."""

    index: int | None
    description: str


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """How many primitives were repeated, and the first difference, None if there is none.

    `claims` has a line for each thing that the record says of itself, such as its end, and that
    is otherwise.  `unknown` says why success and goal conditions could not be computed, "" if
    they were.
    """

    action_count: int
    difference: ReplayDifference | None
    claims: tuple[str, ...] = ()
    unknown: str = ""

    @property
    def is_same(self) -> bool:
        """Whether all results and the final state are as recorded, and what the record claims."""
        return self.difference is None and not self.claims


def replay_record(record: Record, sim: Simulator, task: Task | None = None) -> ReplayResult:
    """Repeat the primitives of a record in its kind of world; its `task` checks what it claims."""
    sim.reset(record.scene)
    actions = 0
    claims: list[str] = []
    for index, interaction in enumerate(record.interactions):
        if interaction.verb not in PRIMITIVE_VERBS:
            found = _answer(interaction, sim.snapshot(), task)
            if found is not interaction.success:
                says = f"{interaction.verb} answered {interaction.success}"
                claims.append(f"step {index + 1}: the record says that {says}, not {found}")
            continue
        actions += 1
        result = sim.step(interaction.role, Action(interaction.verb, interaction.click))
        what = _result_difference(interaction, result, sim)
        if what:
            return ReplayResult(actions, ReplayDifference(index, what))
    final = sim.capture()
    what = _state_difference(record.final, final)
    claims += _wrong_decisions(record)
    subgoal = dict(record.options).get(SUBGOAL_OPTION)
    what_for = f"the task {record.task_name!r}" if subgoal is None else f"the subgoal {subgoal}"
    unknown = "" if task else f"{what_for} is not known"
    if task is not None:
        claims += [*_wrong_start(record, task), *_wrong_end(record, task, final)]
    difference = ReplayDifference(None, what) if what else None
    return ReplayResult(actions, difference, tuple(claims), unknown)


def _answer(done: Interaction, now: Snapshot, task: Task | None) -> bool | None:
    """Return how an interaction that is no primitive succeeds; as logged, if nobody knows."""
    if done.verb is Verb.OPEN_PROGRESS_CHECK and task is not None:
        return task.check(now).success
    if done.verb in object_search.SEARCH_VERBS:
        return object_search.find_object(now, done.verb, done.text) is not None or None
    return done.success


def _wrong_decisions(record: Record) -> Iterator[str]:
    """Yield which decisions are not of what the Commander says."""
    said = {
        i: done.text
        for i, done in enumerate(record.interactions)
        if done.role is Role.COMMANDER and done.verb is Verb.TEXT
    }
    for number, decision in enumerate(record.decisions):
        if decision.step not in said:
            yield f"decision {number}: the Commander says nothing at step {decision.step + 1}"
        elif decision.utterance != said[decision.step]:
            yield f"decision {number}: the Commander says otherwise at step {decision.step + 1}"


def _wrong_start(record: Record, task: Task) -> Iterator[str]:
    """Yield what is wrong with the start of a record; that of a game is what the file says."""
    place, seed, start = record.scene.place, record.seed, record.scene.initial
    if record.success and task.check(start).success:
        yield "the record's end is success; the task was done at the start"
    if record.game_id is None and place in room_files.room_names():
        try:
            is_same = not _state_difference(
                start_sampling.start_state(room_files.load_room(place), seed, task).initial, start
            )
        except errors.BadInput:  # the room cannot hold the task
            is_same = False
        if not is_same:
            yield f"the record's start is not the one of {place}, seed {seed}"


def _wrong_end(record: Record, task: Task, final: Snapshot) -> Iterator[str]:
    """Yield what a record says of its task and its end, and the final state does not show."""
    if task.definition_json() != record.definition:
        yield "the record's task is defined otherwise than the one of this name"
    progress = task.check(final)
    met, total = progress.goal_conditions_satisfied, progress.goal_conditions_total
    if (record.gc_satisfied, record.gc_total) != (met, total):
        says = f"{record.gc_satisfied} of {record.gc_total}"
        yield f"the record says {says} goal conditions; {met} of {total} are met at the end"
    # An agent that crashed did so in whatever state.
    if progress.success and record.end not in (SessionEnd.SUCCESS, SessionEnd.CRASHED):
        yield f"the record's end is {record.end.value}; the task is done at the end"
    if record.success and not progress.success:
        yield "the record's end is success; the task is not done at the end"


def _result_difference(interaction: Interaction, result: ActionResult, sim: Simulator) -> str:
    """Return how a result differs from the logged one, "" if it does not."""
    if result.success is not interaction.success:
        came = "succeeds" if result.success else f"fails ({result.message})"
        return f"{interaction.verb} {came} now"
    if result.object_id != interaction.object_id and interaction.click is not None:
        return f"{interaction.verb} acts on {result.object_id}, not {interaction.object_id}"
    if interaction.pose is not None and interaction.role is Role.FOLLOWER:
        pose = logged_pose(sim.snapshot().follower)
        if pose != interaction.pose:
            return f"{interaction.verb} leads to the pose {pose}, not {interaction.pose}"
    return ""


def _state_difference(expected: Snapshot, actual: Snapshot) -> str:
    """Return how two states first differ, "" if they do not; ALFRED's marks are not compared."""
    if expected.follower != actual.follower:
        ends, said = logged_pose(actual.follower), logged_pose(expected.follower)
        return f"the Follower ends at {ends}, not {said}"
    if len(expected.objects) != len(actual.objects):
        return f"{len(actual.objects)} objects at the end, not {len(expected.objects)}"
    for one, other in zip(expected.objects, actual.objects, strict=True):
        if one == other:
            continue
        for field in fields(one):
            a, b = getattr(one, field.name), getattr(other, field.name)
            if a != b and field.name not in HISTORY_MARKS:
                return f"{one.objectId}: {field.name} is {b} at the end, not {a}"
    return ""
