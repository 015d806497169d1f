"""A Commander that reads out what an annotator of ALFRED wrote, and no more.

It answers the Follower's first words with the goal sentence, and with the directives of the steps
if they are asked for.  It knows neither the task nor the home.  When the Follower speaks again,
it has done what it could: nobody answers, and the session ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tatc.base.errors import BadInput
from tatc.commander import CommanderView, Decision
from tatc.commander.oracle import Oracle
from tatc.home.actions import Action, Verb
from tatc.home.agent_traits import AgentTraits
from tatc.session.session_types import AgentNotes
from tatc.tdl import Task


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


class DirectiveCommander:
    """Reads directives out."""

    traits = AgentTraits(notes=True)
    decisions: tuple[Decision, ...] = ()

    def __init__(self, directives: Directives, language: AnnotatedLanguage) -> None:
        """Say this much of an annotation."""
        self._words = directives.words(language)
        self._has_spoken = False
        self.notes = AgentNotes(options=(("language", language.value),))

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Forget that anything was said; neither the home nor the task is looked at."""
        self._has_spoken = False

    def act(self, view: CommanderView) -> Action:
        """Return the directives as an utterance, and then Stop."""
        if self._has_spoken:
            return Action(Verb.STOP)
        self._has_spoken = True
        return Action(Verb.TEXT, text=self._words)


def directive_commander(
    directives: Directives | None, language: AnnotatedLanguage, where: str
) -> DirectiveCommander:
    """Return the Commander that reads a start's directives out."""
    if directives is None:
        fix = "name ALFRED's trajectories, or leave out --language"
        raise BadInput("has no directives", where=where, fix=fix)
    return DirectiveCommander(directives, language)
