"""Rounds of feedback in instances, whose words are heard, and what a run says of them."""

import json
from pathlib import Path

import pytest

from tatc.evaluation.instances.build_instances import InstanceDocument, build_instances
from tatc.evaluation.instances.instance_players import FollowerPlayer
from tatc.evaluation.instances.play_instance import ALL_DONE, NOT_YET, feedback_words, play_instance
from tatc.evaluation.instances.source_games import is_world_action
from tatc.evaluation.runs.instance_runner import with_words_of, without_words
from tatc.home.actions import Role, Utterance
from tatc.language.understanding import understand
from tatc.session.records import Benchmark, Instance, parse_instance, read_game
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.command_line import run_tatc
from tests.evaluation.instances.perceiving_followers import Asker
from tests.sim.box_kitchen import kitchen

ASKER = "tests.evaluation.instances.perceiving_followers:Asker"


@pytest.fixture(scope="module")
def tfd(played_game: Path) -> Instance:
    [document] = build_instances(played_game, Benchmark.TFD, shipped_library())
    return parse_instance(document, "kitchen-01.tfd")


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_a_user_answers_so_often_and_then_the_instance_ends(
    tfd: Instance, played_game: Path, rounds: int
) -> None:
    start, asker = start_from_game(played_game, shipped_library(), None, (), 1), Asker()
    player = FollowerPlayer(asker, speaks=rounds > 0)
    sim = EmbeddedSimulator()
    played = play_instance(sim, start.scene, tfd, start.task, player, feedback=rounds)
    own = [each.text for each in tfd.dialogue if each.speaker is Role.COMMANDER]
    answers = asker.heard[len(own) :]
    assert asker.heard[: len(own)] == own
    assert len(answers) == rounds and played.stopped and played.steps == rounds + 1
    assert played.failures == 0
    assert all("coffee" in answer for answer in answers)
    spoken = [each.text for each in played.interactions if each.role is Role.COMMANDER]
    assert spoken == answers


@pytest.mark.parametrize(
    ("task", "params"),
    [
        ("Coffee", ()),
        ("Boil X", ("Potato",)),
        ("Put All X On Y", ("Potato", "in", "Sink")),
        ("Plate Of Toast", ()),
    ],
)
def test_what_is_missing_is_said_so_that_it_is_understood(
    task: str, params: tuple[str, ...]
) -> None:
    wanted = shipped_library().compile(task, params)
    words = feedback_words(wanted.check(EmbeddedSimulator().reset(kitchen())))
    assert words not in (ALL_DONE, NOT_YET)
    assert understand([Utterance(Role.COMMANDER, words, 0.0)]).goal is not None, words


def test_what_is_done_is_said_too(played_game: Path) -> None:
    start = start_from_game(played_game, shipped_library(), None, (), 1)
    assert feedback_words(start.task.check(read_game(played_game).final)) == ALL_DONE


def test_other_words_leave_what_was_done(edh: tuple[InstanceDocument, ...], tfd: Instance) -> None:
    for instance in (parse_instance(each, str(each["instance_id"])) for each in edh):
        other = with_words_of(instance, tfd)
        for changed in (without_words(instance), other):
            acts = [each for each in changed.history if is_world_action(each)]
            assert acts == [each for each in instance.history if is_world_action(each)]
        assert without_words(instance).dialogue == ()
        assert other.dialogue == tfd.dialogue


def evaluate(folder: Path, game: Path, out: Path, *more: str):
    given = ["eval", str(folder), "--kind", "tfd", "--games", str(game), "--follower", ASKER]
    return run_tatc(*given, "--out", out, "--save-records", "all", *more)


def test_rows_records_and_reports_name_the_conditions(
    tfd: Instance, played_game: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "tfd"
    folder.mkdir()
    (folder / "kitchen-01.tfd.json").write_text(json.dumps(dict(tfd.document)))
    given = ("--goal", "true", "--feedback", "2", "--dialogue", "empty")
    done = evaluate(folder, played_game, tmp_path / "run", *given)
    assert done.exit_code == 0, done.stderr
    for words in ("the true goal given", "2 rounds of feedback", "control: empty dialogue"):
        assert words in " ".join(done.stdout.split())
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "HELPER, ground truth unseen 30.23 9.12 AI2-THOR ground truth 50" in lines
    assert any(line.startswith("this run 0.00") and line.endswith("30") for line in lines)
    [row] = [json.loads(line) for line in (tmp_path / "run/results.jsonl").read_text().splitlines()]
    assert (row["goal"], row["feedback"], row["dialogue"], row["steps"]) == ("true", 2, "empty", 3)
    from tatc.session.records import read_record

    options = dict(read_record(tmp_path / "run" / row["record"]).options)
    assert (options["goal"], options["feedback"], options["dialogue"]) == ("true", 2, "empty")
