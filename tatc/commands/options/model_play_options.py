"""The options that say how a language model plays an agent, and what that may cost."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tatc.base.errors import UnknownName
from tatc.commands.options.shared_options import model_field
from tatc.commands.text.output import print_json, print_line

if TYPE_CHECKING:
    from tatc.session.agents.model_play import ModelPlay
    from tatc.session.agents.session_setup import SessionSetup


@dataclass(frozen=True, slots=True)
class ModelPlayOptions:
    """How the model plays the agents named llm."""

    max_calls: int = model_field(
        300, min=1, metavar="N", help="The most calls of each agent llm in a session."
    )
    context_tokens: int = model_field(
        8_000,
        min=1_000,
        metavar="N",
        help="For agents llm: about the most tokens of a request. The oldest turns are left out.",
    )
    tool_calls: str = model_field(
        "auto",
        metavar="auto|native|json",
        help="For agents llm: the endpoint's own tool calling, or JSON that the model writes. "
        "Default: JSON where the endpoint takes no tools.",
    )
    speech: str | None = model_field(
        None,
        metavar="tell|words",
        help="With --commander llm: tell names an action and an object, to which the way and the "
        "click are added; words are free. Default: tell for the rule Follower.",
    )

    def play(self, max_tokens: int) -> "ModelPlay":
        """Return how models play, with at most so many tokens for each agent in a session."""
        from tatc.session.agents.model_play import ModelPlay, SpeechKind, ToolCalling

        if self.tool_calls not in list(ToolCalling):
            fix = "name auto, native or json"
            raise UnknownName("tool calling", self.tool_calls, ToolCalling, fix=fix)
        if self.speech is not None and self.speech not in list(SpeechKind):
            raise UnknownName("speech", self.speech, SpeechKind, fix="name tell or words")
        return ModelPlay(
            calls=self.max_calls,
            tokens=max_tokens,
            context_tokens=self.context_tokens,
            tool_calling=ToolCalling(self.tool_calls),
            speech=None if self.speech is None else SpeechKind(self.speech),
        )


@dataclass(frozen=True, slots=True)
class RecordedAnswersOptions:
    """Answers of a model that a record holds."""

    answers_from: Path | None = model_field(
        None,
        metavar="RECORD",
        help="Run the session of this record again with the answers that it holds: offline, "
        "without a model. The record names task, place and agents.",
    )
    pin: int | None = model_field(
        None,
        min=0,
        metavar="N",
        help="With --answers-from: take the first N answers from the record; then --model answers.",
    )


def print_play_estimate(setup: "SessionSetup", sessions: int, *, as_json: bool) -> None:
    """Print about how many tokens sessions have at most for the models that play in them."""
    from tatc.session.agents.agent_names import is_model_agent

    play = setup.play
    agents = sum(map(is_model_agent, (setup.commander, setup.follower)))
    calls = sessions * agents * play.calls
    request_tokens = calls * play.largest_request_tokens()
    found = {
        "dry_run": True,
        "sessions": sessions,
        "calls_at_most": calls,
        "request_tokens_at_most": request_tokens,
        "answer_tokens_at_most": calls * play.answer_tokens,
        "max_tokens": play.tokens,
    }
    if as_json:
        print_json(found)
        return
    print_line(f"sessions: {sessions:,}; nothing was sent")
    print_line(f"calls, at most: {calls:,}")
    print_line(f"tokens of requests, at most about: {request_tokens:,}")
    print_line(f"tokens of answers, at most: {found['answer_tokens_at_most']:,}")
    print_line(f"tokens in all, by --max-tokens: {play.tokens:,}")
