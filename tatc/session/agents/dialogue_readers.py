"""What Followers read dialogue by: named goals, a language model, ALFRED's directives."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.follower import Follower
from tatc.home.agent_traits import traits_of
from tatc.language.llm import ModelSettings, chat_client
from tatc.language.understanding import understand
from tatc.language.understanding.alfred.directive_goal import DirectiveReader
from tatc.language.understanding.model_reader import ModelReader
from tatc.language.understanding.named_goals import NamedGoals, read_goals
from tatc.session.agents.agents import check_reads
from tatc.session.agents.settings import SETTINGS


def check_goals(file: str | None) -> None:
    """Check that a file of named goals is there, and can be read; None is none."""
    if file is None:
        return
    if not Path(file).is_file():
        fix = "make one with `tatc understand DIALOGUE --goals FILE --remember`"
        raise BadInput("there is no such memory", where=file, fix=fix)
    read_goals(Path(file))


def with_reading(
    make: Callable[..., Follower],
    name: str,
    settings: ModelSettings | None,
    goals_file: str | None,
    *,
    directives: bool = False,
) -> Callable[[], Follower]:
    """Return what makes a Follower that reads dialogue with named goals, by a model or by itself.

    The goals of a file are added to those that a Follower of the user's own has.  With
    `directives`, what it hears are those of ALFRED's annotators, which a Follower that takes a
    reader reads as such.
    """
    traits = traits_of(make)
    if settings is None and goals_file is None:
        return partial(make, read=DirectiveReader()) if directives and traits.reads else make
    if settings is not None:
        check_reads(make, name)
    goals: NamedGoals | None = traits.goals  # of a listener with a file of the user's own
    if goals_file is not None:
        check_reads(make, name, SETTINGS["goals"].option)
        goals = (goals or NamedGoals()).with_entries(read_goals(Path(goals_file)).entries)
    if settings is not None:
        return partial(make, read=ModelReader(chat_client(settings), goals))
    return partial(make, read=partial(understand, memory=goals))
