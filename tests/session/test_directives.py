"""What annotators of ALFRED wrote, read out to a Follower that understands it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.home.actions import Action, Click, Verb
from tatc.home.observation import Observation
from tatc.session import play
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import read_record, record_bytes
from tatc.session.records.trajectory import Annotation
from tatc.session.session_record import replay_record
from tatc.session.start import AnnotatedLanguage, start_from_trajectory
from tatc.session.timeline import LiveSession
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.command_line import run_tatc
from tests.generated_trajectories import generate

FAILING = "tests.session.test_directives:Failing"


class Failing:
    """A Follower whose actions fail until ALFRED's limit ends the session."""

    def begin(self) -> None: ...

    def act(self, observation: Observation) -> Action:
        return Action(Verb.PLACE, Click(0.5, 0.5))


@pytest.fixture(scope="module")
def trajectory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    [path] = generate(tmp_path_factory.mktemp("generated") / "set", "simple", 1)
    return path


def test_directives_are_sentences_in_one_utterance() -> None:
    given = Annotation("put  it down", ("Turn left. ", "Walk"))
    for language, said in (("goal", "put it down."), ("steps", "put it down. Turn left. Walk.")):
        reader: Any = play.DirectiveCommander(given, AnnotatedLanguage(language), "x")
        assert reader.act(None).text == said


def test_the_first_annotation_with_words_is_read_out(trajectory: Path, tmp_path: Path) -> None:
    raw = json.loads(trajectory.read_text())
    words = [{"task_desc": goal, "high_descs": []} for goal in (" ", "cook", "wash")]
    (tmp_path / "traj_data.json").write_text(
        json.dumps(raw | {"turk_annotations": {"anns": words}})
    )
    start = start_from_trajectory(tmp_path / "traj_data.json", shipped_library(), (), 1)
    assert start.directives == Annotation("cook", ())


@pytest.mark.parametrize("language", ["goal", "steps"])
def test_listener_acts_on_what_it_hears(trajectory: Path, tmp_path: Path, language: str) -> None:
    saved = tmp_path / "one.game.json"
    words = ("--follower", "listener", "--language", language, "--save", saved, "--json")
    done = run_tatc("run", "--game", trajectory, *words)
    found = json.loads(done.stdout)
    assert found["alfred"] == {"total": 1, "met": 1}, done.output
    record = json.loads(saved.read_text())["tatc"]
    assert record["options"]["language"] == language
    said = json.loads(trajectory.read_text())["turk_annotations"]["anns"][0]
    heard = [each for each in saved.read_text().split(said["task_desc"])]
    assert len(heard) > 1 and (said["high_descs"][0] in saved.read_text()) == (language == "steps")


@pytest.mark.parametrize(
    ("follower", "language"), [("listener", "steps"), ("random", None), (FAILING, "goal")]
)
def test_the_debugger_runs_a_trajectory_as_run_does(
    trajectory: Path, tmp_path: Path, follower: str, language: str | None
) -> None:
    saved = tmp_path / "one.game.json"
    words = ("--game", trajectory, "--follower", follower)
    words += ("--language", language) if language else ()
    run_tatc("run", *words, "--save", saved)
    record = read_record(saved)
    assert (record.failed_action_count == 10) is (follower == FAILING)
    assert replay_record(record, EmbeddedSimulator()).is_same
    start = start_from_trajectory(trajectory, shipped_library(), (), 1)
    level = AnnotatedLanguage(language) if language else None
    setup = play.prepare(SessionSetup(follower=follower, language=level)).setup
    live = LiveSession(start, setup)
    live.run_to(2000)
    assert record_bytes(live.record()) == record_bytes(record)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--task", "coffee", "--language", "goal"), "has no directives"),
        (("--task", "coffee", "--language", "gaol"), "gaol"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], why: str) -> None:
    done = run_tatc("run", *words, "--no-save")
    assert done.exit_code == 2
    assert why in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_trajectory_brings_its_own_task(trajectory: Path) -> None:
    for words in (("--task", "coffee"), ("--param", "Mug")):
        done = run_tatc("run", "--game", trajectory, *words, "--no-save")
        assert done.exit_code == 2 and "a trajectory brings its own task" in done.stderr


@pytest.mark.parametrize("annotations", [None, {}, {"anns": []}])
def test_a_trajectory_without_words_to_read_out_is_skipped(
    trajectory: Path, tmp_path: Path, annotations: object
) -> None:
    wordless = tmp_path / "traj_data.json"
    raw = json.loads(trajectory.read_text()) | {"turk_annotations": annotations}
    wordless.write_text(json.dumps(raw))
    words = ("--follower", "listener", "--language", "goal", "--out", tmp_path / "run")
    done = run_tatc("eval", wordless, *words, "--json")
    assert done.exit_code == 1 and "skipped: 1 file" in done.stderr
    assert "has no directives" in (tmp_path / "run" / "results.jsonl").read_text()
