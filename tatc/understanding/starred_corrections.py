"""Corrections with a star, as people type them: "boil*" after "soil the potato"."""

import re
from collections.abc import Sequence

from tatc.actions import Utterance

_STARRED = re.compile(r"\W*\*\s*([a-z]+)\W*|\W*([a-z]+)\s*\*+\W*", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_LOOK_BACK = 3  # utterances of the same speaker
_LEAST_SIMILARITY = 0.5


def starred_corrections(utterances: Sequence[Utterance]) -> dict[int, dict[str, str]]:
    """Return what to read in place of which word, for each utterance that was corrected."""
    found: dict[int, dict[str, str]] = {}
    for number, utterance in enumerate(utterances):
        starred = _STARRED.fullmatch(utterance.text[:60])
        if starred is None:
            continue
        meant = (starred[1] or starred[2]).lower()
        earlier = [k for k in range(number) if utterances[k].speaker is utterance.speaker]
        for k in reversed(earlier[-_LOOK_BACK:]):
            typed = _most_similar(meant, _WORD.findall(utterances[k].text.lower()))
            if typed is not None:
                found.setdefault(k, {})[typed] = meant
                break
    return found


def _most_similar(meant: str, words: Sequence[str]) -> str | None:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    near = process.extractOne(
        meant,
        [word for word in words if word != meant],
        scorer=OSA.normalized_similarity,
        score_cutoff=_LEAST_SIMILARITY,
    )
    return None if near is None else near[0]
