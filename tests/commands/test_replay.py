"""`tatc replay`: a record told, and done again."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tatc.home.actions import Action, Role, Verb
from tatc.session.records import (
    Interaction,
    Record,
    SessionEnd,
    logged_pose,
    read_record,
    write_record,
)
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.apps.debugger.debug_sessions import save_finished_session
from tests.command_line import run_tatc
from tests.session.records.sample_record import sample_record

TRANSCRIPT = """\
Coffee in FloorPlan7, game 0123456789abcdef_0123

Follower   What should I do next?
           [progress check: not done]
           x SearchObject mug
Commander  TurnRight Pickup Mug at 0.5 0.5
           + TurnRight
           + Pickup Mug at 0.5 0.5
           x Place at 0.25 0.75
           + ToggleOn CoffeeMachine at 0.3 0.4
           + Forward
           + Navigation

Success: 3 of 3 goal conditions
Commander 4 actions, Follower 6 actions, 1 failed
policies: 1 stretch, PDDL: 0
Not verified: this is what the file says (--verify computes it)
"""

WALK = (Verb.TURN_RIGHT, Verb.FORWARD, Verb.LOOK_UP, Verb.PAN_LEFT, Verb.FORWARD)


def _replay(path: Path, *options: str) -> Result:
    return run_tatc("replay", path, *options)


def _walked() -> Record:
    """Return the record of a walk that has really been done."""
    made, sim = sample_record(), EmbeddedSimulator()
    sim.reset(made.scene)
    log: list[Interaction] = []
    for i, verb in enumerate(WALK):
        result = sim.step(Role.FOLLOWER, Action(verb))
        pose = logged_pose(sim.snapshot().follower)
        time = round(0.1 * (i + 1), 1)
        log.append(Interaction(Role.FOLLOWER, verb, time, result.success, pose=pose))
    final = sim.capture()
    met = shipped_library().compile("Coffee", ()).check(final).goal_conditions_satisfied
    end = {"end": SessionEnd.GAVE_UP, "gc_satisfied": met}
    return replace(made, interactions=tuple(log), final=final, decisions=(), **end)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "walked.game.json"
    write_record(_walked(), path)
    return path


def test_a_session_is_told(game_file: Path) -> None:
    done = _replay(game_file)
    assert (done.exit_code, done.stdout, done.stderr) == (0, TRANSCRIPT, "")


def test_the_end_says_what_is_lacking(tmp_path: Path) -> None:
    made = sample_record()
    lacking = replace(made, final=made.scene.initial, end=SessionEnd.STEP_LIMIT, gc_satisfied=1)
    write_record(lacking, tmp_path / "lacking.game.json")
    story = _replay(tmp_path / "lacking.game.json").stdout
    assert "No success (step limit): 1 of 3 goal conditions" in story
    assert story.count("  not met: ") == 2
    assert "(Mug)" in story


def test_json_holds_the_whole_session(game_file: Path) -> None:
    done = _replay(game_file, "--json")
    value: dict[str, Any] = json.loads(done.stdout)
    assert (value["task"], value["game"]) == ("Coffee", "0123456789abcdef_0123")
    assert (value["success"], value["end"]) == (True, "success")
    assert (value["gc_total"], value["gc_sat"]) == (3, 3)
    assert (value["commander_actions"], value["follower_actions"]) == (4, 6)
    assert value["failed_actions"] == 1
    assert value["interactions"][4]["verb"] == "Turn Right"
    assert value["interactions"][4]["role"] == "follower"
    assert value["decisions"][0]["policy"] == "isDirty"
    assert "verified" not in value


def test_the_same_comes_out_again(saved: Path) -> None:
    done = _replay(saved, "--verify")
    assert done.exit_code == 1  # as of a session that is not solved
    assert done.stdout.endswith(
        "Verified: 5 actions again, the same results and end\n"
        "Not verified: why it ended (gave up)\n"
    )


FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "success": ({"end": SessionEnd.SUCCESS}, "the record's end is success; the task is not done"),
    "met": ({"gc_satisfied": 3}, "the record says 3 of 3 goal conditions; 1 of 3 are met"),
    "more met": ({"gc_satisfied": 99}, "the record says 99 of 3 goal conditions"),
    "total": ({"gc_total": 1}, "the record says 1 of 1 goal conditions; 1 of 3 are met"),
    "less": ({"gc_total": 0, "gc_satisfied": 0}, "the record says 0 of 0 goal conditions"),
    "a start": (
        {"game_id": None, "scene": replace(sample_record().scene, place="kitchen-01")},
        "the record's start is not the one of kitchen-01, seed ",
    ),
    "a decision": (
        {"decisions": sample_record().decisions},
        "decision 0: the Commander says nothing at step 4",
    ),
    "an easier task": (
        {"definition": sample_record().definition | {"components": {}}},
        "the record's task is defined otherwise",
    ),
}


@pytest.mark.parametrize(("changes", "why"), FORGED.values(), ids=FORGED)
def test_what_a_record_claims_is_computed(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    path = tmp_path / "forged.game.json"
    write_record(replace(_walked(), **changes), path)
    done = _replay(path, "--verify")
    assert done.exit_code == 1
    assert f"Not so: {why}" in done.stdout and "Verified: " not in done.stdout
    assert json.loads(_replay(path, "--verify", "--json").stdout)["verified"]["claims"]


def test_a_start_at_which_all_is_done_is_no_success(tmp_path: Path) -> None:
    path = tmp_path / "noisy.game.json"
    words = ("run", "coffee", "--room", "kitchen-01", "--noise", "0.2", "--save", path)
    assert run_tatc(*words).exit_code == 0
    assert "Verified: " in _replay(path, "--verify").stdout  # with its noise
    made = read_record(path)
    scene = replace(made.scene, initial=made.final)
    write_record(replace(made, scene=scene, interactions=(), decisions=()), path, force=True)
    done = _replay(path, "--verify")
    assert done.exit_code == 1 and "the task was done at the start" in done.stdout


@pytest.mark.parametrize("verb", [Verb.OPEN_PROGRESS_CHECK, Verb.SEARCH_OBJECT])
def test_answers_of_a_record_are_computed(tmp_path: Path, verb: Verb) -> None:
    walked = _walked()
    words = "sofa" if verb is Verb.SEARCH_OBJECT else ""
    asked = Interaction(Role.COMMANDER, verb, 0.9, None, text=words)
    path, answer = tmp_path / "asked.game.json", verb is Verb.SEARCH_OBJECT
    for success in (True, False, None):
        asked = replace(asked, success=success)
        log = (*walked.interactions, asked)
        write_record(replace(walked, interactions=log), path, force=True)
        is_so = success is answer
        assert ("Verified: " in _replay(path, "--verify").stdout) is is_so


def test_success_of_an_unknown_task_is_said_to_be_a_claim(tmp_path: Path) -> None:
    walked, path = _walked(), tmp_path / "own.game.json"
    named = walked.definition | {"task_name": "My Own Coffee"}
    write_record(replace(walked, definition=named, end=SessionEnd.SUCCESS), path)
    done = _replay(path, "--verify")
    assert done.exit_code == 1
    assert "Not verified: the task 'My Own Coffee' is not known" in done.stdout


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"success": True}, "tatc.success: is True, and the end is gave_up"),
        ({"place": "kitchen-99"}, "tatc.place: is 'kitchen-99', and the session's world is "),
    ],
)
def test_what_contradicts_the_rest_of_a_record_is_refused(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    path = tmp_path / "forged.game.json"
    write_record(_walked(), path)
    content = json.loads(path.read_text())
    content["tatc"] |= changes
    path.write_text(json.dumps(content))
    done = _replay(path)
    assert done.exit_code == 2 and why in done.stderr


def test_a_decision_is_of_the_words_that_were_said(tmp_path: Path) -> None:
    path = tmp_path / "forged.game.json"
    save_finished_session(path)
    record = read_record(path)
    first = replace(record.decisions[0], utterance="hi")
    write_record(replace(record, decisions=(first, *record.decisions[1:])), path, force=True)
    done = _replay(path, "--verify")
    assert done.exit_code == 1
    assert "Not so: decision 0: the Commander says otherwise at step 3" in done.stdout


def test_what_comes_out_otherwise_is_named(tmp_path: Path) -> None:
    walked = _walked()
    log = list(walked.interactions)
    log[1] = replace(log[1], success=not log[1].success)
    path = tmp_path / "altered.game.json"
    write_record(replace(walked, interactions=tuple(log)), path)
    done = _replay(path, "--verify", "--json")
    assert done.exit_code == 1
    verified = json.loads(done.stdout)["verified"]
    assert (verified["same"], verified["interaction"]) == (False, 1)
    assert "Forward" in verified["difference"]


def test_another_end_is_named(tmp_path: Path) -> None:
    walked = _walked()
    [mug] = walked.final.of_type("Mug")
    objects = tuple(
        replace(obj, isDirty=False) if obj is mug else obj for obj in walked.final.objects
    )
    path = tmp_path / "altered.game.json"
    write_record(replace(walked, final=replace(walked.final, objects=objects)), path)
    done = _replay(path, "--verify")
    assert done.exit_code == 1
    assert "\nNot the same: end: Mug: isDirty is True at the end, not False\n" in done.stdout


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"world": "AI2-THOR 5.0.0"}, "run in 'AI2-THOR 5.0.0', which --verify cannot"),
        ({"floor_map": "train", "map_hash": "abc"}, "with the map 'train' abc"),
    ],
)
def test_another_world_is_not_pretended(tmp_path: Path, changes: dict[str, str], why: str) -> None:
    path = tmp_path / "elsewhere.game.json"
    write_record(sample_record(**changes), path)
    done = _replay(path, "--verify")
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr


def test_a_game_is_no_record(tmp_path: Path, document: dict[str, Any]) -> None:
    del document["tatc"]
    path = tmp_path / "game.game.json"
    path.write_text(json.dumps(document))
    done = _replay(path)
    assert done.exit_code == 2
    assert "is a game, but no record of tatc's" in done.stderr


def test_a_map_is_for_verifying(tmp_path: Path) -> None:
    refused = run_tatc("replay", tmp_path / "any.game.json", "--map", "boxes")
    assert "--map is for --verify (add --verify, or leave --map out)" in refused.stderr
