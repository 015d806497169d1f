"""Corrections of typing: "boil*" after "soil the potato", or "book" after "put the cook here"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tatc.home.actions import Utterance
from tatc.language.understanding.lexicon import shipped_lexicon

_STARRED = re.compile(r"\W*[*^]\s*([a-z]+)\W*|\W*([a-z]+)\s*\*+\W*", re.IGNORECASE)
_BARE = re.compile(r"\W*(?:(?:sorry|i meant?)\W+)?([a-z]+)\W*", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_LOOK_BACK = 3  # utterances of the same speaker
_LEAST_SIMILARITY = 0.5
_LEAST_SIMILARITY_IF_BARE = 0.6
_BEFORE_NOUN = ("a", "all", "number", "of")


@dataclass(slots=True)
class TypingCorrections:
    """What to read in place of which word, by the number of the utterance.

    `bare` has the utterances that say nothing beside a correction.
    """

    meant: dict[int, dict[str, str]] = field(default_factory=dict[int, dict[str, str]])
    bare: set[int] = field(default_factory=set[int])


def typing_corrections(utterances: Sequence[Utterance]) -> TypingCorrections:
    """Return what was mistyped: a word alone, with a star or like one that makes no sense."""
    found = TypingCorrections()
    for number, utterance in enumerate(utterances):
        short = utterance.text[:60]
        starred, bare = _STARRED.fullmatch(short), _BARE.fullmatch(short)
        if starred is None and bare is None:
            continue
        meant = (starred[1] or starred[2] if starred else bare[1] if bare else "").lower()
        if starred is None and not _is_noun(meant):
            continue
        earlier = [k for k in range(number) if utterances[k].speaker is utterance.speaker]
        for k in reversed(earlier[-_LOOK_BACK if starred else -1 :]):
            words = _WORD.findall(utterances[k].text.lower())
            if starred is not None:
                typed = _most_similar(meant, words, _LEAST_SIMILARITY)
            else:
                typed = _mistyped(meant, words)
            if typed is not None:
                found.meant.setdefault(k, {})[typed] = meant
                if starred is None:
                    found.bare.add(number)
                break
    return found


def _is_noun(word: str) -> bool:
    senses = shipped_lexicon().phrases.get((word,))
    return senses is not None and bool(senses.by_kind.keys() & {"thing", "dish"})


def _mistyped(meant: str, words: Sequence[str]) -> str | None:
    """Return the word that a noun corrects: an unknown one, or one where a noun should be."""
    if meant in words:
        return None
    lexicon = shipped_lexicon()

    def may_be_wrong(k: int) -> bool:
        if words[k] not in lexicon.known_words:
            return True
        before = lexicon.phrases.get((words[k - 1],)) if k else None
        follows = before is not None and any(kind in before.by_kind for kind in _BEFORE_NOUN)
        return follows and not _is_noun(words[k])

    doubtful = [word for k, word in enumerate(words) if may_be_wrong(k)]
    return _most_similar(meant, doubtful, _LEAST_SIMILARITY_IF_BARE)


def _most_similar(meant: str, words: Sequence[str], least: float) -> str | None:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    near = process.extractOne(
        meant,
        [word for word in words if word != meant],
        scorer=OSA.normalized_similarity,
        score_cutoff=least,
    )
    return None if near is None else near[0]
