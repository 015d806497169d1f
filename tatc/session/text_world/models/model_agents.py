"""The agents that a language model plays."""

from tatc.base.errors import BadInput
from tatc.base.short_paths import PathShortener
from tatc.home.actions import Role
from tatc.language.llm import ChatClient
from tatc.session.records import RecordedModelCall, SessionEnd
from tatc.session.text_world import TextCommander, TextFollower
from tatc.session.text_world.models.answer_sources import AnswerSource, RecordedAnswers
from tatc.session.text_world.models.model_chooser import ModelChooser
from tatc.session.text_world.models.model_play import ModelPlay, SpeechKind

_TOOL_LEFT_OUT = {SpeechKind.TELL: "say", SpeechKind.WORDS: "tell"}


class ModelAgent:
    """What a session reads of an agent that a language model plays."""

    chooser: ModelChooser

    @property
    def end_of_stop(self) -> SessionEnd | None:
        """Why it stops, None where the model chose to."""
        return self.chooser.end

    @property
    def model_calls(self) -> tuple[RecordedModelCall, ...]:
        """The requests so far, and what came of them."""
        return tuple(self.chooser.calls)


class ModelFollower(ModelAgent, TextFollower):
    """A Follower that a language model plays."""

    def __init__(
        self,
        model: str,
        client: ChatClient | None,
        play: ModelPlay,
        recorded: RecordedAnswers | None = None,
    ) -> None:
        """Let a model play, through its client; recorded answers come first."""
        self.chooser = _chooser(Role.FOLLOWER, model, client, play, recorded)
        self._model = model
        super().__init__(self.chooser)

    @property
    def record_options(self) -> tuple[tuple[str, str], ...]:
        """What a record says of the text interface and the model."""
        return (*super().record_options, *_options(Role.FOLLOWER, self._model))


class ModelCommander(ModelAgent, TextCommander):
    """A Commander that a language model plays."""

    def __init__(
        self,
        model: str,
        client: ChatClient | None,
        play: ModelPlay,
        recorded: RecordedAnswers | None = None,
        *,
        speech: SpeechKind = SpeechKind.TELL,
    ) -> None:
        """Let a model play, through its client; recorded answers come first."""
        self.chooser = _chooser(Role.COMMANDER, model, client, play, recorded)
        self._model = model
        super().__init__(self.chooser, without=(_TOOL_LEFT_OUT[speech],))

    @property
    def record_options(self) -> tuple[tuple[str, str], ...]:
        """What a record says of the text interface and the model."""
        return (*super().record_options, *_options(Role.COMMANDER, self._model))


def edit_next_message(agent: object, text: str) -> None:
    """Have the model that plays an agent read this in place of what it would read next."""
    if not isinstance(agent, ModelAgent):
        why = "no language model plays the agent whose turn it is"
        raise BadInput(why, fix="go to a step before a turn of the agent llm")
    agent.chooser.edit_next_message(text)


def _options(role: Role, model: str) -> tuple[tuple[str, str], ...]:
    return ((f"{role.name.lower()}_model", _recorded_name(model)),)


def _chooser(
    role: Role,
    model: str,
    client: ChatClient | None,
    play: ModelPlay,
    recorded: RecordedAnswers | None,
) -> ModelChooser:
    source = AnswerSource(role, client, recorded, _recorded_name(model))
    return ModelChooser(role, model, play, source)


def _recorded_name(model: str) -> str:
    """Return a model's name as a record has it: some servers name models by their files."""
    return PathShortener.of(()).shorten(model)
