"""What an utterance states: facts, each an object, a relation and a value.

Words of tatc's closed language are read by it.  An instruction states of each object what is to be
done with it, and where it is if the words say so: the part of the view, or what it is in or on.  A
report of a failure states what refused what, and why.  Other words of the Commander are read as
`tatc.language.understanding` does: what is wanted of which things, and where things are.
Questions, thanks and what nobody understands state nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tatc import language
from tatc.home import actions
from tatc.language.understanding import GoalContent, understand


class FactRelation(StrEnum):
    """What a fact says of its object."""

    TO_DO = "to do"
    PART_OF_VIEW = "part of the view"
    IN = "in"
    REFUSES = "refuses"
    IS = "is"


@dataclass(frozen=True, slots=True)
class Fact:
    """An object type (or "way", "task"), a relation and a value."""

    subject: str
    relation: FactRelation
    value: str


@lru_cache(maxsize=4096)
def stated_facts(text: str, speaker: actions.Role) -> tuple[Fact, ...]:
    """Return the facts that an utterance states, each once, in the order of its words."""
    match language.hear(text):
        case language.Stretch(steps):
            found = (fact for step in steps for fact in _facts_of_step(step))
        case language.PhraseStretch(phrases):
            found = (fact for phrase in phrases for fact in _facts_of_phrase(phrase))
        case language.GoalStretch(goals):
            found = (Fact(g.object_type, FactRelation.TO_DO, g.verb.name.lower()) for g in goals)
        case actions.FailureReport(step, reason):
            refuser = step.object_type or "way"
            found = iter((Fact(refuser, FactRelation.REFUSES, f"{step.verb}: {reason}"),))
        case language.TaskDone():
            found = iter((Fact("task", FactRelation.IS, "done"),))
        case language.NotUnderstood() if speaker is actions.Role.COMMANDER:
            found = _facts_of_free_words(text)
        case _:
            found = iter(())
    return tuple(dict.fromkeys(found))


def _facts_of_step(step: actions.PrimitiveStep) -> Iterator[Fact]:
    if step.object_type is not None and step.click is not None:
        yield Fact(step.object_type, FactRelation.TO_DO, step.verb)
        region = language.view_region_of(step.click)
        yield Fact(step.object_type, FactRelation.PART_OF_VIEW, region.value)


def _facts_of_phrase(phrase: language.MotionPhrase | language.InteractionPhrase) -> Iterator[Fact]:
    if isinstance(phrase, language.MotionPhrase):
        return
    yield Fact(phrase.object_type, FactRelation.TO_DO, phrase.verb)
    if phrase.region is not None:
        yield Fact(phrase.object_type, FactRelation.PART_OF_VIEW, phrase.region.value)
    if phrase.other_type is not None and phrase.verb not in (actions.Verb.PLACE, actions.Verb.POUR):
        yield Fact(phrase.object_type, FactRelation.IN, phrase.other_type)


def _facts_of_free_words(text: str) -> Iterator[Fact]:
    understood = understand((actions.Utterance(actions.Role.COMMANDER, text, 0.0),))
    if understood.goal is not None:
        yield from _facts_of_content(understood.goal.content)
    for hint in understood.hints:
        yield Fact(hint.things, FactRelation.IN, hint.place)


def _facts_of_content(content: GoalContent) -> Iterator[Fact]:
    for dish in content.dishes:
        yield Fact(dish.name, FactRelation.TO_DO, "serve")
        for portion in dish.portions:
            yield Fact(portion.food, FactRelation.TO_DO, portion.preparation.value)
    for wanted in content.chores:
        value = wanted.chore.value if wanted.place is None else f"{wanted.chore} {wanted.place}"
        yield Fact(wanted.things, FactRelation.TO_DO, value)
