"""What the pointing Follower makes of goals: where things belong, and what it put there already.

Words name only types.  What it put down after the same words, or brought to where words wanted it,
is not what they mean now, nor what it put elsewhere than they say; and what they say to bring
somewhere is put down nowhere else.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot

from tatc.follower.learned.pointing.instance_memory import Floats, Instance
from tatc.home.actions import Verb
from tatc.language import GoalStretch, GoalVerb, InteractionPhrase, PhraseStretch, SpokenGoal, hear
from tatc.language.object_names import words_for_type

SAME_PLACE_METRES = 0.35
"""A thing that is seen so near to where one of its type was put is taken to be that one, metres."""
_CARRYING = (GoalVerb.BRING, GoalVerb.HEAT)
_DROPPING = (GoalVerb.CLEAR, GoalVerb.PUT_DOWN)


@dataclass(frozen=True, slots=True, eq=False)
class _PutDown:
    """What was put down at a point, after a text."""

    text: str
    object_type: str
    on_type: str
    point: Floats


class GoalMemory:
    """The goals that were said last, and what was put down in the session."""

    def __init__(self, types: Iterable[str]) -> None:
        """Start a session; `types` are those that words may name."""
        self._words = {kind: f" {words_for_type(kind)} " for kind in types}
        self._text, self._put_down, self._dropped = "", list[_PutDown](), set[str]()
        self.goals: tuple[SpokenGoal, ...] = ()  # what the words ask for, if they are goals
        self.named = frozenset[str]()  # the types that the words name
        self._taken_from = set[tuple[str, str]]()
        self._brought_to = set[tuple[str, str]]()

    def begin_utterance(self, text: str) -> None:
        """Begin to carry out a text."""
        meant, said = hear(text), f" {text.replace(',', ' ')} "
        self._text, self.goals = text, meant.goals if isinstance(meant, GoalStretch) else ()
        self._taken_from.clear()
        for goal in self.goals:
            if goal.verb is GoalVerb.BRING:
                self._brought_to.add((goal.object_type, _place_name(goal.second_type)))
        for each in meant.phrases if isinstance(meant, PhraseStretch) else ():
            if isinstance(each, InteractionPhrase) and each.verb is Verb.PICKUP:
                self._taken_from.add((each.object_type, _place_name(each.other_type)))
        self.named = frozenset(kind for kind, words in self._words.items() if words in said)
        self._dropped.clear()

    def note(self, verb: Verb, instance: Instance, held_type: str | None, point: Floats) -> None:
        """Note what was done at a point, and what was held before."""
        if verb is Verb.PICKUP:
            taken = self._put_down_at(instance)
            self._put_down = [e for e in self._put_down if not any(e is t for t in taken)]
        elif verb is Verb.PLACE and held_type is not None:
            place = _place_name(instance.object_type)
            self._put_down.append(_PutDown(self._text, held_type, place, point))
            self._dropped.add(held_type)
        else:
            self._dropped.clear()

    def is_done(self, instance: Instance) -> bool:
        """Return whether it put a thing where it is, so that words mean another one."""
        kind = instance.object_type
        is_carried = any(each.object_type == kind for each in self.goals if each.verb in _CARRYING)
        starts = {place for taken, place in self._taken_from if taken == kind} or {""}
        return any(
            each.text == self._text
            or (is_carried and (kind, each.on_type) in self._brought_to)
            or not starts & {"", each.on_type}
            for each in self._put_down_at(instance)
        )

    def lets_put(self, held_type: str | None, on_type: str) -> bool:
        """Return whether what is held may be put on a type.

        What words say to bring belongs there alone.  Anything else is not put down twice, where
        words name neither, before something else was done.
        """
        places = {
            "CoffeeMachine" if each.verb is GoalVerb.BREW else each.second_type
            for each in self.goals
            if each.object_type == held_type and each.verb in (*_CARRYING, GoalVerb.BREW)
        }
        if places or not self.goals:
            return not places or on_type in places
        may_drop = any(each.verb in _DROPPING for each in self.goals)
        return may_drop or on_type in self.named or held_type not in self._dropped

    def is_knife_needed(self, held_type: str | None) -> bool:
        """Return whether words ask to cut something, and what is held is called a knife."""
        cuts = any(each.verb is GoalVerb.CUT for each in self.goals)
        return cuts and words_for_type(held_type or "").split()[-1:] == ["knife"]

    def _put_down_at(self, instance: Instance) -> list[_PutDown]:
        x, _, z = instance.middle.tolist()
        return [
            each
            for each in self._put_down
            if each.object_type == instance.object_type
            and hypot(x - each.point[0], z - each.point[2]) < SAME_PLACE_METRES
        ]


def _place_name(object_type: str | None) -> str:
    return (object_type or "").removesuffix("Basin")  # a sink and its basin are one place
