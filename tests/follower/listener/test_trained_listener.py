"""Listeners of a user's own: what is learned, the file that holds it, and the Follower."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import BadInput
from tatc.follower.listener.exploration import Explorer
from tatc.follower.listener.searched_places import container_weight
from tatc.follower.listener.trained import (
    LearnedPlaces,
    TrainedListener,
    count_places,
    read_trained_listener,
    trained_listener,
    write_trained_listener,
)
from tatc.home.actions import Role, Utterance
from tatc.home.observation import Observation
from tatc.language.understanding.goals import Dish, GoalContent, Portion, Preparation
from tatc.language.understanding.named_goals import NamedGoal, NamedGoals
from tatc.session.agents.agent_names import comes_with_tatc
from tests.command_line import run_tatc
from tests.follower.listener.homes import Home, looked_around, opening

LARRY = NamedGoal(
    "Larry toast",
    (Utterance(Role.COMMANDER, "toast. call it the Larry toast", 0.0),),
    GoalContent((Dish("toast", "Plate", (Portion("Bread", Preparation.TOASTED),)),)),
)
PLACES = LearnedPlaces({"Fridge": 40, "Cabinet": 400}, {("Fridge", "Mug"): 30})
TRAINED = TrainedListener(40, PLACES, NamedGoals((LARRY,)))


def test_things_are_likely_where_they_were() -> None:
    assert container_weight("Cabinet", ["Cup"]) < container_weight("Fridge", ["Apple"])
    assert PLACES.weight("Fridge", ["Mug"]) > 0.5 > 10 * PLACES.weight("Cabinet", ["Mug"])
    assert PLACES.weight("Fridge", ["Cup", "Mug"]) == PLACES.weight("Fridge", ["Mug"])
    nothing = LearnedPlaces({}, {})
    pairs = [("Cabinet", ["Plate"]), ("Drawer", ["Fork"]), ("Drawer", ["Pot"])]
    learned = sorted(pairs, key=lambda pair: nothing.weight(*pair))
    written = sorted(pairs, key=lambda pair: container_weight(*pair))
    assert learned == written, "without games it is the table written by hand"
    assert 0 < nothing.weight("Fridge", []) < 1


def test_homes_show_what_is_in_what() -> None:
    starts = [opening("coffee", "kitchen-01", seed).scene.initial for seed in range(3)]
    found = count_places(starts)
    for (container, kind), count in found.holding.items():
        assert 0 < count <= found.containers[container]
        assert any(obj.objectType == kind for start in starts for obj in start.objects)
    assert found.containers["Fridge"] == 3 and sum(found.holding.values()) > 10


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    write_trained_listener(TRAINED, path, force=False)
    return path


def test_a_file_holds_all_of_it(path: Path, tmp_path: Path) -> None:
    found = read_trained_listener(path)
    assert found == TRAINED
    write_trained_listener(found, tmp_path / "again.json", force=False)
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


Change = Callable[[dict[str, Any]], object]
DAMAGES: dict[str, tuple[Change, str]] = {
    "another file": (lambda d: d.update(format="tatc memory"), "format: should be"),
    "a newer version": (lambda d: d.update(version=2), "version: is 2, and this tatc reads"),
    "no games": (lambda d: d.pop("games"), "games: is missing"),
    "less than none": (lambda d: d["containers"].update(Fridge=-1), "containers.Fridge: is"),
    "no such type": (lambda d: d["containers"].update(Dragon=1), "containers: has no type"),
    "more than there are": (lambda d: d["holding"]["Fridge"].update(Mug=41), "is more than"),
    "no such goal": (lambda d: d["memory"][0].update(goal={}), "memory[0].goal.dishes"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_one_line(damage: str, path: Path) -> None:
    document = json.loads(path.read_text())
    change, why = DAMAGES[damage]
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput) as caught:
        trained_listener(path)
    assert caught.value.one_line.startswith(f"{path}: ") and why in caught.value.one_line


def test_it_knows_the_names_of_its_memory(path: Path) -> None:
    follower = trained_listener(path)(questions=0)
    home = Home(opening("coffee").scene)
    said = Utterance(Role.COMMANDER, "the Larry toast please", 0.0)
    follower.act(Observation((said,), None, percepts=home.perception.view))
    assert follower.goal_words() == ("toast: 1 toasted slice of bread on a clean plate",)


def test_it_looks_where_things_were(tmp_path: Path) -> None:
    _, belief = looked_around()
    first, *_, last = (obj.objectType for obj in Explorer(belief).ranked_places(("Mug",)))
    places = LearnedPlaces({first: 400, last: 400}, {(last, "Mug"): 400})
    write_trained_listener(replace(TRAINED, places=places), tmp_path / "last.json", force=False)
    explorer = trained_listener(tmp_path / "last.json").explorer_class(belief)
    kinds = [obj.objectType for obj in explorer.ranked_places(("Mug",))]
    assert first != last and kinds.index(last) < kinds.index(first)


def test_it_is_trained_and_named_on_the_command_line(tmp_path: Path) -> None:
    game, mine = tmp_path / "coffee.game.json", tmp_path / "mine.json"
    assert run_tatc("run", "coffee", "--room", "kitchen-01", "--save", game).exit_code == 0
    done = run_tatc("train-listener", game, "--out", mine, "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["games"] == 1
    name = f"listener:{mine}"
    words = ["run", "coffee", "--room", "kitchen-01", "--commander", "speaker", "--no-save"]
    done = run_tatc(*words, "--follower", name, "--questions", "2", "--quiet")
    assert done.exit_code == 0, done.output
    assert not comes_with_tatc(name), "no file can choose it"
    mine.write_text("{}")
    for follower in (name, "listener:nowhere.json"):
        done = run_tatc(*words, "--follower", follower)
        assert done.exit_code == 2 and done.stderr.count("\n") == 1, done.output
    assert run_tatc("train-listener", tmp_path, "--out", mine).exit_code == 2, "it exists"
