"""What a user taught: dialogues and goals under names of their own, in a file of JSON lines.

A name is recalled when all of its words are said, misspelled or not.  The first line says format
and version.  Reading a file runs nothing.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path
from typing import Any

from tatc.base import errors, files, folder_lock, plain_text
from tatc.base.json_fields import FieldError, as_list, as_mapping, faults_under, get_text
from tatc.home.actions import Role, Utterance
from tatc.language.understanding import goal_json, goal_tasks, goals

MEMORY_FORMAT = "tatc memory"
MEMORY_VERSION = 1
_MAX_WAIT_SECONDS = 10
_MOST_UTTERANCES = 500
_MAX_NAME = 60  # characters
_LEAST_RATIO = 80  # of 100, for a word of a name and a word that was said
_NAME_PATTERN = re.compile(
    r"\b(?:called|named|call(?: it| this| that)?|name (?:it|this|is))\s+"
    r"(?:called\s+)?(?:the\s+|a\s+|my\s+)?([a-z][a-z' -]{0,58}[a-z])",
    re.IGNORECASE,
)
_WORD_PATTERN = re.compile(r"[a-z']+")
_ARTICLES = ("the", "a", "an", "my")


@dataclass(frozen=True, slots=True)
class NamedGoal:
    """A dialogue and the goal that it had, under the name that the user gave to it."""

    name: str
    utterances: tuple[Utterance, ...]
    content: goals.GoalContent


@dataclass(frozen=True, slots=True)
class NamedGoals:
    """The entries of a memory, the newest last; a later entry replaces one of its name."""

    entries: tuple[NamedGoal, ...] = ()

    def with_entries(self, entries: Iterable[NamedGoal]) -> "NamedGoals":
        """Return the memory with more entries, each in place of one with its name."""
        by_name: dict[str, NamedGoal] = {}
        for entry in (*self.entries, *entries):
            name = entry.name.lower()
            by_name.pop(name, None)  # the newer one stands at the end
            by_name[name] = entry
        return NamedGoals(tuple(by_name.values()))

    def recall(self, text: str) -> NamedGoal | None:
        """Return the entry whose name a text says, the longest name first; None if it says none."""
        said = _WORD_PATTERN.findall(text.lower())
        named = [each for each in reversed(self.entries) if _is_said(each.name, said)]
        return max(named, key=lambda each: len(each.name), default=None)


def is_name_word(word: str, name: str) -> bool:
    """Return whether a word that was said is one of a name, so that it asks for nothing itself."""
    return word.lower() in _name_words(name)


def check_name(name: str) -> None:
    """Check that a goal can be remembered under a name, or raise a FieldError."""
    if len(name) > _MAX_NAME or not _name_words(name):
        raise FieldError("name", f"should have letters, and {_MAX_NAME} characters at most")


def name_given_in(utterances: Sequence[Utterance]) -> str | None:
    """Return the name that the Commander gave ("call it the Larry sandwich"), None if none."""
    for each in reversed(utterances):
        found = _NAME_PATTERN.search(each.text) if each.speaker is Role.COMMANDER else None
        if found is not None:
            return " ".join(found[1].split())
    return None


def read_goals(path: Path) -> NamedGoals:
    """Return the memory of a file; an empty one if there is no file."""
    entries: list[NamedGoal] = []
    number, is_there = 0, exists(path)
    if is_there:
        files.check_file(path, files.MEMORY)
    for number, line in enumerate(files.read_lines(path, files.MEMORY_LINE), 1):
        where = f"{path}:{number}"
        try:
            value = files.parse_json(line, where, files.MEMORY_LINE, files.FINITE_NUMBERS)
            if number == 1:
                _check_header(value)
            elif len(entries) == files.MAX_MEMORY_ENTRIES:
                raise FieldError("", f"a memory has {files.MAX_MEMORY_ENTRIES:,} entries at most")
            else:
                entries.append(read_entry(value))
        except FieldError as fault:
            where += f": {fault.field}" if fault.field else ""
            fix = fault.fix or files.MEMORY_LINE.fix
            raise errors.BadInput(fault.why, where=where, fix=fix) from fault
    if number == 0 and is_there:
        why = "is no memory: it has no first line"
        raise errors.BadInput(why, where=str(path), fix=files.MEMORY_LINE.fix)
    return NamedGoals().with_entries(entries)


def keep_goal(entry: NamedGoal, path: Path) -> None:
    """Add a goal to a file of goals, into which nobody else writes meanwhile."""
    with folder_lock.held(path, _MAX_WAIT_SECONDS):
        write_goals(read_goals(path).with_entries((entry,)), path)


def write_goals(memory: NamedGoals, path: Path) -> None:
    """Write a memory; the file is replaced whole or not at all."""
    if len(memory.entries) > files.MAX_MEMORY_ENTRIES:
        why = f"holds {files.MAX_MEMORY_ENTRIES:,} goals, which is the most"
        raise errors.OutputError(why, where=str(path), fix=files.MEMORY.fix)
    header = {"format": MEMORY_FORMAT, "version": MEMORY_VERSION}
    lines = [header, *map(entry_json, memory.entries)]
    text = "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in lines)
    files.write_atomically(text.encode(), path, force=True)


def _check_header(value: object) -> None:
    raw = as_mapping(value, "")
    if raw.get("format") != MEMORY_FORMAT:
        raise FieldError("format", f"should be {MEMORY_FORMAT!r}: this is no memory")
    if raw.get("version") != MEMORY_VERSION:
        why = f"is {raw.get('version')!r:.20}, and this tatc reads version {MEMORY_VERSION}"
        raise FieldError("version", why, "use the tatc that wrote it")


def read_entry(value: object) -> NamedGoal:
    """Return the entry that JSON holds, or raise a FieldError."""
    raw = as_mapping(value, "")
    name = get_text(raw, "name")
    check_name(name)
    dialogue = as_list(raw.get("dialogue"), "dialogue", _MOST_UTTERANCES)
    utterances = tuple(_read_utterance(each, k) for k, each in enumerate(dialogue))
    with faults_under("goal"):
        content = goal_json.read_content(raw.get("goal"))
        if goal_tasks.task_for(content) is None:
            raise FieldError("", "asks for nothing that can be done")
    return NamedGoal(name, utterances, content)


def _read_utterance(value: object, k: int) -> Utterance:
    pair = as_list(value, f"dialogue[{k}]", 2)
    speakers = {role.name.title(): role for role in Role}
    is_text = all(isinstance(each, str) and plain_text.is_encodable(each) for each in pair)
    if len(pair) != 2 or not is_text or pair[0] not in speakers:
        raise FieldError(f"dialogue[{k}]", 'should be a pair such as ["Commander", "make toast"]')
    return Utterance(speakers[pair[0]], pair[1], float(k))


def entry_json(entry: NamedGoal) -> dict[str, Any]:
    """Return an entry as `read_entry` takes it."""
    return {
        "name": entry.name,
        "dialogue": [[each.speaker.name.title(), each.text] for each in entry.utterances],
        "goal": goal_json.content_json(entry.content),
    }


def _name_words(name: str) -> list[str]:
    return [word for word in _WORD_PATTERN.findall(name.lower()) if word not in _ARTICLES]


def _is_said(name: str, said: Sequence[str]) -> bool:
    from rapidfuzz import fuzz, process

    return bool(said) and all(
        process.extractOne(word, said, scorer=fuzz.ratio, score_cutoff=_LEAST_RATIO)
        for word in _name_words(name)
    )
