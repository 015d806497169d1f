"""`tatc run --answers-from`: the session of a record again, with the answers that it holds."""

from dataclasses import replace
from typing import TYPE_CHECKING

from tatc.base.errors import BadInput
from tatc.commands.options.model_play_options import RecordedAnswersOptions
from tatc.commands.options.session_options import AgentOptions, SessionOptions

if TYPE_CHECKING:
    from tatc.session.agents.session_setup import SessionSetup
    from tatc.session.start import SessionStart


def recorded_session(
    recorded: RecordedAnswersOptions,
    session: SessionOptions,
    agents: AgentOptions,
    asked: "SessionSetup",
) -> "tuple[SessionStart, SessionSetup]":
    """Return the start and the setup of the record that is named.

    Without a pin the record's answers alone are used; with one, the model of `asked` goes on.

    Raises:
        BadInput: it cannot be read, no language model played in it, or what it brings is named too.

    """
    from tatc.session.text_world.models.answer_sources import RecordedAnswers
    from tatc.session.timeline import read_finished_session
    from tatc.tdl import load_library

    assert recorded.answers_from is not None
    if replace(session, tasks=None) != SessionOptions():
        why = "a record brings its own task and place"
        raise BadInput(why, fix="leave out the task, --room, --game, --param, --seed and --plans")
    if agents != AgentOptions():
        raise BadInput("a record brings its own agents", fix="leave out the options of agents")
    library = load_library(session.tasks or ())
    found = read_finished_session(recorded.answers_from, library, floor_map=asked.floor_map)
    answers = found.setup.recorded_answers
    if answers is None:
        why = "no language model played in this session, so it holds no answers"
        raise BadInput(why, where=str(recorded.answers_from), fix="`tatc replay` shows it")
    if recorded.pin is None and asked.model is not None:
        why = "the record answers, and a model is named"
        raise BadInput(why, fix="say with --pin from which answer on it is asked")
    pinned = RecordedAnswers(answers.calls, recorded.pin)
    return found.opening, replace(found.setup, model=asked.model, recorded_answers=pinned)
