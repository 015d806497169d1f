"""EDH and TfD instances cut from a recorded session, in TEACh's file format.

They have the differences between the embedded world's states on the recorded course (spec section
4.4); numbers are equal if they differ by at most 1e-4, as TEACh rounds them.  Since December 2022
TEACh's keep only changes that help the task, by code that was never released.  The rule here: the
task names the property, asks for the object's type or checks for it at the end of the session, and
the session ends with the same value.
"""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from tatc.base import code_identity, errors, files, json_fields, json_lines, process_pool
from tatc.base.file_names import file_name
from tatc.evaluation.instances import source_games
from tatc.home import actions, state
from tatc.home.metadata import write_object
from tatc.session import records, worlds
from tatc.session.records import instance
from tatc.session.start import SessionStart, start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Task, TaskLibrary, definition, edh, edh_task, load_library

InstanceDocument = dict[str, Any]
StateChanges = dict[str, dict[str, Any]]  # object id -> property -> new value
_DECIMALS = 4
_BASIN = "Basin"
_KEPT_PROPERTIES = frozenset(edh.EDH_PROPERTIES)
_ACTION_INDEX = {spec.verb: i for i, spec in enumerate(actions.ACTION_TABLE)}
_TEACH_ROLE_NAMES = {actions.Role.COMMANDER: "Commander", actions.Role.FOLLOWER: "Driver"}
_MOTION_TYPES = (actions.ActionType.MOTION, actions.ActionType.MAP_GOAL)
_FINISHED_GAMES_FILE = ".done.jsonl"
"""Lists the games that are cut, and what each of their files holds."""
_UNKNOWN = {"": ""}  # no file has this name


@dataclass(frozen=True, slots=True)
class GameInstances:
    """The result of a game: files written, files that existed, or why it was skipped.

    `file_hash` tells files with one id apart; `hashes` are the instances', by file name.
    """

    game_id: str = ""
    file_hash: str = ""
    hashes: Mapping[str, str] = field(default_factory=dict[str, str])
    written: int = 0
    already_there: int = 0
    skipped: str = ""


def write_all_instances(
    paths: Sequence[Path], kind: records.Benchmark, out: Path, force: bool, workers: int
) -> Generator[GameInstances]:
    """Write the instances of each game; those of games that are finished are kept without `force`.

    A game is skipped if another one has its id: the files of both would have the same names.
    """
    files.make_folder(out, fix="name another folder with --out")
    done = {} if force else _read_finished_games(out, kind)
    first: dict[str, Path] = {}
    left: list[Path] = []
    for path in paths:
        try:
            game_id, file_hash = records.read_game_header(path).game_id, _file_hash(path)
        except errors.BadInput as fault:
            yield GameInstances(skipped=fault.one_line)
            continue
        if game_id in first:
            yield GameInstances(skipped=f"{path}: is named {game_id}, as {first[game_id]} is")
        elif game_id in done and done[game_id].file_hash != file_hash:
            why = f"another file named {game_id} is cut already (--force replaces its instances)"
            yield GameInstances(skipped=f"{path}: {why}")
        elif game_id in done and _is_whole(done[game_id], out):
            yield replace(done[game_id], already_there=len(done[game_id].hashes))
        else:
            left.append(path)
        first.setdefault(game_id, path)
    write = partial(_write_game_instances, kind=kind, out=out)
    for each in process_pool.map_in_processes(
        write, left, workers, lambda path, why: GameInstances(skipped=f"{path}: {why}")
    ):
        if not each.skipped:
            entry = {"kind": kind, "game": each.game_id, "file": each.file_hash}
            entry |= {"code": code_identity.code_hash(), "instances": each.hashes}
            json_lines.add_entry(entry, out / _FINISHED_GAMES_FILE)
        yield each


def _is_whole(game: GameInstances, out: Path) -> bool:
    try:
        return all(
            Path(name).name == name and _file_hash(out / name) == written
            for name, written in game.hashes.items()
        )
    except errors.BadInput:
        return False


def _file_hash(path: Path) -> str:
    return sha256(files.read_bytes(path, files.GAME)).hexdigest()[:12]


def _write_game_instances(path: Path, kind: records.Benchmark, out: Path) -> GameInstances:
    try:
        game_id, file_hash = records.read_game_header(path).game_id, _file_hash(path)
        built = build_instances(path, kind, load_library())
    except errors.BadInput as fault:
        return GameInstances(skipped=fault.one_line)
    hashes: dict[str, str] = {}
    for document in built:
        path = out / file_name(document["instance_id"], ".json")
        instance.write_instance(document, path, force=True)
        hashes[path.name] = _file_hash(path)
    return GameInstances(game_id, file_hash, hashes, written=len(built))


def _read_finished_games(out: Path, kind: records.Benchmark) -> dict[str, GameInstances]:
    """Return the listed games by their ids; of one that other code cut, no instances are known."""

    def read(entry: Mapping[str, Any]) -> tuple[object, GameInstances]:
        hashes = json_fields.as_mapping(entry.get("instances"), "instances")
        game_id, file_hash = (json_fields.get_text(entry, name) for name in ("game", "file"))
        is_ours = entry.get("code") == code_identity.code_hash()
        return entry.get("kind"), GameInstances(game_id, file_hash, hashes if is_ours else _UNKNOWN)

    listed = json_lines.read_entries(out / _FINISHED_GAMES_FILE, files.CACHE_LINE, read)
    return {game.game_id: game for of, game in listed if of == kind}


def build_instances(
    path: Path, kind: records.Benchmark, library: TaskLibrary
) -> tuple[InstanceDocument, ...]:
    """Return the JSON of a game file's instances; "instance_id" is the name of its file."""
    game = records.read_game(path)
    if kind is records.Benchmark.TFD:
        return (_build_tfd(game),)
    return tuple(_build_edh(game, start_from_game(path, library, None, (), 1)))


def _build_tfd(game: records.Game) -> InstanceDocument:
    done = game.interactions
    future = [each for each in done if each.role is actions.Role.FOLLOWER and each.success]
    return {
        "game_id": game.game_id,
        "instance_id": f"{game.game_id}.tfd",
        **_course_json(game, len(done), len(done), (), future),
    }


def _build_edh(game: records.Game, opening: SessionStart) -> Iterator[InstanceDocument]:
    done, segments = game.interactions, source_games.cut_into_segments(game.interactions)
    place = opening.scene.place
    sim = EmbeddedSimulator(worlds.load_map_for(worlds.SHIPPED_MAP, place, game.game_id))
    start = sim.reset(opening.scene)
    edges = {edge for each in segments for edge in (each.start, each.stop)}
    states = source_games.states_during_replay(sim, done, edges | {len(done)})
    end = states.get(len(done))
    if end is None:
        return
    for segment in segments:
        before, after = states[segment.start], states[segment.stop]
        since, until = state_difference(start, before), state_difference(start, after)
        changes = _relevant_changes(net_changes(since, until), opening.task, end)
        if changes:
            history = list(filter(source_games.is_world_action, done[: segment.start]))
            future = list(filter(source_games.is_world_action, done[segment.start : segment.stop]))
            pairs = {"init_state_diff": since, "final_state_diff": until, "state_changes": changes}
            progress = edh_task({"objects": changes}).check(before)  # at the end of the history
            yield {
                "game_id": game.game_id,
                "instance_id": f"{game.game_id}.edh{segment.number}",
                "pred_start_idx": segment.start,
                **_course_json(game, segment.start, segment.stop, history, future),
                **{name: {"agents": {}, "objects": found} for name, found in pairs.items()},
                "expected_init_goal_conditions_total": progress.goal_conditions_total,
                "expected_init_goal_conditions_satisfied": progress.goal_conditions_satisfied,
            }


def _course_json(
    game: records.Game,
    start: int,
    stop: int,
    history: Sequence[records.Interaction],
    future: Sequence[records.Interaction],
) -> InstanceDocument:
    """Return what was said before `start`, and what was done before `stop`."""
    return {
        **_dialogue_json(game.raw_interactions[:start], game.interactions[:start]),
        "driver_action_history": [_action_json(each) for each in history],
        "driver_image_history": [_image_name(each) for each in history],
        "driver_actions_future": [_action_json(each) for each in future],
        "driver_images_future": [_image_name(each) for each in future],
        "interactions": list(game.raw_interactions[:stop]),
        "history_subgoals": _subgoals_json(history),
        "future_subgoals": _subgoals_json(filter(source_games.is_world_action, future)),
    }


def _dialogue_json(logged: Sequence[Mapping[str, Any]], done: Sequence[records.Interaction]) -> Any:
    typed: list[list[Any]] = []
    cleaned: list[list[Any]] = []
    with_acts: list[list[Any]] = []
    for raw, each in zip(logged, done, strict=True):
        if each.verb in source_games.SPEECH_VERBS:
            who, metadata = _TEACH_ROLE_NAMES[each.role], cast(Any, raw.get("da_metadata") or {})
            typed.append([who, each.text])
            cleaned.append([who, raw.get("corrected_utterance") or each.text])
            with_acts.append([who, each.text, [act for act in metadata.get("das", ()) if act]])
    shown = {"dialog_history": typed, "dialog_history_cleaned": cleaned}
    return shown | {"dialog_history_with_das": with_acts}


def _action_json(done: records.Interaction) -> dict[str, Any]:
    """Return an action as an instance lists it (spec section 4.3)."""
    spec = actions.SPEC_BY_VERB[done.verb]
    click = done.click
    return {
        "action_id": spec.action_id,
        "action_idx": _ACTION_INDEX[done.verb],
        "action_name": done.verb.value,
        "time_start": done.time,
        "obj_interaction_action": int(spec.type is actions.ActionType.INTERACTION),
        "oid": done.object_id,
        "x": None if click is None else click.x,
        "y": None if click is None else click.y,
    }


def _image_name(done: records.Interaction) -> str:
    """Return the name of the Follower's frame right before an action (spec section 4.6)."""
    return f"driver.frame.{done.time}.jpeg"


def _subgoals_json(done: Iterable[records.Interaction]) -> list[str]:
    found: list[str] = []
    walked = False
    for each in done:
        if actions.SPEC_BY_VERB[each.verb].type in _MOTION_TYPES:
            walked = True
        elif each.object_id is not None:
            kind = edh.type_of_object_id(each.object_id)
            found += ["Navigate", kind] if walked else []
            found += [each.verb.value, kind]
            walked = False
    return found


def _relevant_changes(changes: StateChanges, task: Task, end: state.Snapshot) -> StateChanges:
    parts = list(task.definition.atomic_components())
    named = {name for part in parts for name, _ in part.conditions}
    if task.definition.relations:
        named.add("simbotLastParentReceptacle")
    found: StateChanges = {}
    for object_id, values in changes.items():
        obj = end.get(object_id)
        if obj is None or not any(_is_wanted(part, obj) for part in parts):
            continue
        kept = {k: value for k, value in values.items() if k in named and getattr(obj, k) == value}
        if kept:
            found[object_id] = kept
    return found


def _is_wanted(part: definition.AtomicComponent, obj: state.ObjectState) -> bool:
    if part.primary_property == "simbotObjectClass":
        classes = obj.simbotObjectClass
        return isinstance(classes, tuple) and part.primary_value in classes
    return getattr(obj, part.primary_property, None) == part.primary_value


def state_difference(before: state.Snapshot, after: state.Snapshot) -> StateChanges:
    """Return all changes between two states; a new slice is compared with what it was cut from."""
    found: StateChanges = {}
    for obj in after.objects:
        old = before.get(obj.objectId) or before.get(_whole_id(obj.objectId))
        if old is not obj:
            values = {} if old is None else _rounded_json(old)
            if changed := _changed_fields(values, _rounded_json(obj)):
                found[obj.objectId] = changed
    return found


def net_changes(start: StateChanges, end: StateChanges) -> StateChanges:
    """Return the changes of TEACh's fifteen properties between two differences from one state."""
    found: StateChanges = {}
    for object_id, values in end.items():
        base = start.get(object_id, start.get(_whole_id(object_id), {}))
        new = {
            name: value
            for name, value in values.items()
            if name in _KEPT_PROPERTIES and (name not in base or base[name] != value)
        }
        if new:
            found[object_id] = new
    return found


def _whole_id(object_id: str) -> str:
    """Return the id of the object that a piece was cut from; other ids as they are."""
    fields = object_id.split("|")
    if len(fields) <= 4 or _BASIN in object_id:
        return object_id
    return "|".join(fields[:4])


def _rounded_json(obj: state.ObjectState) -> dict[str, Any]:
    text = json.dumps(write_object(obj))
    return json.loads(text, parse_float=lambda digits: round(float(digits), _DECIMALS))


def _changed_fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in new.items():
        if name in old and old[name] == value:
            continue
        before = old.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            if inner := _changed_fields(cast(Mapping[str, Any], before), cast(Any, value)):
                found[name] = inner
        else:
            found[name] = value
    return found
