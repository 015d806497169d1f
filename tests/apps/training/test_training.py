"""Training in rounds, in miniature: lessons and their labels, drills, rounds that repeat."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

from tatc.apps.training import lessons, pointing_training, samples
from tatc.apps.training.pointing_training import PointingOptions, train_pointing
from tatc.apps.training.samples import NO_LABEL, OBJECT_TYPES, LabelledDecision, LessonUtterance
from tatc.apps.training.training_folder import TrainingWatch
from tatc.base.errors import BadInput
from tatc.evaluation.page_templates import render_template
from tatc.follower.learned.pointing import decision, network
from tatc.follower.learned.pointing.checkpoint import new_model, read_checkpoint
from tatc.follower.learned.pointing.network_inputs import NETWORK_VERBS
from tatc.home.actions import INTERACTION_VERBS, Verb
from tatc.language import InteractionPhrase, PhraseStretch, Wording, hear
from tatc.language.object_names import words_for_type
from tatc.tdl import shipped_library

# The seed draws short lessons of all that the tests look for.
TINY = PointingOptions(lessons=1, rounds=3, batches=2, held_out=1, width=8, seed=5)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a training without other processes."""
    folder = tmp_path_factory.mktemp("whole")
    train_pointing(folder, TINY, workers=0)
    return folder


@pytest.fixture(scope="module")
def utterances(trained: Path) -> tuple[LessonUtterance, ...]:
    files = sorted(trained.glob("lessons-*.npz"))
    return tuple(each for path in files for each in samples.read_utterances(path))


def test_a_teachers_lesson_says_where_to_point_and_click(utterances):
    taught = [each for each in utterances if Wording.STEPS in each.texts]
    assert len(taught) > 5
    clicked = on_mask = 0
    for utterance in taught:
        meant = hear(utterance.texts[Wording.STEPS])
        assert isinstance(meant, PhraseStretch)
        wanted = [p for p in meant.phrases if isinstance(p, InteractionPhrase)]
        done = [d for d in utterance.decisions if d.verb in decision.INTERACTION_IDS]
        for phrase, each in zip(wanted, done, strict=False):
            assert each.crop is not None
            on_mask += each.crop[0].flat[each.cell] > 0
            place = each.target - network.FIRST_INSTANCE
            assert 0 <= place < each.seen.in_view
            kind = OBJECT_TYPES[each.seen.types[place] - decision.FIRST_TYPE]
            assert (NETWORK_VERBS[each.verb], kind) == (phrase.verb, phrase.object_type)
            clicked += 1
    assert clicked > 3 and on_mask > 0.8 * clicked  # a thin thing falls between the samples
    last = [each.decisions[-1] for each in taught]
    assert sum((d.verb, d.target) == (0, network.NOTHING) for d in last) > len(last) / 2


def test_where_a_goal_needs_what_was_not_seen_the_right_action_is_to_look(utterances):
    explored = [each for each in utterances if tuple(each.texts) == (Wording.GOALS,)]
    unseen = [d for each in explored for d in each.decisions if d.target == network.NOT_SEEN]
    turns = (Verb.TURN_LEFT, Verb.TURN_RIGHT, Verb.FORWARD)
    assert unseen and any(NETWORK_VERBS[d.verb] in turns for d in unseen if d.verb >= 0)


def taught_in_goals(seed: int) -> list[tuple[str, list[tuple[Verb, str]]]]:
    """Return a teacher's lesson told in goals: its texts, and what was right to do to what."""
    start = lessons.draw_lesson_start(seed, shipped_library())
    assert start is not None
    words, kinds = samples.known_words(OBJECT_TYPES), OBJECT_TYPES
    made = lessons.run_lesson(start, new_model(words, kinds, 8), 0.0, 1.0)
    return [
        (
            each.texts[Wording.GOALS],
            [
                (NETWORK_VERBS[d.verb], kinds[d.seen.types[place] - decision.FIRST_TYPE])
                for d in each.decisions
                if d.verb in decision.INTERACTION_IDS
                and (place := d.target - network.FIRST_INSTANCE) >= 0
            ],
        )
        for each in made
    ]


def test_what_is_hidden_is_searched_in_the_nearest_of_what_may_hold_it():
    done = max((done for _, done in taught_in_goals(3015)), key=len)
    assert done[:-2] == [(Verb.OPEN, "Drawer")] * (len(done) - 2) and len(done) > 3
    assert done[-2:] == [(Verb.PICKUP, "CellPhone"), (Verb.PLACE, "Bed")]


def test_nothing_is_opened_in_search_of_what_is_in_nothing():
    _, done = next(e for e in taught_in_goals(3010) if e[0] == "wash the mug")
    after = done[done.index((Verb.PICKUP, "Mug")) :]
    assert (Verb.PLACE, "SinkBasin") in after and all(verb is not Verb.OPEN for verb, _ in after)


def same(one: LabelledDecision, two: LabelledDecision) -> bool:
    arrays = ((getattr(each.seen, name) for each in (one, two)) for name in
              ("features", "types", "window", "numbers"))  # fmt: skip
    labels = [(each.verb, each.target, each.cell, each.seen.in_view) for each in (one, two)]
    return labels[0] == labels[1] and all(np.array_equal(a, b) for a, b in arrays)


def test_lessons_are_kept_as_they_were(utterances, tmp_path: Path):
    path = tmp_path / "a.npz"
    path.write_bytes(samples.pack_utterances(utterances))
    again = samples.read_utterances(path)
    for one, two in zip(utterances, again, strict=True):
        assert one.texts == two.texts
        assert all(same(a, b) for a, b in zip(one.decisions, two.decisions, strict=True))
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(BadInput, match="holds no lessons"):
        samples.read_utterances(path)


def test_a_drill_says_what_it_labels(utterances):
    pairs = samples.interaction_pairs(utterances)
    maker, rng = samples.DrillMaker(pairs, OBJECT_TYPES), Random(1)
    seen = [d for each in utterances for d in each.decisions]
    drills = [made for _ in range(300) if (made := maker.make(rng.choice(seen), rng))]
    assert len(drills) > 100
    pointed = 0
    for text, each in drills:
        assert isinstance(hear(text), PhraseStretch)
        if each.target >= network.FIRST_INSTANCE:
            place = each.target - network.FIRST_INSTANCE
            kind = OBJECT_TYPES[each.seen.types[place] - decision.FIRST_TYPE]
            assert NETWORK_VERBS[each.verb] in INTERACTION_VERBS
            assert words_for_type(kind) in text
            pointed += 1
        elif each.target == network.NOTHING:
            assert NETWORK_VERBS[each.verb] not in INTERACTION_VERBS
    assert pointed > 20


def test_steps_alone_say_where_to_go_to_what_was_not_seen(utterances):
    told = next(e for e in utterances if Wording.STEPS in e.texts and Wording.GOALS in e.texts
                and any(d.target == network.NOT_SEEN for d in e.decisions))  # fmt: skip
    for wording in (Wording.STEPS, Wording.GOALS):
        text, drawn = samples.draw_samples(told, Random(1), wording)
        assert text == told.texts[wording]
        unseen = [d for d in drawn if d.target == network.NOT_SEEN]
        assert unseen and all((d.verb == NO_LABEL) is (wording is Wording.GOALS) for d in unseen)


def test_a_training_repeats_and_resumes_exactly_in_other_processes_too(
    trained: Path, tmp_path: Path
):
    class Stop(Exception):
        pass

    def stop(label: str, total: int) -> None:
        if label == "round 2":
            raise Stop

    with pytest.raises(Stop):
        train_pointing(tmp_path, TINY, workers=0, watch=TrainingWatch(on_start=stop))
    lines = list[str]()
    train_pointing(tmp_path, TINY, workers=1, watch=TrainingWatch(on_result=lines.append))
    for name in (pointing_training.FOLLOWER_FILE, "student-002.safetensors"):
        assert (trained / name).read_bytes() == (tmp_path / name).read_bytes()
    one, two = map(pointing_training.read_rounds, (trained, tmp_path))
    assert [{**each, "seconds": 0} for each in one] == [{**each, "seconds": 0} for each in two]
    assert [each["solved"].keys() for each in one] == [{"steps", "goals"}] * TINY.rounds
    assert not any(line.startswith("round 1 of 3") for line in lines), "it is not done again"
    assert any(line.startswith("round 3 of 3: loss ") for line in lines)
    assert lines[-1].startswith("round 3 solved, of 1 held-out sessions: ")
    page = render_template("training.html", rounds=two)
    assert page.count("<polyline") == 11 and "3 rounds, 3 lessons" in page


def test_lessons_go_on_from_a_followers_weights(trained: Path, tmp_path: Path):
    start = trained / pointing_training.FOLLOWER_FILE
    told = replace(TINY, rounds=1, batches=0, start=f"et:{start}")
    train_pointing(tmp_path, told, workers=0)
    own, known = (read_checkpoint(each) for each in (tmp_path / start.name, start))
    assert own.network.state_dict().keys() == known.network.state_dict().keys()
    for name, value in known.network.state_dict().items():
        assert (own.network.state_dict()[name] == value).all()
    assert set(known.verb_object_pairs) <= set(own.verb_object_pairs)
    assert dict(own.card)["command"].endswith(" --from et:follower.safetensors"), "and no folder"


def test_another_training_in_the_folder_or_a_damaged_state_is_refused(trained: Path):
    with pytest.raises(BadInput, match="holds another training"):
        train_pointing(trained, PointingOptions(lessons=4))
    state = trained / pointing_training.STATE_FILE
    whole = state.read_bytes()
    state.write_bytes(b"damaged")
    with pytest.raises(BadInput, match="cannot be resumed from"):
        train_pointing(trained, TINY)
    state.write_bytes(whole)


def test_rooms_of_lessons_are_shared_and_none_is_held_out():
    trained = {each // lessons.LESSONS_PER_ROOM for each in range(1000, 1000 + 24 * 150)}
    held_out = pointing_training.HELD_OUT_FIRST_SEED // lessons.LESSONS_PER_ROOM
    assert held_out not in trained
    starts = [lessons.draw_lesson_start(seed, shipped_library()) for seed in (3000, 3001)]
    assert starts[0] is not None and starts[1] is not None
    assert starts[0].room == starts[1].room
