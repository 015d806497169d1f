"""From the directives of ALFRED's annotators to a goal that a Follower can pursue."""

import re
from collections.abc import Collection, Sequence

from tatc.base.errors import BadInput
from tatc.home.actions import Role, Utterance
from tatc.language.understanding.alfred.directive_goal import read_directives
from tatc.language.understanding.alfred.directive_sentence import DirectiveGoal
from tatc.language.understanding.goal import Goal, GoalContent, Understanding
from tatc.language.understanding.understand import understand
from tatc.tdl import Task, shipped_library

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_CONFIDENCE = 0.7  # of a goal whose parameters were all said


def understand_directives(
    utterances: Sequence[Utterance], home: Collection[str] = ()
) -> Understanding:
    """Return the goal of directives: a goal sentence, and sentences for the steps if there are any.

    `home` is the type of each object of the home, as far as known; what it lacks is not meant.
    Words that name no whole task of ALFRED's are read as any other dialogue.
    """
    said = " ".join(each.text for each in utterances if each.speaker is Role.COMMANDER)
    goal, *steps = _SENTENCE_END.split(said.strip())
    task = task_of(read_directives(goal, steps, home))
    if task is None:
        return understand(utterances)
    found = Goal(GoalContent(), task, (task.name, task.params))
    return Understanding(found, (), (), _CONFIDENCE, ())


class DirectiveReader:
    """Reads directives, and anew when it is known what the home holds."""

    def __call__(self, utterances: Sequence[Utterance]) -> Understanding:
        """Return what directives mean in any home."""
        return understand_directives(utterances)

    def read_in_home(self, utterances: Sequence[Utterance], home: Collection[str]) -> Understanding:
        """Return what directives mean in a home with one object of each of these types."""
        return understand_directives(utterances, home)


def task_of(goal: DirectiveGoal) -> Task | None:
    """Return the task of a goal, None if a parameter that it needs was not said."""
    library = shipped_library()
    definition = library.find(goal.task)
    given = goal.parameters
    try:
        params = [given[each.name] for each in definition.parameters]
        return library.compile(definition.name, params)
    except (KeyError, BadInput):
        return None
