"""From a dialogue, also one in a file, to its goal; and edits of a goal in words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from string import punctuation, whitespace

from tatc.base.errors import BadInput
from tatc.base.files import DIALOGUE, decode_text, package_table, read_bytes
from tatc.home.actions import Role, Utterance
from tatc.home.type_facts import KNOWN_OBJECT_CLASSES
from tatc.language.object_names import type_from_words
from tatc.language.understanding import clause_reader, composition, goal_json, goal_tasks, goals
from tatc.language.understanding.dialogue_state import DialogueState
from tatc.language.understanding.goal_edits import apply_edits
from tatc.language.understanding.named_goals import NamedGoals, is_name_word
from tatc.language.understanding.tokens import Span, read_terms, typing_corrections

DialogueReader = Callable[[Sequence[Utterance]], goals.Understanding]
"""Returns what a dialogue means; `understand` is one."""
MAX_UTTERANCES = 2_000  # the utterances of a dialogue that are read; a longer one is cut short
_FACTORS: dict[str, float] = package_table(__package__, "questions.toml")["factors"]
_TABLE_PATTERN = re.compile(r"(?:all (?:of )?it )?(?:on|in) (?:the )?(.+)", re.IGNORECASE)


def understand(
    utterances: Sequence[Utterance], memory: NamedGoals | None = None
) -> goals.Understanding:
    """Return the goal of a dialogue as far as it was said, with its evidence and its doubts.

    If the Commander says a name of the `memory`, the goal is the one remembered, changed as this
    and later utterances say ("the Larry sandwich without tomato").  What the Follower says is read
    as the question that the next words answer.  What means nothing gives no goal and a question.
    """
    heard = utterances[:MAX_UTTERANCES]
    state, sure = DialogueState(), 1.0
    corrections = typing_corrections(heard)
    for number, utterance in enumerate(heard):
        if number in corrections.bare:
            continue
        meant, is_asked = corrections.meant.get(number, {}), utterance.speaker is Role.COMMANDER
        terms = read_terms(utterance.text, number, meant, describes=is_asked)
        clauses = clause_reader.read_clauses(terms)
        if is_asked:
            state.hear_commander(clauses)
            described = (term.value("described") for term in terms)
            sure = min([sure, *(float(each) for each in described if each)])
        else:
            state.hear_follower(clauses)
    composed = _recalled(heard, state, memory) or composition.compose(state.asked)
    goal = goal_tasks.goal_for(composed.content)
    hints = tuple(state.asked.hints)
    if goal is None:
        empty = composed.content.is_empty
        about = goals.OpenPart.GOAL if empty else goals.OpenPart.IMPOSSIBLE_GOAL
        return goals.Understanding(None, hints, (), 0.0, (goals.question_about(about),))
    confidence = sure * _confidence(composed, goal, state.asked.corrections, len(heard))
    questions = tuple(goals.question_about(each) for each in composed.open_parts)
    evidence = tuple(
        goals.Evidence(part, tuple(spans), tuple(_words_at(span, heard) for span in spans))
        for part, spans in composed.evidence
        if spans
    )
    return goals.Understanding(goal, hints, evidence, round(confidence, 3), questions)


def _recalled(
    heard: Sequence[Utterance], state: DialogueState, memory: NamedGoals | None
) -> goals.Composed | None:
    """Return the goal of the memory that was named last, changed as was said; None if none."""
    if memory is None:
        return None
    for number in range(len(heard) - 1, -1, -1):
        utterance = heard[number]
        entry = memory.recall(utterance.text) if utterance.speaker is Role.COMMANDER else None
        if entry is not None:
            edits = [
                (clause, [each for each in phrases if not _names(each.span, heard, entry.name)])
                for clause, phrases in state.requests
                if clause.utterance >= number
            ]
            content = apply_edits(entry.content, edits)
            return goals.Composed(content, [(entry.name, [Span(number, 0, len(utterance.text))])])
    return None


def _names(span: Span, heard: Sequence[Utterance], name: str) -> bool:
    """Return whether words are only the name, such as "Pax", which is near "pan"."""
    words = _words_at(span, heard).split()
    return all(is_name_word(word, name) or word.lower() in ("the", "my", "a") for word in words)


def _words_at(span: Span, heard: Sequence[Utterance]) -> str:
    return heard[span.utterance].text[span.start : span.end]


def _confidence(composed: goals.Composed, goal: goals.Goal, corrections: int, length: int) -> float:
    """Return how sure the goal is; factors set by hand order goals, and are no probabilities."""
    sure = 0.98 * 0.997**length * 0.97**corrections
    for part in composed.open_parts:
        sure *= next(factor for start, factor in _FACTORS.items() if part.startswith(start))
    if composed.content.table is not None:
        sure *= 0.85  # a breakfast has many parts
    if goal.library_task is None:
        sure *= 0.7
    return max(0.05, sure)


def goal_in_words(words: str) -> goals.Goal:
    """Return the goal that words ask for."""
    goal = understand([Utterance(Role.COMMANDER, words, 0.0)]).goal
    if goal is None:
        fix = "for example: a plate with two slices of toast"
        raise BadInput(f"{words!r} asks for nothing that can be done", fix=fix)
    return goal


def goal_with_line(content: goals.GoalContent, number: int, words: str) -> goals.Goal:
    """Return a goal with one of its lines in other words, or without it where `words` is "".

    `number` counts the `goal_lines` from 1; one after the last adds a line.
    """
    dishes, chores = list(content.dishes), list(content.chores)
    count = len(goal_json.goal_lines(content))
    if not 1 <= number <= count + 1:
        raise BadInput(f"the goal has no line {number}", fix=f"name a line from 1 to {count + 1}")
    index = number - 1
    if content.table is not None and number == count:
        return goal_of(replace(content, table=_table_in(words) if words else None))
    new = goal_in_words(words).content if words else goals.GoalContent()
    at_chore = min(max(index - len(dishes), 0), len(chores))
    if index < len(dishes):
        dishes[index : index + 1] = new.dishes
        chores[:0] = new.chores
    else:
        dishes += new.dishes
        chores[at_chore : at_chore + 1] = new.chores
    return goal_of(goals.GoalContent(tuple(dishes), tuple(chores), new.table or content.table))


def _table_in(words: str) -> str:
    found = _TABLE_PATTERN.fullmatch(words.strip())
    name = "" if found is None else type_from_words(found[1].rstrip(punctuation + whitespace))
    if name not in KNOWN_OBJECT_CLASSES:
        fix = "for example: all of it on the coffee table"
        raise BadInput(f"{words!r} names no table", fix=fix)
    return name


def goal_of(content: goals.GoalContent) -> goals.Goal:
    """Return the goal with a content; there is an error if that cannot be done."""
    goal = goal_tasks.goal_for(content)
    if goal is None:
        fix = "leave a line, or change it in other words"
        raise BadInput("nothing that can be done is left of the goal", fix=fix)
    return goal


# Dialogues as text: a line for each utterance, `Commander: ...` or `Follower: ...`.

_LINE_PATTERN = re.compile(r"\s*(commander|follower|driver)\s*:(.*)", re.IGNORECASE)
_FIX = "begin each line with `Commander:` or `Follower:`"


def read_dialogue_file(path: Path) -> tuple[Utterance, ...]:
    """Return the utterances of a file."""
    return parse_dialogue(decode_text(read_bytes(path, DIALOGUE), str(path), DIALOGUE), str(path))


def parse_dialogue(text: str, where: str) -> tuple[Utterance, ...]:
    """Return a text's utterances, timed by their lines; TEACh's "Driver" is the Follower too."""
    utterances: list[Utterance] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        found = _LINE_PATTERN.fullmatch(line.rstrip("\r"))
        if found is None:
            why = f"does not name its speaker: {line.strip()[:40]!r}"
            raise BadInput(why, where=f"{where}:{number}", fix=_FIX)
        role = Role.COMMANDER if found[1].lower() == "commander" else Role.FOLLOWER
        utterances.append(Utterance(role, found[2].strip(), float(number)))
    return tuple(utterances)
