"""Reads a model's answer as an understanding; what is no goal is a fault, never a guess.

Hints and open questions are those of the lexicon's reading, which a model is not asked for.
Confidence is the lexicon's where both read the same goal, and a fixed one where they differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tatc.base.errors import BadInput
from tatc.base.file_limits import MODEL_ANSWER
from tatc.base.file_reading import FINITE_NUMBERS, parse_json
from tatc.base.json_fields import FieldError, as_list, as_mapping, as_text, read_each
from tatc.home.actions import Role, Utterance
from tatc.language.understanding.goal import (
    Evidence,
    Goal,
    GoalContent,
    OpenPart,
    ReadBy,
    Understanding,
    question_about,
)
from tatc.language.understanding.goal_json import read_content
from tatc.language.understanding.goal_tasks import library_form, task_for
from tatc.language.understanding.model_request import COMPOSED_DISH_NAMES
from tatc.language.understanding.tokens import Span

CONFIDENCE_IF_READINGS_DIFFER = 0.5
"""How sure a model's goal is if the lexicon reads another one; set by hand."""
_MOST_EVIDENCE = 50
_MAX_PART = 60  # characters


def read_model_answer(
    text: str, utterances: Sequence[Utterance], by_lexicon: Understanding
) -> Understanding:
    """Return what a model's answer says that a dialogue means.

    Args:
        text: the answer.
        utterances: the dialogue; evidence that is not in it is left out.
        by_lexicon: what the lexicon reads in the dialogue.

    Raises:
        FieldError: the answer is no JSON, or a field is missing or impossible.

    """
    raw = as_mapping(_parse(text), "")
    if "goal" not in raw:
        raise FieldError("goal", "is missing")
    evidence = tuple(_read_evidence(raw, utterances))
    if raw["goal"] is None:
        asked = (question_about(OpenPart.GOAL),)
        confidence = 0.0
        return Understanding(None, by_lexicon.hints, (), confidence, asked, ReadBy.MODEL)
    goal = _read_goal(raw["goal"])
    agrees = by_lexicon.goal is not None and by_lexicon.goal.content == goal.content
    return Understanding(
        goal,
        by_lexicon.hints,
        evidence,
        by_lexicon.confidence if agrees else CONFIDENCE_IF_READINGS_DIFFER,
        by_lexicon.questions if agrees else (),
        ReadBy.MODEL,
    )


def _parse(text: str) -> Any:
    try:
        return parse_json(text.encode(), "answer", MODEL_ANSWER, FINITE_NUMBERS)
    except BadInput as fault:
        raise FieldError("", fault.what) from fault


def _read_goal(value: object) -> Goal:
    content = _read_named_content(value)
    task = task_for(content)
    if task is None:
        raise FieldError("goal", "asks for nothing that can be done")
    return Goal(content, task, library_form(content))


def _read_named_content(value: object) -> GoalContent:
    try:
        content = read_content(value)
    except FieldError as fault:
        raise FieldError(f"goal.{fault.field}", fault.why) from fault
    for number, dish in enumerate(content.dishes):
        if dish.name not in COMPOSED_DISH_NAMES:
            why = f"should be one of {', '.join(COMPOSED_DISH_NAMES)}"
            raise FieldError(f"goal.dishes[{number}].name", why)
    return content


def _read_evidence(raw: Mapping[str, Any], utterances: Sequence[Utterance]) -> Iterator[Evidence]:
    """Yield the evidence whose words the Commander said."""
    listed = as_list(raw.get("evidence"), "evidence", _MOST_EVIDENCE)
    for part, words in read_each(listed, _read_pair, "evidence"):
        span = _find_words(words, utterances)
        if span is not None:
            said = utterances[span.utterance].text[span.start : span.end]
            yield Evidence(part, (span,), (said,))


def _read_pair(value: object) -> tuple[str, str]:
    raw = as_mapping(value, "")
    part, words = as_text(raw.get("part"), "part"), as_text(raw.get("words"), "words")
    return " ".join(part.split())[:_MAX_PART], words.strip()


def _find_words(words: str, utterances: Sequence[Utterance]) -> Span | None:
    """Return where the Commander said words last, None if nowhere."""
    for number in range(len(utterances) - 1, -1, -1):
        utterance = utterances[number]
        if words and utterance.speaker is Role.COMMANDER:
            start = utterance.text.find(words)
            if start >= 0:
                return Span(number, start, start + len(words))
    return None
