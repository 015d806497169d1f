"""At which level a session's Follower perceives, and what names the level."""

from pathlib import Path

import pytest

import tatc
from tatc.base.errors import BadInput
from tatc.home.actions import Action, Verb
from tatc.home.observation import Observation
from tatc.home.percepts import PerceptionLevel
from tatc.session.records import read_record
from tatc.session.timeline import read_finished_session
from tests.command_line import run_tatc

LOOKER = "tests.session.agents.test_perception_levels:Looker"
COFFEE = ("run", "coffee", "--room", "kitchen-01")


class Looker:
    """Looks once and stops."""

    perceives = True
    levels: tuple[PerceptionLevel, ...] = ()

    def begin(self) -> None:
        Looker.levels = ()

    def act(self, observation: Observation) -> Action:
        view = None if observation.percepts is None else observation.percepts()
        if view is not None:
            Looker.levels = (*Looker.levels, view.level)
        return Action(Verb.STOP)


@pytest.mark.parametrize(
    ("given", "level"), [((), PerceptionLevel.TRUTH), (("--perception", "masks"), "masks")]
)
def test_a_follower_that_perceives_does_so_at_the_named_level_or_at_truth(
    given: tuple[str, ...], level: PerceptionLevel, tmp_path: Path
) -> None:
    saved = tmp_path / "saved.game.json"
    done = run_tatc(*COFFEE, "--follower", LOOKER, "--save", saved, *given)
    assert done.exit_code == 1, done.stderr  # it stops at once
    assert Looker.levels == (level,)
    assert dict(read_record(saved).options)["perception"] == level
    assert read_finished_session(saved).setup.perception is PerceptionLevel(level)


@pytest.mark.parametrize(
    ("level", "why"),
    [
        ("truth", "the Follower rule does not perceive"),
        ("frames", "needs a detector"),
        ("masks,truth", "unknown perception level"),
    ],
)
def test_a_level_that_cannot_be_is_refused_in_a_line(level: str, why: str) -> None:
    done = run_tatc(*COFFEE, "--perception", level)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
    assert why in done.stderr


class Asker(Looker):
    """Asks as often as it may."""

    def __init__(self, questions: int = 1) -> None:
        self._questions = self._left = questions

    def begin(self) -> None:
        self._left = self._questions

    def act(self, observation: Observation) -> Action:
        self._left -= 1
        return Action(Verb.STOP) if self._left < 0 else Action(Verb.TEXT, text="What now?")


def test_a_budget_of_questions_is_kept_and_named(tmp_path: Path) -> None:
    saved, asker = tmp_path / "saved.game.json", LOOKER.replace("Looker", "Asker")
    given = [*COFFEE, "--follower", asker, "--questions", "4", "--save", str(saved)]
    assert run_tatc(*given).exit_code == 1
    record = read_record(saved)
    said = [each for each in record.interactions if each.text == "What now?"]
    assert len(said) == dict(record.options)["questions"] == 4
    assert read_finished_session(saved).setup.get("questions") == 4
    done = run_tatc(*COFFEE, "--questions", "4")
    assert done.exit_code == 2 and "no budget of questions" in done.stderr


@pytest.mark.parametrize("follower", [Looker, Looker()])
def test_python_code_names_a_level_too(follower: object) -> None:
    record = tatc.run("coffee", room="kitchen-01", follower=follower, perception="masks")
    assert dict(record.options)["perception"] == "masks"


def test_a_follower_without_perception_is_refused_in_python_too() -> None:
    with pytest.raises(BadInput, match="does not perceive"):
        tatc.run("coffee", room="kitchen-01", perception="truth")
