"""Understanding by a language model, with the lexicon in its place where the model fails.

Words of a dialogue are data: they stand as JSON between marks that no text can write, because angle
brackets are escaped.  Hints and open questions are the lexicon's.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from tatc.base import errors, json_fields
from tatc.home.actions import Role, Utterance
from tatc.home.type_facts import KNOWN_OBJECT_CLASSES
from tatc.language.llm import ChatClient, answer_text
from tatc.language.llm.chat_request import AnswerSchema, ChatMessage, ChatRequest
from tatc.language.understanding import goal_json, goal_tasks, goals, named_goals
from tatc.language.understanding.tokens import Span
from tatc.language.understanding.understand import understand

MAX_REQUEST_TOKENS = 16_000
"""The longest request that is sent, as estimated; the lexicon reads a longer dialogue."""

DialogueReader = Callable[[Sequence[Utterance]], goals.Understanding]
"""Returns what a dialogue means; `understand` is one."""
EXAMPLE_COUNT = 3
"""How many pairs of dialogue and goal a request shows: those nearest to its dialogue."""
CONFIDENCE_IF_READINGS_DIFFER = 0.5
"""How sure a model's goal is if the lexicon reads another one; set by hand."""
COMPOSED_DISH_NAMES = ("sandwich", "salad", "toast", "slices")
"""The names of dishes; "slices" are portions that belong to no other dish."""
_EXAMPLES_FILE = Path(__file__).parent / "model_examples.jsonl"
_RULES_FILE = Path(__file__).parent / "model_rules.txt"
_MAX_ANSWER_TOKENS = 1_500
_MOST_EVIDENCE = 50
_MAX_PART = 60  # characters
_SCHEMA_NAME = "understood_goal"
_CLASS = {"$ref": "#/$defs/object_class"}
_CLASS_OR_NULL = {"anyOf": [_CLASS, {"type": "null"}]}
_COUNT = {"type": "integer"}


class ModelReader:
    """A reader of dialogues that asks a model, and once more after an answer that is no goal.

    Where that fails, the lexicon's reading is returned as `ReadBy.FALLBACK`.
    """

    def __init__(self, client: ChatClient, memory: named_goals.NamedGoals | None = None) -> None:
        """Read with a client's model; the memory's goals have names, and are examples too."""
        self._client = client
        self._memory = memory

    def __call__(self, utterances: Sequence[Utterance]) -> goals.Understanding:
        """Return what a dialogue means; the model is not asked where the Commander is silent."""
        by_lexicon = understand(utterances, self._memory)
        if not any(each.speaker is Role.COMMANDER for each in utterances):
            return by_lexicon
        try:
            return self._ask(utterances, by_lexicon)
        except errors.ModelFailure as fault:
            self._client.warn(f"the lexicon reads in place of the model: {fault.one_line}")
            return replace(by_lexicon, read_by=goals.ReadBy.FALLBACK)

    def request(self, utterances: Sequence[Utterance]) -> ChatRequest:
        """Return the request for a dialogue's goal, with the examples nearest to the dialogue."""
        own = () if self._memory is None else self._memory.entries
        known = named_goals.NamedGoals((*shipped_examples().entries, *own))
        nearest = known.nearest(utterances, EXAMPLE_COUNT)
        shown = [message for entry in reversed(nearest) for message in _example_messages(entry)]
        asked = ChatMessage("user", _dialogue_text(utterances))
        messages = (ChatMessage("system", _rules()), *shown, asked)
        schema, settings = AnswerSchema(_SCHEMA_NAME, answer_schema()), self._client.settings
        most = settings.answer_tokens or _MAX_ANSWER_TOKENS
        temperature = settings.temperature
        return ChatRequest(
            settings.model, messages, schema, settings.seed, most, temperature=temperature
        )

    def _ask(
        self, utterances: Sequence[Utterance], by_lexicon: goals.Understanding
    ) -> goals.Understanding:
        """Return the model's reading; raise a ModelFailure if it has none, or is wrong twice."""
        request = self.request(utterances)
        tokens = request.estimated_tokens()
        if tokens > MAX_REQUEST_TOKENS:
            why = f"the dialogue makes a request of {tokens:,} tokens"
            raise errors.ModelFailure(f"{why}, more than {MAX_REQUEST_TOKENS:,}")
        answer = self._client.ask(request)
        try:
            return read_model_answer(answer.text, utterances, by_lexicon)
        except json_fields.FieldError as fault:
            most = f" (it was cut off after {request.max_answer_tokens} tokens)"
            why = f"That answer cannot be read: {fault}{most if answer.is_cut else ''}."
            wrong = f"{why} Answer again, with the JSON object alone."
        *before, asked = request.messages
        said = answer_text.without_thought(answer.text)
        told = [asked, ChatMessage("assistant", said), ChatMessage("user", wrong)]
        if not said.strip():  # no server takes an empty message back
            told = [replace(asked, text=f"{asked.text}\n\n{wrong}")]
        answer = self._client.ask(replace(request, messages=(*before, *told)))
        try:
            return read_model_answer(answer.text, utterances, by_lexicon)
        except json_fields.FieldError as fault:
            raise errors.ModelFailure(f"the model's answer is no goal: {fault}") from fault


def readings_used(readings: Sequence[goals.ReadBy]) -> str:
    """Return which readings a session used ("model 3, lexicon 1"), "" where no model was asked."""
    asked = [each for each in readings if each is not goals.ReadBy.LEXICON]
    by_model = asked.count(goals.ReadBy.MODEL)
    by_lexicon = len(asked) - by_model
    if by_model and by_lexicon:
        return f"model {by_model}, lexicon {by_lexicon}"
    if not asked:
        return ""
    return "model" if by_model else "lexicon"


@lru_cache(maxsize=1)
def shipped_examples() -> named_goals.NamedGoals:
    """Return the pairs of dialogue and goal that come with tatc."""
    return named_goals.read_goals(_EXAMPLES_FILE)


@lru_cache(maxsize=1)
def _rules() -> str:
    return _RULES_FILE.read_text(encoding="utf-8").rstrip("\n")


def _example_messages(entry: named_goals.NamedGoal) -> tuple[ChatMessage, ChatMessage]:
    evidence = [
        {"part": each.part, "words": words}
        for each in understand(entry.utterances).evidence
        for words in each.words
    ]
    answer = {"goal": goal_json.content_json(entry.content), "evidence": evidence}
    asked = ChatMessage("user", _dialogue_text(entry.utterances))
    return asked, ChatMessage("assistant", json.dumps(answer))


def _dialogue_text(utterances: Sequence[Utterance]) -> str:
    said = [[each.speaker.name.title(), each.text] for each in utterances]
    data = json.dumps(said).replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<dialogue>{data}</dialogue>"


def answer_schema() -> Mapping[str, Any]:
    """Return the JSON Schema of an answer: a goal's content and the words that it rests on.

    It follows `strict` of the chat completions interface: every property is required, no other
    allowed.  `read_content` checks the same again, because not every endpoint obeys it.
    """
    evidence = _object(part={"type": "string"}, words={"type": "string"})
    goal = {"anyOf": [{"$ref": "#/$defs/goal"}, {"type": "null"}]}
    return {
        **_object(goal=goal, evidence=_list(evidence)),
        "$defs": {"object_class": _choice(sorted(KNOWN_OBJECT_CLASSES)), "goal": _goal_schema()},
    }


def _goal_schema() -> dict[str, Any]:
    foods, preparations = _choice(goals.PORTION_FOODS), _choice(goals.Preparation)
    portion = _object(food=foods, preparation=preparations, count=_COUNT)
    dish = _object(
        name=_choice(COMPOSED_DISH_NAMES),
        container=_CLASS_OR_NULL,
        portions=_list(portion),
        count=_COUNT,
        extras=_list(_CLASS),
    )
    chore = _object(
        chore=_choice([each for each in goals.Chore if each not in goals.ORDER_CHORES]),
        things=_CLASS,
        count={"anyOf": [_COUNT, {"type": "null"}]},
        place=_CLASS_OR_NULL,
        one_place={"type": "boolean"},
    )
    return _object(dishes=_list(dish), chores=_list(chore), table=_CLASS_OR_NULL)


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _choice(names: Iterable[str]) -> dict[str, Any]:
    return {"type": "string", "enum": [str(each) for each in names]}


def read_model_answer(
    text: str, utterances: Sequence[Utterance], by_lexicon: goals.Understanding
) -> goals.Understanding:
    """Return what a model's answer says that a dialogue means, or raise a FieldError.

    The goal is the first JSON object that has one, after thought and whatever stands around it.
    Evidence that is not in the dialogue is left out; the confidence is fixed where the lexicon
    differs.
    """
    raw = _object_with_goal(text)
    evidence = tuple(_read_evidence(raw, utterances))
    hints, read_by = by_lexicon.hints, goals.ReadBy.MODEL
    if raw["goal"] is None:
        asked = (goals.question_about(goals.OpenPart.GOAL),)
        return goals.Understanding(None, hints, (), 0.0, asked, read_by)
    goal = _read_goal(raw["goal"])
    agrees = by_lexicon.goal is not None and by_lexicon.goal.content == goal.content
    confidence = by_lexicon.confidence if agrees else CONFIDENCE_IF_READINGS_DIFFER
    questions = by_lexicon.questions if agrees else ()
    return goals.Understanding(goal, hints, evidence, confidence, questions, read_by)


def _object_with_goal(text: str) -> Mapping[str, Any]:
    has_object = False
    for value, _ in answer_text.json_values(answer_text.without_thought(text)):
        for each in cast(list[Any], value) if isinstance(value, list) else [value]:
            has_object = has_object or isinstance(each, Mapping)
            if isinstance(each, Mapping) and "goal" in each:
                return cast(Mapping[str, Any], each)
    if has_object:
        raise json_fields.FieldError("goal", "is missing")
    raise json_fields.FieldError("", "it holds no whole JSON object")


def _read_goal(value: object) -> goals.Goal:
    with json_fields.faults_under("goal"):
        content = goal_json.read_content(value)
    for number, dish in enumerate(content.dishes):
        if dish.name not in COMPOSED_DISH_NAMES:
            why = f"should be one of {', '.join(COMPOSED_DISH_NAMES)}"
            raise json_fields.FieldError(f"goal.dishes[{number}].name", why)
    goal = goal_tasks.goal_for(content)
    if goal is None:
        raise json_fields.FieldError("goal", "asks for nothing that can be done")
    return goal


def _read_evidence(
    raw: Mapping[str, Any], utterances: Sequence[Utterance]
) -> Iterator[goals.Evidence]:
    listed = json_fields.as_list(raw.get("evidence"), "evidence", _MOST_EVIDENCE)
    for part, words in json_fields.read_each(listed, _read_pair, "evidence"):
        span = _find_words(words, utterances)
        if span is not None:
            said = utterances[span.utterance].text[span.start : span.end]
            yield goals.Evidence(part, (span,), (said,))


def _read_pair(value: object) -> tuple[str, str]:
    raw = json_fields.as_mapping(value, "")
    part, words = (
        json_fields.as_text(raw.get("part"), "part"),
        json_fields.as_text(raw.get("words"), "words"),
    )
    return " ".join(part.split())[:_MAX_PART], words.strip()


def _find_words(words: str, utterances: Sequence[Utterance]) -> Span | None:
    for number in range(len(utterances) - 1, -1, -1):
        start = utterances[number].text.find(words)
        if words and start >= 0 and utterances[number].speaker is Role.COMMANDER:
            return Span(number, start, start + len(words))
    return None
