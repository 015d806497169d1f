"""A Commander that reads out what an annotator of ALFRED wrote, and no more.

It answers the Follower's first words with the goal sentence, and with the directives of the steps
if they are asked for.  It knows neither the task nor the home.  When the Follower speaks again,
it has done what it could: nobody answers, and the session ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class AnnotatedLanguage(StrEnum):
    """What of an annotation a Follower hears: the goal alone, or the directives too."""

    GOAL = "goal"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class Directives:
    """What one annotator wrote: a goal sentence, and a directive for each step."""

    goal: str
    steps: tuple[str, ...]

    def words(self, language: AnnotatedLanguage) -> str:
        """Return what a Follower hears, as one utterance."""
        said = (self.goal, *(self.steps if language is AnnotatedLanguage.STEPS else ()))
        return " ".join(_as_sentence(each) for each in said)


def _as_sentence(text: str) -> str:
    plain = " ".join(text.split())
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."


def first_directives(annotations: Sequence[tuple[str, tuple[str, ...]]]) -> Directives | None:
    """Return the first annotation with words, None for none."""
    return next((Directives(goal, steps) for goal, steps in annotations if goal.strip()), None)
