"""The agents that a language model plays."""

from tatc.base.errors import BadInput
from tatc.base.plain_text import PathShortener
from tatc.home.actions import Role
from tatc.language.llm import ChatClient
from tatc.session.model_play import ModelPlay, SpeechKind
from tatc.session.session_types import AgentNotes
from tatc.session.text_world import TextCommander, TextFollower
from tatc.session.text_world.models.model_chooser import AnswerSource, ModelChooser, RecordedAnswers
from tatc.session.text_world.text_agents import text_world_notes

_TOOL_LEFT_OUT = {SpeechKind.TELL: "say", SpeechKind.WORDS: "tell"}


class ModelAgent:
    """What a session reads of an agent that a language model plays."""

    chooser: ModelChooser

    _model: str

    def notes_as(self, role: Role) -> AgentNotes:
        """Return what a record says of the text interface and the model, and how it stopped."""
        options = (
            *text_world_notes().options,
            (f"{role.name.lower()}_model", _recorded_name(self._model)),
        )
        return AgentNotes(options, tuple(self.chooser.calls), self.chooser.end)


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
    def notes(self) -> AgentNotes:
        """The text interface, the model and its calls, and why it stopped."""
        return self.notes_as(Role.FOLLOWER)


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
    def notes(self) -> AgentNotes:
        """The text interface, the model and its calls, and why it stopped."""
        return self.notes_as(Role.COMMANDER)


def edit_next_message(agent: object, text: str) -> None:
    """Have the model that plays an agent read this in place of what it would read next."""
    if not isinstance(agent, ModelAgent):
        why = "no language model plays the agent whose turn it is"
        raise BadInput(why, fix="go to a step before a turn of the agent llm")
    agent.chooser.edit_next_message(text)


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
