"""Finds what words describe: "something to change channels" is a remote control.

`descriptions.toml` says what each type is for, has, is made of and looks like.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

from tatc.base import files
from tatc.language import text_classifier

_CUES = ("uses", "parts", "looks", "made_of", "kind", "gloss")
_WORD = re.compile(r"[a-z]+")


def type_from_description(words: str, among: Collection[str] = ()) -> tuple[str, float]:
    """Return the type (of those `among`, if any) that words describe best, and how sure that is."""
    return _classifier().classify(words, among)


@cache
def _table() -> dict[str, Any]:
    return files.package_table("tatc.language.understanding", "descriptions.toml")


@cache
def _classifier() -> text_classifier.TextClassifier:
    cues = {name: [*_texts(row)] for name, row in _table().items() if name != "skipped"}
    return text_classifier.TextClassifier(cues, _features)


def _texts(row: dict[str, Any]) -> Iterable[str]:
    """Yield each cue of a type, and all of them together."""
    cues = [row.get(key, "") for key in _CUES]
    for cue in cues:
        yield from filter(None, cue.split(",") if isinstance(cue, str) else cue)
    yield str(cues)


def _features(text: str) -> Iterable[str]:
    skipped = frozenset(_table()["skipped"].split())
    words = (each for each in _WORD.findall(text.lower()) if each not in skipped)
    return text_classifier.word_features(words)
