"""Records: files that TEACh's loader reads, and that come back as they were."""

import gzip
import json
import os
import subprocess
import sys
from dataclasses import fields, replace
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

from tatc.base.errors import GameFormatError, OutputError
from tatc.base.files import check_writable
from tatc.base.json_fields import FieldError
from tatc.commander import skills
from tatc.home.actions import DEFINITIONS, SPEC_BY_ID, ActionType, Click, Role, Verb
from tatc.home.metadata import read_object, write_object
from tatc.home.state import Box, RoomKind, Scene
from tatc.session.records import (
    COMMANDER_POSE,
    Game,
    Interaction,
    Record,
    SessionEnd,
    read_game,
    read_record,
    record_bytes,
    write_record,
)
from tatc.session.records.record_io import content_hash, read_session, read_tatc_key
from tatc.tdl import shipped_library
from tests.session.records.conftest import written
from tests.session.records.damaged_files import change
from tests.session.records.sample_record import sample_objects, sample_record, sample_start

Json = dict[str, Any]


@pytest.mark.parametrize("name", ["made.game.json", "made.game.json.gz"])
@pytest.mark.parametrize("place", ["FloorPlan7", "kitchen-03"])
def test_what_is_written_is_read_back_exactly(tmp_path: Path, place: str, name: str) -> None:
    made = sample_record(place)
    write_record(made, tmp_path / name)
    back = read_record(tmp_path / name)
    assert back == made
    assert record_bytes(back) == record_bytes(made)


def test_boxes_come_back_to_the_last_bit(tmp_path: Path) -> None:
    """Corners alone would round; a wall's yaw they would lose."""
    odd = tuple(
        replace(obj, box=replace(obj.box.translate(0.1 / 3, 1e-9, 0.7), yaw=0.1 * i))
        for i, obj in enumerate(sample_objects())
    )
    scene = Scene("FloorPlan7", RoomKind.KITCHEN, replace(sample_start(), objects=odd))
    write_record(sample_record(scene=scene), tmp_path / "odd.game.json")
    back = read_record(tmp_path / "odd.game.json")
    assert [obj.box for obj in back.scene.initial.objects] == [obj.box for obj in odd]


def test_recorded_states_come_back_exactly(sample_games: list[Path], tmp_path: Path) -> None:
    game = read_game(sample_games[0])
    made = sample_record(scene=game.scene, final=game.final, interactions=game.interactions)
    write_record(made, tmp_path / "again.game.json")
    assert read_record(tmp_path / "again.game.json") == made


def test_a_record_is_a_game(game_file: Path) -> None:
    game, made = read_game(game_file), sample_record()
    assert (game.task_name, game.game_id) == ("Coffee", made.game_id)
    assert game.interactions == made.interactions
    assert game.final.commander == made.final.commander


def test_equal_records_are_equal_bytes_in_every_process(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path;"
        "from tests.session.records.sample_record import sample_record;"
        "from tatc.session.records import write_record;"
        "write_record(sample_record(), Path(sys.argv[1]))"
    )
    here, there = tmp_path / "made.game.json.gz", tmp_path / "other" / "made.game.json.gz"
    write_record(sample_record(), here)
    there.parent.mkdir()
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    env = os.environ | {"PYTHONHASHSEED": seed, "TZ": "UTC7"}
    command = [sys.executable, "-c", script, str(there)]
    subprocess.run(command, cwd=Path(__file__).parents[3], env=env, check=True)
    assert here.read_bytes() == there.read_bytes()
    assert gzip.decompress(there.read_bytes()) == record_bytes(sample_record())


def test_the_hash_is_that_of_the_content() -> None:
    made = sample_record()
    assert content_hash(made) == content_hash(sample_record())
    assert content_hash(replace(made, seed=8)) != content_hash(made)
    assert content_hash(replace(made, end=SessionEnd.CRASHED)) != content_hash(made)


# What the loader of alexa/teach (src/teach/dataset, commit 903191e) takes from a file:
# it raises KeyError where one of these is missing.
READ_OF_ACTION = {
    ActionType.MOTION: {"pose"},
    ActionType.MAP_GOAL: {"start_x", "start_y", "end_x", "end_y"},
    ActionType.INTERACTION: {"x", "y", "oid"},
    ActionType.PROGRESS_CHECK: {"query"},
    ActionType.KEYBOARD: {"utterance"},
    ActionType.AUDIO: {"utterance", "file_name"},
    ActionType.CAMERA: set(),
}
READ_OF_EACH = {"agent_id", "action_id", "time_start", "duration", "success"}
READ_OF_TASK = {
    *("task_id", "task_name", "task_nparams", "task_params", "task_anchor_object"),
    *("desc", "components", "relations", "episodes"),
}
READ_OF_EPISODE = {
    *("episode_id", "world", "world_type", "commander_embodied"),
    *("initial_state", "interactions"),
}


def test_all_that_teachs_loader_reads_is_there(document: Json) -> None:
    assert document.keys() >= {"version", "task_type", "comments", "definitions"}
    definitions = document["definitions"]
    types = {a["action_id"]: a["action_type"] for a in definitions["actions"]}
    assert definitions["agents"][1] == {"agent_id": 1, "agent_name": "Driver", "agent_type": 1}
    [task] = document["tasks"]
    assert task.keys() >= READ_OF_TASK
    [episode] = task["episodes"]
    assert episode.keys() >= READ_OF_EPISODE
    assert episode["commander_embodied"] == "False"
    for state in (episode["initial_state"], episode["final_state"]):
        assert state.keys() >= {"time_start", "agents", "objects"}
    for entry in episode["interactions"]:
        kind = ActionType(types[entry["action_id"]])
        assert entry.keys() >= READ_OF_EACH | READ_OF_ACTION[kind]
        assert kind is SPEC_BY_ID[entry["action_id"]].type


def test_our_own_is_under_one_key(document: Json) -> None:
    teachs = {"version", "task_type", "comments", "definitions", "tasks"}
    assert document.keys() - teachs == {"tatc"}
    own = document["tatc"]
    assert (own["map"], own["seed"], own["end"]) == ("boxes", 7, "success")
    assert own["decisions"][0]["problem_key"][2:] == ["isDirty", 0]


def test_nothing_of_the_machine_is_in_a_record() -> None:
    text = record_bytes(sample_record()).decode()
    assert str(Path.home()) not in text
    assert os.uname().nodename not in text


def test_a_file_is_replaced_only_by_force(game_file: Path) -> None:
    before, other = game_file.read_bytes(), sample_record(seed=9)
    with pytest.raises(OutputError, match=r"there is a file already \(.*--force"):
        write_record(other, game_file)
    assert game_file.read_bytes() == before
    write_record(other, game_file, force=True)
    assert read_record(game_file) == other


def test_a_file_is_there_whole_or_not_at_all(
    game_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = game_file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        write_record(sample_record(seed=9), game_file, force=True)
    assert game_file.read_bytes() == before
    assert [path.name for path in game_file.parent.iterdir()] == [game_file.name]


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("none/made.game.json", r"none: there is no such folder \(.*mkdir -p"),
        ("", "is a folder"),
        ("file/made.game.json", "there is no such folder"),
        (f"{'x' * 300}.game.json", "cannot be written: File name too long"),
    ],
)
def test_a_place_that_takes_no_file_is_named(tmp_path: Path, target: str, why: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=why):
        write_record(sample_record(), tmp_path / target)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_others_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="takes no files"):
        check_writable(tmp_path / "made.game.json", force=False)
    tmp_path.chmod(0o700)


def test_a_record_of_a_newer_format_is_refused(document: Json, tmp_path: Path) -> None:
    document["tatc"] |= {"format": 2, "version": "9.1"}
    with pytest.raises(GameFormatError, match=r"tatc.format: is 2, of tatc '9.1'") as it:
        read_record(written(document, tmp_path))
    assert it.value.fix == "update tatc"


@pytest.mark.parametrize(("task", "params"), [("Heat And Place", ("Mug", "Shelf")), ("Coffee", ())])
def test_marks_come_back_where_the_task_asks_for_them(
    task: str, params: tuple[str, ...], tmp_path: Path
) -> None:
    objects = sample_record().final.objects
    hot = tuple(replace(obj, wasHeated=obj.objectType == "Mug") for obj in objects)
    final = replace(sample_record().final, objects=hot)
    definition = shipped_library().compile(task, params).definition_json()
    write_record(sample_record(definition=definition, final=final), tmp_path / "a.game.json")
    back = read_record(tmp_path / "a.game.json").final
    assert [obj.objectType for obj in back.objects if obj.wasHeated] == ["Mug"] * len(params[:1])


def test_a_game_of_teachs_is_no_record(document: Json, tmp_path: Path) -> None:
    del document["tatc"]
    with pytest.raises(GameFormatError, match=r"lacks the key `tatc` \(name a file"):
        read_record(written(document, tmp_path))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"end": "won"}, "tatc.end"),
        ({"end": None}, "tatc.end"),
        ({"format": 0}, "tatc.format"),
        ({"format": "1"}, "tatc.format"),
        ({"seed": 1.5}, "tatc.seed"),
        ({"world": ""}, "tatc.world"),
        ({"gc_total": None}, "tatc.gc_total"),
        ({"game": 7}, "tatc.game"),
        ({"options": []}, "tatc.options"),
        ({"options": {"a": [1]}}, "tatc.options.'a'"),
        ({"decisions": [1]}, "tatc.decisions[0]"),
        ({"decisions": [{"step": 1}]}, "tatc.decisions[0].utterance"),
        ({"boxes": None}, "tatc.boxes"),
        ({"boxes": {"initial_state": [[9] * 8]}}, "tatc.boxes.initial_state[0][0]"),
        ({"boxes": {"initial_state": [[0] * 7]}}, "tatc.boxes.initial_state[0]"),
        ({"boxes": {"initial_state": [[0, *[1] * 8]]}}, "tatc.boxes.initial_state[0]"),
        ({"boxes": {"initial_state": [[0, 1, 1, 1, -1, 1, 1, 0]]}}, "tatc.boxes.initial_state[0]"),
    ],
)
def test_a_fault_in_our_own_is_named(
    document: Json, tmp_path: Path, change: Json, field: str
) -> None:
    document["tatc"] |= change
    with pytest.raises(GameFormatError) as caught:
        read_record(written(document, tmp_path))
    assert f": {field}: " in str(caught.value)


def test_a_session_is_named_after_its_game_or_after_room_task_and_seed() -> None:
    assert sample_record().session_id == "0123456789abcdef_0123"
    made = sample_record("kitchen-03")
    assert made.session_id == "kitchen-03_coffee_7"
    salad = replace(made, definition={**made.definition, "task_name": "Put All X On Y/Z"})
    assert salad.session_id == "kitchen-03_put-all-x-on-y-z_7"


def test_a_record_of_before_is_read_and_keeps_its_name_as_a_game(tmp_path: Path) -> None:
    """Sessions were named after room and seed alone."""
    made = sample_record("kitchen-03")
    document = json.loads(record_bytes(made))
    document["tasks"][0]["episodes"][0]["episode_id"] = "kitchen-03_7"
    path = tmp_path / "old.game.json"
    path.write_text(json.dumps(document))
    assert read_record(path) == made
    assert read_game(path).game_id == "kitchen-03_7"


def test_what_is_no_plain_file_is_not_replaced(tmp_path: Path) -> None:
    """As root, a file put in place of /dev/stdout would stay there."""
    pipe = tmp_path / "made.game.json"
    os.mkfifo(pipe)
    for force in (False, True):
        with pytest.raises(OutputError, match="is no plain file"):
            check_writable(pipe, force=force)
    assert pipe.is_fifo()


def test_counts_are_of_each_agent_and_of_failed_primitives() -> None:
    click = Click(0.5, 0.5)
    you, me = Role.COMMANDER, Role.FOLLOWER
    made = sample_record(
        interactions=(
            Interaction(me, Verb.PICKUP, 0.1, False, click=click),
            Interaction(me, Verb.PICKUP, 0.2, True, click=click),
            Interaction(me, Verb.PICKUP, 0.3, None, click=click),
            Interaction(me, Verb.TEXT, 0.4, False, text="hello"),
            Interaction(you, Verb.FORWARD, 0.5, False, pose=COMMANDER_POSE),
            Interaction(you, Verb.OPEN_PROGRESS_CHECK, 0.6, False),
        )
    )
    assert (made.count_actions(me), made.count_actions(you)) == (4, 2)
    assert made.failed_action_count == 1
    assert made.success and not replace(made, end=SessionEnd.GAVE_UP).success
    assert repr(made) == (
        "<Record Coffee in FloorPlan7: success, 3 of 3 goal conditions, 6 actions>"
    )


@pytest.mark.parametrize("count", [0, 10])
def test_a_state_at_the_end_is_one_action_after_the_last(count: int) -> None:
    whole = sample_record()
    made = replace(whole, interactions=whole.interactions[:count])
    [episode] = json.loads(record_bytes(made))["tasks"][0]["episodes"]
    assert episode["initial_state"]["time_start"] == 0.0
    assert episode["final_state"]["time_start"] == (1.1 if count else 0.0)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1], {"a": 1}])
@pytest.mark.parametrize(
    ("place", "field"),
    [
        ("options.steps", "tatc.options.'steps'"),
        ("decisions.0.problem_key.3", "tatc.decisions[0].problem_key[3]"),
    ],
)
def test_values_of_our_own_are_plain(value: Any, place: str, field: str, document: Json) -> None:
    change(document["tatc"], place, value)
    with pytest.raises(FieldError) as caught:
        read_tatc_key(document["tatc"], {}, sample_record().scene, sample_record().final, ())
    assert f"tatc.{caught.value.field}" == field


@pytest.mark.parametrize(
    "wrong", [[], ["a", "b", "c"], ["a", "b", "c", 1, 2], [1, "b", "c", 1], ["a", "b", None, 1]]
)
def test_a_problem_key_is_three_texts_and_a_value(wrong: Any, document: Json) -> None:
    document["tatc"]["decisions"][0]["problem_key"] = wrong
    with pytest.raises(FieldError, match="should be id, type, property and value"):
        read_tatc_key(document["tatc"], {}, sample_record().scene, sample_record().final, ())


def test_a_reason_to_fall_back_is_kept_and_none_is_not_written() -> None:
    whole = sample_record()
    fell = replace(whole.decisions[0], fallback_reason="refused twice")
    made = replace(whole, decisions=(fell, whole.decisions[1]))
    document = json.loads(record_bytes(made))
    reasons = [each.get("fallback_reason") for each in document["tatc"]["decisions"]]
    assert reasons == ["refused twice", None]
    read = read_tatc_key(document["tatc"], {}, made.scene, made.final, ())
    assert read.decisions == made.decisions


def _read_boxes(document: Json, boxes: Any) -> Record:
    document["tatc"]["boxes"]["initial_state"] = boxes
    record = sample_record()
    return read_tatc_key(document["tatc"], {}, record.scene, record.final, ())


def test_a_box_belongs_to_an_object_that_there_is(document: Json) -> None:
    last = len(sample_objects()) - 1
    exact = [0.5, 1.0, 1.5, 0.25, 0.5, 0.75, 30.0]
    read = _read_boxes(document, [[last, *exact]])
    assert read.scene.initial.objects[last].box == Box((0.5, 1.0, 1.5), (0.25, 0.5, 0.75), 30.0)
    for wrong in (-1, last + 1):
        with pytest.raises(FieldError, match=r"boxes.initial_state\[0\]"):
            _read_boxes(document, [[wrong, *exact]])
    for place in range(7):
        numbers: list[Any] = list(exact)
        numbers[place] = "0"
        with pytest.raises(FieldError) as caught:
            _read_boxes(document, [[0, *exact], [last, *numbers]])
        assert caught.value.field == f"boxes.initial_state[1][{place + 1}]"


def test_only_boxes_that_rounding_changes_are_written_exactly() -> None:
    start = sample_start()
    boxes = json.loads(record_bytes(sample_record()))["tatc"]["boxes"]["initial_state"]
    named = [number for number, *_ in boxes]
    assert 0 < len(named) < len(start.objects)
    back = [read_object(write_object(obj)).box == obj.box for obj in start.objects]
    assert named == [i for i, is_same in enumerate(back) if not is_same]


def test_a_session_is_a_record_or_a_game(document: Json, tmp_path: Path) -> None:
    path = tmp_path / "any.game.json"
    path.write_text(json.dumps(document))
    assert isinstance(read_session(path), Record)
    del document["tatc"]
    path.write_text(json.dumps(document))
    assert isinstance(read_session(path), Game)
    for wrong in ([], {}, "tatc", {"tatc": {}}):
        path.write_text(json.dumps(wrong))
        with pytest.raises(GameFormatError, match="is JSON but not a game: `tasks` is missing"):
            read_session(path)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_definition_that_could_not_be_written_again_is_refused(
    number: str, document: Json, tmp_path: Path
) -> None:
    document["tasks"][0]["extra"] = [12.25]
    path = tmp_path / "infinite.game.json"
    path.write_text(json.dumps(document).replace("12.25", number))
    with pytest.raises(GameFormatError, match=r"tasks\[0\]: holds NaN or an infinite number"):
        read_record(path)


def test_a_record_with_an_infinite_number_is_not_written(tmp_path: Path) -> None:
    endless = sample_record(options=(("noise", float("inf")),))
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_record(endless, tmp_path / "endless.game.json")
    assert not list(tmp_path.iterdir())


def test_the_block_of_definitions_is_teachs_own(teach_data: Path) -> None:
    path = teach_data / "teach" / "default_definitions.json"
    official = json.loads(path.read_bytes())["definitions"]
    assert DEFINITIONS == official | {"tasks": []}


TABLE = json.loads(
    files("tatc.session.records").joinpath("renamed_in_decisions.json").read_text("utf-8")
)


def _skills() -> dict[str, tuple[str, ...]]:
    """Return each skill with its arguments."""
    modules = [import_module(f"{skills.__name__}.{m.name}") for m in iter_modules(skills.__path__)]
    classes = {name: cls for module in modules for name, cls in vars(module).items()}
    return {
        name: tuple(field.name for field in fields(cls))
        for name, cls in classes.items()
        if hasattr(cls, "plan") and hasattr(cls, "__dataclass_fields__")
    }


def test_skills_that_were_renamed_have_names_and_arguments_that_exist() -> None:
    known = _skills()
    assert set(TABLE["skills"].values()) <= known.keys()
    assert not TABLE["skills"].keys() & known.keys()
    for skill, arguments in TABLE["arguments"].items():
        assert set(arguments.values()) <= set(known[skill])
        assert not arguments.keys() & set(known[skill])
