"""What the pointing Follower learns from: labelled decisions, their files, language drills."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tatc.base import errors, files
from tatc.follower.learned.pointing import decision, floor_map, network, network_inputs
from tatc.follower.learned.pointing.instance_memory import CROP_SIDE, FEATURE_COUNT, Floats
from tatc.home import assets, type_facts
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, TRANSLATION_VERBS, Verb
from tatc.language import (
    InteractionPhrase,
    MotionPhrase,
    PhraseStretch,
    ViewRegion,
    Wording,
    hear,
    merge_motions,
    say,
)

OBJECT_TYPES = (*sorted(assets.known_object_types()), *sorted(type_facts.WHOLE_TYPE_BY_PIECE))
"""The object types of learned Followers, in the order of their ids."""
NO_LABEL = -100  # the label of what is not known; torch's losses leave it out


@dataclass(frozen=True, slots=True, eq=False)
class LabelledDecision:
    """A decision and what was right: a verb's id, what to point at, and the click's cell.

    `target` is as the pointer chooses (`network.FIRST_INSTANCE` on: the place of an instance).
    """

    seen: decision.Decision
    verb: int = NO_LABEL
    target: int = NO_LABEL
    cell: int = NO_LABEL
    crop: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LessonUtterance:
    """The decisions after an utterance, with its text in each wording in which they are right."""

    texts: Mapping[Wording, str]
    decisions: tuple[LabelledDecision, ...]


def pack_utterances(utterances: Sequence[LessonUtterance]) -> bytes:
    """Return utterances as the bytes of a file, which `read_utterances` reads."""
    labelled = [each for utterance in utterances for each in utterance.decisions]
    seen = [each.seen for each in labelled]
    crops = [each.crop for each in labelled if each.crop is not None]
    side = floor_map.WINDOW_SIDE

    def joined(
        rows: Sequence[NDArray[np.generic]], shape: tuple[int, ...], kind: str
    ) -> NDArray[Any]:
        return np.concatenate([np.empty((0, *shape), kind), *(r.astype(kind) for r in rows)])

    notes = [
        [{str(k): v for k, v in each.texts.items()}, len(each.decisions)] for each in utterances
    ]
    ids = [
        [len(e.seen.types), e.seen.in_view, e.verb, e.target, e.cell, e.crop is not None]
        for e in labelled
    ]
    stream = BytesIO()
    np.savez_compressed(
        stream,
        allow_pickle=False,
        notes=np.frombuffer(json.dumps(notes).encode(), np.uint8),
        ids=np.array(ids, np.int16).reshape(-1, 6),
        numbers=joined([e.numbers[None] for e in seen], (decision.NUMBER_COUNT,), "i2"),
        features=joined([each.features for each in seen], (FEATURE_COUNT,), "f2"),
        types=joined([each.types for each in seen], (), "i2"),
        windows=joined([each.window[None] for each in seen], (side, side), "u1"),
        crops=joined([each[None] for each in crops], (3, CROP_SIDE, CROP_SIDE), "f2"),
    )
    return stream.getvalue()


def read_utterances(path: Path) -> tuple[LessonUtterance, ...]:
    """Return the utterances of a file that `pack_utterances` made."""
    files.check_file(path, files.EXAMPLES)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return tuple(_unpacked({name: arrays[name] for name in arrays.files}))
    except Exception as fault:  # damaged bytes can raise anything
        why = f"holds no lessons: {type(fault).__name__}"
        raise errors.BadInput(why, where=str(path), fix="delete it") from fault


def _unpacked(arrays: Mapping[str, NDArray[Any]]) -> Iterator[LessonUtterance]:
    ids, crops = arrays["ids"].tolist(), iter(arrays["crops"].astype(np.float32))
    at = row = 0
    for texts, count in json.loads(arrays["notes"].tobytes()):
        found = list[LabelledDecision]()
        for instances, in_view, verb, target, cell, has_crop in ids[row : row + count]:
            part = slice(at, at + instances)
            seen = decision.Decision(
                arrays["features"][part], arrays["types"][part], in_view,
                arrays["windows"][row], arrays["numbers"][row],
            )  # fmt: skip
            crop = next(crops) if has_crop else None
            found.append(LabelledDecision(seen, verb, target, cell, crop))
            at, row = at + instances, row + 1
        yield LessonUtterance({Wording(k): v for k, v in texts.items()}, tuple(found))


Sample = tuple[str, LabelledDecision]  # a text, and a decision that is right after it
STEP_MOTIONS_KEPT, GOAL_MOTIONS_KEPT = 0.35, 0.8
"""The share of motions that is learned from: told in steps, they teach little."""
WORDING_WEIGHTS = {Wording.STEPS: 0.38, Wording.GOALS: 0.56, Wording.ACTIONS: 0.06}
"""The weight with which a wording is drawn of those in which an utterance was right."""
DRILL_SHARE = 0.25  # how many drills there are for each sample of the lessons


def draw_samples(
    utterance: LessonUtterance, rng: Random, only: Wording | None = None
) -> tuple[str, list[LabelledDecision]]:
    """Return an utterance's text in a wording that is drawn, and the samples to learn from.

    `only` names the wording, and leaves nothing out; there is no sample where it has none.
    """
    wordings = list(utterance.texts)
    wording = rng.choices(wordings, [WORDING_WEIGHTS[each] for each in wordings])[0]
    wording = only or wording
    is_goal = wording is Wording.GOALS
    kept = 1.0 if only else GOAL_MOTIONS_KEPT if is_goal else STEP_MOTIONS_KEPT
    found = list[LabelledDecision]()
    for each in utterance.decisions if wording in utterance.texts else ():
        is_motion = each.verb != 0 and each.verb not in decision.INTERACTION_IDS
        if is_motion and rng.random() >= kept:
            continue
        if is_goal and Wording.STEPS in utterance.texts and each.target == network.NOT_SEEN:
            each = replace(each, verb=NO_LABEL)  # only the steps said where to go
        if each.verb != NO_LABEL or each.target != NO_LABEL:
            found.append(each)
    return utterance.texts.get(wording, ""), found


# Drills: random phrases over recorded views.  They teach the language at no cost of simulation.

Pair = tuple[Verb, str, str | None]
"""A verb, the type of its object, and the other type that a phrase names."""
_WALKS = [
    *[Verb.FORWARD] * 5, *[Verb.TURN_LEFT, Verb.TURN_RIGHT] * 3,
    *[Verb.PAN_LEFT, Verb.PAN_RIGHT] * 2, Verb.BACKWARD, Verb.LOOK_UP, Verb.LOOK_DOWN,
]  # fmt: skip
_REGIONS = tuple(ViewRegion)


def interaction_pairs(utterances: Sequence[LessonUtterance]) -> list[Pair]:
    """Return what the utterances' words in steps ask to do to what."""
    texts = (each.texts.get(Wording.STEPS) for each in utterances)
    return [
        (phrase.verb, phrase.object_type, phrase.other_type)
        for stretch in (hear(text) for text in texts if text is not None)
        if isinstance(stretch, PhraseStretch)
        for phrase in stretch.phrases
        if isinstance(phrase, InteractionPhrase)
    ]


def done_pairs(
    utterances: Sequence[LessonUtterance], types: Sequence[str], least: int = 1
) -> tuple[tuple[str, str], ...]:
    """Return what was done to what, so often at the `least`: pairs of a verb and a type, sorted."""
    done = Counter(
        (each.verb, int(each.seen.types[each.target - network.FIRST_INSTANCE]))
        for utterance in utterances
        for each in utterance.decisions
        if each.verb in decision.INTERACTION_IDS and each.target >= network.FIRST_INSTANCE
    )
    first, verbs = decision.FIRST_TYPE, network_inputs.NETWORK_VERBS
    often = [pair for pair, count in done.items() if count >= least and pair[1] >= first]
    return tuple(sorted((verbs[verb].value, types[kind - first]) for verb, kind in often))


class DrillMaker:
    """Makes drills of decisions; `pairs` are what is done to what, `types` the types by id."""

    def __init__(self, pairs: Sequence[Pair], types: Sequence[str]) -> None:
        """Draw phrases of these pairs."""
        self._pairs, self._types = list(pairs), types
        self._type_ids = {name: i for i, name in enumerate(types, decision.FIRST_TYPE)}
        self._by_type: dict[str, list[Pair]] = {}
        for pair in pairs:
            self._by_type.setdefault(pair[1], []).append(pair)

    def make(self, of: LabelledDecision, rng: Random) -> Sample | None:
        """Return a drill over what was seen, None if what was drawn makes none."""
        if not self._pairs:
            return None  # nobody spoke in steps
        seen = of.seen
        phrases = [self._draw_phrase(rng) for _ in range(rng.randint(1, 7))]
        phrase, target = None, NO_LABEL
        if seen.in_view and rng.random() < 0.45:
            place = rng.randrange(seen.in_view)
            phrase = self._phrase_for(seen, place, rng)
            if phrase is None:
                return None
            target = network.FIRST_INSTANCE + place
            phrases.insert(rng.randint(0, len(phrases)), phrase)
        steps = _steps_of(merge_motions(phrases))
        if phrase is not None:
            done = next(i for i, each in enumerate(steps) if each[1] is phrase)
        else:
            done = rng.randint(0, len(steps))
            if done < len(steps) and steps[done][1] is not None:
                return None  # an interaction needs something in view
            if all(each[1] is None for each in steps[done:]):
                target = network.NOTHING
        if done >= decision.MAX_ACTIONS:
            return None
        before = [decision.Done(v, p.object_type if p else "") for v, p in steps[:done]]
        held = _held_after(before)
        if phrase is not None and phrase.verb in (Verb.PLACE, Verb.POUR) and phrase.other_type:
            held = phrase.other_type
        past = [each for each in before if each.object_type]
        pitch = int(seen.numbers[decision.NUMBERS["pitch"]][0])
        numbers = decision.encode_numbers(before, past, len(past), held, pitch, self._type_ids)
        verb = decision.VERB_IDS[steps[done][0]] if done < len(steps) else 0
        label = LabelledDecision(replace(seen, numbers=numbers), verb, target)
        return say(PhraseStretch(merge_motions(phrases))), label

    def _draw_phrase(self, rng: Random) -> MotionPhrase | InteractionPhrase:
        if rng.random() < 0.6:
            verb = rng.choice(_WALKS)
            most = 18 if verb in TRANSLATION_VERBS else 3
            return MotionPhrase(verb, min(rng.randint(1, most), rng.randint(1, most)))
        verb, kind, other = rng.choice(self._pairs)
        return InteractionPhrase(verb, kind, other, rng.choice((None, None, rng.choice(_REGIONS))))

    def _phrase_for(
        self, seen: decision.Decision, place: int, rng: Random
    ) -> InteractionPhrase | None:
        """Return a phrase that means one instance in view, None if none can."""
        number = int(seen.types[place]) - decision.FIRST_TYPE
        if number < 0 or self._types[number] not in self._by_type:
            return None
        regions = [
            _REGIONS[3 * min(2, int(float(row) * 3)) + min(2, int(float(column) * 3))]
            for column, row in seen.features[: seen.in_view, 26:28]
        ]
        same = [i for i in range(seen.in_view) if seen.types[i] == seen.types[place]]
        if any(i != place and regions[i] is regions[place] for i in same):
            return None
        region = regions[place] if len(same) > 1 or rng.random() < 0.5 else None
        return InteractionPhrase(*rng.choice(self._by_type[self._types[number]]), region)


def _steps_of(
    phrases: Sequence[MotionPhrase | InteractionPhrase],
) -> list[tuple[Verb, InteractionPhrase | None]]:
    steps = list[tuple[Verb, InteractionPhrase | None]]()
    for each in phrases:
        if isinstance(each, MotionPhrase):
            steps += [(each.verb, None)] * each.times
        else:
            steps.append((each.verb, each))
    return steps


def _held_after(done: Sequence[decision.Done]) -> str | None:
    full = network_inputs.HAND_FULL_AFTER
    last = next((each for each in reversed(done) if each.verb in full), None)
    return last.object_type if last is not None and full[last.verb] else None


def known_words(types: Sequence[str]) -> tuple[str, ...]:
    """Return the words of tatc's language: of phrases, goals and the names of types."""
    from tatc.language import GoalVerb

    texts = [each.value.replace("{}", "") for each in GoalVerb]
    for kind in types:
        texts += [say(PhraseStretch((InteractionPhrase(Verb.PLACE, kind, kind),)))]
        texts += [say(PhraseStretch((InteractionPhrase(v, kind),))) for v in INTERACTION_VERBS]
    for verb in MOTION_VERBS:
        texts += [say(PhraseStretch((MotionPhrase(verb, times),))) for times in range(1, 19)]
    texts += [*_REGIONS, *(verb.value for verb in (*MOTION_VERBS, *INTERACTION_VERBS)), *types]
    return network_inputs.collect_words(texts)
