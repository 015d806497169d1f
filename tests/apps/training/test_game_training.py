"""Training on recorded games: what was said and done, and what was done next."""

import gzip
import json
import os
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.api import run
from tatc.apps.training import game_training, pointing_training, samples
from tatc.apps.training.game_training import GameOptions, GameTrainer
from tatc.apps.training.samples import NO_LABEL, OBJECT_TYPES, LessonUtterance
from tatc.apps.training.training_folder import TrainingWatch
from tatc.base.errors import BadInput
from tatc.follower.learned.pointing import decision, network
from tatc.follower.learned.pointing.checkpoint import new_model, read_checkpoint, write_checkpoint
from tatc.follower.learned.pointing.network_inputs import NETWORK_VERBS
from tatc.home.actions import INTERACTION_VERBS, Role, Verb
from tatc.language import Wording
from tatc.session.records import read_record, write_record

train = partial(pointing_training.train_pointing, workers=0, trainer=GameTrainer)


@pytest.fixture(scope="module")
def lessons(game: Path) -> tuple[LessonUtterance, ...]:
    return game_training.lessons_of_game(game)


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> GameOptions:
    folder = tmp_path_factory.mktemp("sessions")
    for seed in (1, 2, 3):  # what few lessons say is taken for a typo
        write_record(run("coffee", room="kitchen-01", seed=seed), folder / f"{seed}.game.json")
    return GameOptions(games=(str(folder),), rounds=2, batches=1, width=8)


def kind_of(each: samples.LabelledDecision) -> str:
    place = each.target - network.FIRST_INSTANCE
    return OBJECT_TYPES[each.seen.types[place] - decision.FIRST_TYPE]


def test_a_lesson_is_what_was_done_between_words(game: Path, lessons):
    done = [d for d in read_record(game).interactions if d.role is Role.FOLLOWER and d.success]
    found = [each for utterance in lessons for each in utterance.decisions]
    verbs = [NETWORK_VERBS[each.verb] for each in found]
    assert [v for v in verbs if v is not Verb.TEXT] == [
        d.verb for d in done if d.verb is not Verb.TEXT
    ]
    for utterance in lessons:
        *_, last = (NETWORK_VERBS[each.verb] for each in utterance.decisions)
        has_acted = any(NETWORK_VERBS[e.verb] in INTERACTION_VERBS for e in utterance.decisions)
        assert (last is Verb.TEXT) is has_acted


def test_each_action_points_at_what_the_next_interaction_is_with(lessons):
    clicked = set[str]()
    for utterance in lessons:
        wanted = None
        for each in reversed(utterance.decisions):
            verb = NETWORK_VERBS[each.verb]
            if verb is Verb.TEXT:
                assert each.target == network.NOTHING
            elif verb in INTERACTION_VERBS:
                assert each.target - network.FIRST_INSTANCE < each.seen.in_view
                assert each.crop is not None and 0 <= each.cell < network.CELL_COUNT
                wanted = kind_of(each)
                clicked.add(wanted)
            elif wanted is None:
                assert each.target == NO_LABEL
            else:
                assert each.target == network.NOT_SEEN or kind_of(each) == wanted
    assert {"Mug", "CoffeeMachine"} <= clicked


def test_what_was_said_and_done_is_recalled_the_newest_first(lessons):
    texts = [each.texts[Wording.GOALS] for each in lessons]
    assert texts[0].startswith("holding nothing, told ")
    held = next(text for text in texts if text.startswith("holding Mug"))
    assert "did pickup mug, " in held and held.endswith(", said what should i do next")


def test_what_is_often_done_to_a_type_is_noted(lessons):
    found = samples.done_pairs(
        lessons * GameTrainer.least_done, OBJECT_TYPES, GameTrainer.least_done
    )
    assert ("Pickup", "Mug") in found and ("Pickup", "Fridge") not in found
    once = samples.done_pairs(lessons, OBJECT_TYPES, GameTrainer.least_done)
    assert set(once) < set(found) == set(samples.done_pairs(lessons, OBJECT_TYPES))


def test_a_training_repeats_and_resumes_exactly(options: GameOptions, tmp_path: Path):
    class Stop(Exception):
        pass

    def stop(label: str, total: int) -> None:
        if label == "round 2":
            raise Stop

    whole, broken = tmp_path / "whole", tmp_path / "broken"
    path = train(whole, options)
    with pytest.raises(Stop):
        train(broken, options, watch=TrainingWatch(on_start=stop))
    assert train(broken, options, workers=2).read_bytes() == path.read_bytes()
    assert all(each["lessons"] >= 2 for each in pointing_training.read_rounds(whole))
    model = read_checkpoint(path)
    assert "told" in model.words
    assert dict(model.card)["command"].endswith(" --rounds 2 --batches 1 --width 8 --seed 1")
    with pytest.raises(BadInput, match="holds another training"):
        train(whole, replace(options, seed=2))
    with pytest.raises(BadInput, match="no game is left"):
        train(tmp_path / "apart", replace(options, held_out_plans=("kitchen-01",)))


def test_a_training_starts_from_a_follower_and_learns_new_words(
    options: GameOptions, tmp_path: Path
):
    torch.manual_seed(1)
    start = tmp_path / "start.safetensors"
    known = new_model(("mug", "zebra"), OBJECT_TYPES, width=8)
    write_checkpoint(known, start)
    path = train(tmp_path / "a", replace(options, start=f"et:{start}", batches=0, width=64))
    found = read_checkpoint(path)
    assert found.words[:2] == known.words and "told" in found.words
    own, wanted = found.network.state_dict(), known.network.state_dict()
    for name, value in wanted.items():
        assert torch.allclose(own[name][: len(value)], value, atol=2e-3)
    write_checkpoint(new_model(("mug",), ("Mug",), width=8), start)
    with pytest.raises(BadInput, match="knows other object types"):
        train(tmp_path / "b", replace(options, start=f"et:{start}"))


def test_a_training_goes_on_with_its_own_words_when_games_are_added(
    options: GameOptions, tmp_path: Path
):
    (folder,) = options.games
    games = tmp_path / "games"
    shutil.copytree(folder, games)
    told = replace(options, games=(str(games),), rounds=1)
    words = read_checkpoint(train(tmp_path / "run", told)).words
    write_record(run("toast", room="kitchen-01", seed=1), games / "toast.game.json")
    assert read_checkpoint(train(tmp_path / "all", told)).words != words
    assert read_checkpoint(train(tmp_path / "run", replace(told, rounds=2))).words == words


def test_a_file_that_is_no_game_is_named_and_the_others_are_used(
    game: Path, options: GameOptions, tmp_path: Path
):
    bad = [tmp_path / f"{name}.game.json" for name in ("no", "cut", "pipe", "empty")]
    bad[0].write_text("{}", encoding="utf-8")
    bad[1].write_bytes(gzip.compress(game.read_bytes())[:-20])
    os.mkfifo(bad[2])
    document = json.loads(game.read_text())
    document["tasks"][0]["episodes"][0]["interactions"][3]["action_id"] = "walk"
    bad[3].write_text(json.dumps(document))
    skipped = list[str]()
    watch = TrainingWatch(on_skipped=skipped.append)
    train(
        tmp_path / "run",
        replace(options, games=(str(tmp_path), str(game)), rounds=1, batches=0),
        watch=watch,
    )
    assert len(skipped) == 3, "a search of the folder passes over the pipe"
    for why in ("not a game", "cut off", "empty.game.json: "):
        assert any(why in line for line in skipped)
