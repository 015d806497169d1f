"""Decides with a pointing network: words and what a session has shown in, an action out."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import floor_map, network, network_inputs, way_ahead
from tatc.follower.learned.pointing.checkpoint import PointingModel as PointingModel
from tatc.follower.learned.pointing.decision import FIRST_TYPE, VERB_IDS, Decision, SessionMemory
from tatc.follower.learned.pointing.instance_memory import CROP_SIDE, Instance
from tatc.home import actions
from tatc.language.step_wording import tells_way

KEPT_BONUS = 1.0  # added to the logit of what was pointed at before
REFUSED_PENALTY = 1.0
"""Subtracted from the logit of a thing for each click that it refused, but the first."""
ALIKE_SHARE = 0.5
"""Of things of one type, those with so much of the weight of the likeliest are as good."""
LOSS_PENALTY = 1.5
"""Subtracted from the logit of a motion for each action that it loses (`way_ahead`)."""
SEARCH_BONUS = 4.0
"""Added to the logit of the motion that shows more, where what is meant was not seen yet."""
DONE_PENALTY = 3.0
"""Subtracted from the logit of what words do not mean any more (`SessionMemory.is_done`).

Told in goals, it does not point at such a thing at all where it knows another of its type.
"""
KNIFE_PENALTY = 2.0
"""Subtracted from the logit of putting down a knife where something is to be cut."""
MAX_SEARCH = 3  # actions in vain, after which it asks how: three turns show what is around it
REPEAT_PENALTY = 1.0
"""Subtracted from the logit of what was done already (`SessionMemory.repeats`), each time."""
BLOCKED_PENALTY = 3.0
"""Subtracted from the logit of a step into what depth shows as blocked: words may know better."""
_SURE_MARGIN, _MARGIN = -0.03, 0.05
"""How much farther than its reach the mean of a clicked cell may be, and where none is so near."""
# Motions are listed in pairs of opposites.
_OPPOSITES = [*zip(actions.MOTION_VERBS[::2], actions.MOTION_VERBS[1::2], strict=True)]
_UNDOES = dict(_OPPOSITES) | {two: one for one, two in _OPPOSITES}
"""The motion that undoes one: nobody who knows where to go does that at once."""
_NO_CROP = np.ones((3, CROP_SIDE, CROP_SIDE), np.float32)


@dataclass(frozen=True, slots=True)
class Choice:
    """A verb, and for an interaction the instance and the click.

    `weights` are the pointer's probabilities: not seen, nothing, then `SessionMemory.ordered`.
    """

    verb: actions.Verb
    instance: Instance | None = None
    click: actions.Click | None = None
    weights: NDArray[np.float32] | None = None
    needs_help: bool = False  # whether it asks how, for it looked in vain or has no idea


class PointingPolicy:
    """A model with an input mode; it keeps the text that it has read."""

    def __init__(self, model: PointingModel, mode: InputMode = InputMode.FULL) -> None:
        """Use a model's network."""
        self._network, self._mode = model.network, mode
        self._word_ids = network_inputs.word_ids(model.words)
        self._pairs = frozenset(model.verb_object_pairs)
        self._small_types = {kind for verb, kind in self._pairs if verb == actions.Verb.PICKUP}
        self._type_ids = {name: i for i, name in enumerate(model.classes, FIRST_TYPE)}
        self._text, self._is_told_way = network_inputs.encode_text("", self._word_ids), False
        self.bias: Callable[[Instance | None], Mapping[actions.Verb, float]] = lambda instance: {}
        """Returns what is added to verbs' logits for what is pointed at."""

    def new_memory(self) -> SessionMemory:
        """Return the memory of a new session."""
        return SessionMemory(self._type_ids, self._mode)

    def read(self, text: str) -> None:
        """Read a text to carry out."""
        told = "" if self._mode is InputMode.NO_WORDS else text
        self._text = network_inputs.encode_text(told, self._word_ids)
        self._is_told_way = tells_way(told)

    @torch.inference_mode()
    def decide(self, memory: SessionMemory, seen: Decision) -> Choice:
        """Return what to do in a situation, which `memory` has just looked at."""
        batch = network.make_batch([self._text], [0], [seen])
        found = self._network.point(batch)
        weights: NDArray[np.float32] = found.logits[0].softmax(-1).numpy()
        search = way_ahead.exploring_verb(seen) if self._searches(memory) else None
        aims = found.logits[0] + self._worth_of_aims(memory, found.logits.shape[1], search)
        if self._mode in (InputMode.NO_KEPT_AIM, InputMode.NO_GEOMETRY):
            number = int(aims.argmax())
        else:
            number = choose_aim(aims, memory, seen, self._small_types)
        chosen = torch.tensor([number])
        logits, state = self._network.act(batch, found, chosen, paths=self._has_paths)
        place = number - network.FIRST_INSTANCE
        instance = memory.ordered[place] if 0 <= place < seen.in_view else None
        crop = None if instance is None else self._crop(memory, instance)
        scores = logits[0].numpy() + self._given_worth(memory, seen, number, instance)
        if search is not None and number == network.NOT_SEEN:
            scores[VERB_IDS[search]] += SEARCH_BONUS
        clicked = None if crop is None else instance
        for verb in self._ruled_out(memory, seen, clicked):
            scores[VERB_IDS[verb]] = -np.inf
        verb = network_inputs.NETWORK_VERBS[int(scores.argmax())]
        if self._asks_way(memory, number, verb, instance):
            return Choice(actions.Verb.TEXT, weights=weights, needs_help=True)
        if instance is None or crop is None or verb not in actions.INTERACTION_VERBS:
            return Choice(verb, weights=weights)
        verbs, crops = torch.tensor([VERB_IDS[verb]]), torch.as_tensor(crop)[None]
        cells = self._network.click_logits(state, verbs, crops)[0].numpy()
        off_border = self._mode is not InputMode.NO_BORDER
        if off_border and self._mode is not InputMode.NO_GEOMETRY:
            needs_room = verb is actions.Verb.PLACE
            cells = cells + memory.instances.click_prior(instance, needs_room=needs_room)
        cell = int(cells.argmax())
        click = memory.instances.click_in(instance, cell, off_border=off_border)
        return Choice(verb, instance, click, weights)

    def _asks_way(
        self, memory: SessionMemory, number: int, verb: actions.Verb, instance: Instance | None
    ) -> bool:
        """Return whether it asks how to reach a goal: it looked for long enough, or has no idea."""
        if not self._searches(memory) or self._mode is InputMode.NO_QUESTIONS:
            return False
        if verb is actions.Verb.TEXT:
            return not any(each.object_type and each.success for each in memory.done)
        opens = instance is not None and memory.is_hiding(verb, instance.object_type)
        return (opens or number == network.NOT_SEEN) and memory.search_length() >= MAX_SEARCH

    @property
    def _has_paths(self) -> bool:
        return self._mode not in (InputMode.NO_PATHS, InputMode.NO_MAP, InputMode.NO_GEOMETRY)

    def _searches(self, memory: SessionMemory) -> bool:
        can_search = self._has_paths and self._mode is not InputMode.NO_SEARCH
        return can_search and bool(memory.goals.goals)

    def _worth_of_aims(
        self, memory: SessionMemory, count: int, search: actions.Verb | None
    ) -> torch.Tensor:
        """Return what is added to the logits of what can be pointed at, (count,)."""
        worth = torch.zeros(count)
        if search is None and self._searches(memory):
            worth[network.NOT_SEEN] = -torch.inf
        if self._mode is InputMode.NO_GOAL_MEMORY:
            return worth
        done = [each for each in memory.ordered if memory.is_done(each)]
        left = {each.object_type for each in memory.ordered if each not in done}
        for i, each in enumerate(memory.ordered, network.FIRST_INSTANCE):
            if each in done:
                has_other = memory.goals.goals and each.object_type in left
                worth[i] = -torch.inf if has_other else -DONE_PENALTY
            able = (self._is_possible(memory, verb, each) for verb in actions.INTERACTION_VERBS)
            if memory.goals.goals and not any(able):
                worth[i] = -torch.inf
        return worth

    def _given_worth(
        self, memory: SessionMemory, seen: Decision, number: int, instance: Instance | None
    ) -> NDArray[np.float32]:
        """Return what is added to the logits of the verbs for what is pointed at."""
        worth = np.zeros(network.VERB_COUNT, np.float32)
        if self._mode is not InputMode.NO_REPEATS:
            for verb, i in VERB_IDS.items():
                of = instance if verb in actions.INTERACTION_VERBS else None
                worth[i] -= REPEAT_PENALTY * memory.repeats(verb, of)
        if self._mode is not InputMode.NO_GOAL_MEMORY:
            needs_knife = memory.goals.is_knife_needed(memory.held_type)
            worth[VERB_IDS[actions.Verb.PLACE]] -= KNIFE_PENALTY * needs_knife
        if self._mode is not InputMode.NO_BUMPS:
            for verb in actions.TRANSLATION_VERBS:
                if floor_map.is_blocked_towards(seen.window, verb):
                    worth[VERB_IDS[verb]] -= BLOCKED_PENALTY
        if self._has_paths and not self._is_told_way and number != network.NOTHING:
            of = None if number == network.NOT_SEEN else number - network.FIRST_INSTANCE
            for verb, loss in way_ahead.losses(seen, of).items():
                worth[VERB_IDS[verb]] -= LOSS_PENALTY * loss
        for verb, more in self.bias(instance).items():
            worth[VERB_IDS[verb]] += more
        return worth

    def _crop(self, memory: SessionMemory, instance: Instance) -> NDArray[np.float32] | None:
        """Return what can be clicked of an instance; None where all of it is too far away."""
        if self._mode is InputMode.NO_GEOMETRY:
            return _NO_CROP
        crop = memory.instances.crop(instance)
        has_flat_reach = memory.instances.view.body.body.has_flat_reach
        if self._mode is not InputMode.NO_REACH and not has_flat_reach:
            away = crop[1] * 2 - actions.INTERACTION_REACH_METRES
            nearest = away[crop[0] >= network.LEAST_MASK_SHARE].min(initial=np.inf)
            crop[0][away > (_SURE_MARGIN if nearest <= _SURE_MARGIN else _MARGIN)] = 0.0
        return crop if crop[0].max() >= network.LEAST_MASK_SHARE else None

    def _ruled_out(
        self, memory: SessionMemory, seen: Decision, clicked: Instance | None
    ) -> list[actions.Verb]:
        mode, found = self._mode, list[actions.Verb]()
        if not memory.done:
            found.append(network_inputs.ASK_VERB)  # it was asked to do something
        for verb in actions.INTERACTION_VERBS:
            if clicked is None or not self._is_possible(memory, verb, clicked):
                found.append(verb)
        if mode is not InputMode.NO_BUMPS:
            found += [verb for verb in actions.TRANSLATION_VERBS if memory.is_bumped(verb)]
            found += [verb for verb in actions.LOOK_VERBS if memory.is_at_limit(verb)]
        if mode is not InputMode.NO_UNDOING and memory.done and not memory.failed:
            found += [verb for verb in (_UNDOES.get(memory.done[-1].verb),) if verb is not None]
        return found

    def _is_possible(self, memory: SessionMemory, verb: actions.Verb, instance: Instance) -> bool:
        """Return whether training did this to such a thing, and hand, thing and goal let it."""
        kind, held, mode = instance.object_type, memory.held_type, self._mode
        if mode is not InputMode.NO_REPEATS and memory.is_futile(verb, instance):
            return False
        if verb is actions.Verb.PLACE and mode is not InputMode.NO_GOAL_MEMORY:
            if not memory.goals.lets_put(held, kind):
                return False
        if mode is InputMode.NO_VERB_MASKS:
            return True
        if verb in network_inputs.IMPOSSIBLE_VERBS[held is not None]:
            return False
        return not self._pairs or (verb.value, kind) in self._pairs


def choose_aim(
    logits: torch.Tensor, memory: SessionMemory, seen: Decision, alike: Container[str]
) -> int:
    """Return the number of what is pointed at by the pointer's `logits`, and keep it in mind.

    Things of one of the types `alike` share their weight.  The one that was pointed at before
    stands for them, or else the nearest of those on which something was put, or of all.
    """
    things: list[object] = ["not seen", "nothing", *memory.ordered]
    kinds, worth = [*things], [KEPT_BONUS * (each is memory.aim) for each in things]
    for i, each in enumerate(memory.ordered, network.FIRST_INSTANCE):
        worth[i] -= REFUSED_PENALTY * max(0, len(each.refused_points) - 1)
        if each.object_type in alike:
            kinds[i] = each.object_type
    weighed = (logits[: len(things)] + torch.tensor(worth)).softmax(-1)
    shares = [float(share) for share in weighed]
    totals = dict[object, float]()
    for kind, share in zip(kinds, shares, strict=True):
        totals[kind] = totals.get(kind, 0.0) + share
    best = max(totals, key=totals.__getitem__)
    equal = [i for i, kind in enumerate(kinds) if kind == best]
    least = ALIKE_SHARE * max(shares[i] for i in equal)
    paths: list[float] = [0.0, 0.0, *map(float, seen.features[:, 15])]
    is_used = [False, False, *(each.last_verb is actions.Verb.PLACE for each in memory.ordered)]
    number = min(
        (i for i in equal if shares[i] >= least),
        key=lambda i: (things[i] is not memory.aim, not is_used[i], paths[i], -shares[i]),
    )
    memory.aim = things[number]
    return number
