"""What a dialogue means, as JSON and in words."""

from collections.abc import Iterator
from typing import Any

from tatc.language.object_names import words_for_type
from tatc.language.understanding.goal import Evidence, Goal, ReadBy, Understanding
from tatc.language.understanding.goal_content import Chore, ChoreWanted, Dish, GoalContent, Portion
from tatc.language.understanding.tokens import Span


def understanding_json(understood: Understanding) -> dict[str, Any]:
    """Return goal (null if there is none), hints, evidence, confidence and questions.

    If a model was asked, `read_by` says who read the goal.
    """
    by_lexicon = understood.read_by is ReadBy.LEXICON
    return {
        "goal": None if understood.goal is None else _goal_json(understood.goal),
        "hints": [
            {"things": h.things, "relation": h.relation, "place": h.place, **_span_json(h.span)}
            for h in understood.hints
        ],
        "evidence": [
            {"part": each.part, **_span_json(span), "words": words}
            for each in understood.evidence
            for span, words in zip(each.spans, each.words, strict=True)
        ],
        "confidence": understood.confidence,
        "questions": [{"about": q.about, "text": q.text} for q in understood.questions],
        **({} if by_lexicon else {"read_by": understood.read_by.value}),
    }


def goal_lines(content: GoalContent) -> tuple[str, ...]:
    """Return what a goal asks for in words, a line for each part."""
    return tuple(_lines(content))


def evidence_words(evidence: Evidence) -> str:
    """Return the words of a part of a goal, each quoted once."""
    return ", ".join(dict.fromkeys(f'"{words}"' for words in evidence.words))


def _goal_json(goal: Goal) -> dict[str, Any]:
    name, params = goal.library_task or (goal.task.name, ())
    return {
        "task": name,
        "params": list(params),
        "composed": goal.library_task is None,
        "says": list(goal_lines(goal.content)),
        "definition": goal.task.definition_json(),
    }


def _span_json(span: Span) -> dict[str, int]:
    return {"utterance": span.utterance, "start": span.start, "end": span.end}


def _lines(content: GoalContent) -> Iterator[str]:
    for dish in content.dishes:
        yield _dish_line(dish)
    for chore in content.chores:
        yield _chore_line(chore)
    if content.table is not None:
        yield f"all of it on the {words_for_type(content.table)}"


def _dish_line(dish: Dish) -> str:
    parts = [*map(_portion_words, dish.portions), *(f"1 {words_for_type(e)}" for e in dish.extras)]
    place = "" if dish.container is None else f"on a clean {words_for_type(dish.container)}"
    number = "" if dish.count == 1 else f"{dish.count} times "
    return f"{number}{dish.name}: {', '.join(parts)} {place}".replace("  ", " ").rstrip()


def _portion_words(portion: Portion) -> str:
    slices = portion.preparation.value
    slices = slices.removesuffix("s") if portion.count == 1 else slices
    return f"{portion.count} {slices} of {words_for_type(portion.food)}"


def _chore_line(chore: ChoreWanted) -> str:
    things = words_for_type(chore.things)
    number = "all" if chore.count is None else str(chore.count)
    if chore.chore is Chore.COFFEE:
        return f"coffee in {number} clean {'mug' if chore.count == 1 else 'mugs'}"
    line = f"{chore.chore} {number} {things}"
    if chore.place is None:
        return line
    one = "one " if chore.one_place else "a "
    return f"{line} on {one}{words_for_type(chore.place)}"
