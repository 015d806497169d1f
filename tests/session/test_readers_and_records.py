"""Who takes a reader of dialogue, what a memory is called, and which calls of models are new."""

from pathlib import Path

import pytest

from tatc.base.errors import BadInput
from tatc.home.actions import Role
from tatc.language.llm.model_call import ModelCallEnd, RecordedModelCall
from tatc.language.understanding import understand
from tatc.language.understanding.named_goals import NamedGoal, NamedGoals, write_goals
from tatc.session.agents.agents import check_reads, follower_factory
from tatc.session.agents.session_setup import check_goals, with_reading
from tatc.session.agents.settings import file_label
from tatc.session.records import read_record
from tatc.session.session_record import save_record_in
from tatc.session.session_types import AgentNotes, new_model_calls
from tests.language.understanding.written_dialogues import spoken
from tests.session.records.sample_record import sample_record

RULE, LISTENER, FORGETFUL = map(follower_factory, ("rule", "listener", "listener-no-memory"))


def goals_file(folder: Path, *names: str) -> str:
    said = spoken("make a coffee")
    goal = understand(said).goal
    assert goal is not None
    write_goals(
        NamedGoals(tuple(NamedGoal(name, said, goal.content) for name in names)),
        folder / "mine.jsonl",
    )
    return str(folder / "mine.jsonl")


def test_who_reads_dialogue_takes_a_reader_and_who_recalls_names_a_memory() -> None:
    for option, made in (("--model", LISTENER), ("--goals", LISTENER), ("--model", FORGETFUL)):
        check_reads(made, "it", option)
    for option, made, why in (
        ("--model", RULE, "rule reads no dialogue that a model could read"),
        ("--goals", RULE, "rule reads no dialogue that could recall a name"),
        ("--goals", FORGETFUL, "rule reads no dialogue that could recall a name"),
    ):
        with pytest.raises(BadInput, match=f"{option}: the Follower {why}"):
            check_reads(made, "rule", option)


def test_a_follower_stays_as_it_is_without_anything_to_read_by() -> None:
    assert with_reading(LISTENER, "listener", None, None) is LISTENER
    assert with_reading(RULE, "rule", None, None, directives=True) is RULE
    assert with_reading(LISTENER, "listener", None, None, directives=True) is not LISTENER


def test_a_memory_is_named_by_its_file_and_a_hash(tmp_path: Path) -> None:
    check_goals(None)
    assert file_label(None) == ""
    with pytest.raises(BadInput, match="there is no such memory"):
        check_goals(str(tmp_path / "none.jsonl"))
    one = file_label(goals_file(tmp_path, "brew"))
    other = file_label(goals_file(tmp_path, "tea"))
    assert one != other and [len(each) for each in one.split()] == [len("mine.jsonl"), 12]
    assert file_label(goals_file(tmp_path, "brew")) == one


def test_a_record_saved_in_a_folder_is_named_by_task_place_and_content(tmp_path: Path) -> None:
    in_plan, in_game = sample_record(game_id=None), sample_record(game_id="a-game")
    paths = [save_record_in(each, tmp_path / "made") for each in (in_plan, in_plan, in_game)]
    assert paths[0] == paths[1] and len(set((tmp_path / "made").iterdir())) == 2
    for path, place in zip(paths[1:], (in_plan.scene.place, "a-game"), strict=True):
        _, named, rest = path.name.rsplit("_", 2)
        assert named == place and len(rest) == 12 + len(".game.json")
        assert read_record(path).scene == in_plan.scene


def test_calls_of_each_agent_are_noted_once() -> None:
    def call(role: Role, request: str) -> RecordedModelCall:
        return RecordedModelCall(role=role, model="m", request=request, end=ModelCallEnd.ANSWERED)

    leader = AgentNotes(model_calls=(call(Role.COMMANDER, "a"),))
    follower = AgentNotes(model_calls=(call(Role.FOLLOWER, "x"), call(Role.FOLLOWER, "y")))
    first = new_model_calls((leader, follower), (), 3)
    assert [(each.request, each.step) for each in first] == [("a", 3), ("x", 3), ("y", 3)]
    assert new_model_calls((leader, follower), first, 4) == ()
    leader = AgentNotes(model_calls=(*leader.model_calls, call(Role.COMMANDER, "b")))
    assert [each.request for each in new_model_calls((leader, follower), first, 5)] == ["b"]
    assert new_model_calls((AgentNotes(), AgentNotes()), first, 5) == ()
