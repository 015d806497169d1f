"""How a language model plays an agent, as a user names it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from tatc.base.errors import BadInput
from tatc.base.json_fields import as_count, as_number, get_choice

Name = TypeVar("Name", bound=StrEnum)


class ToolCalling(StrEnum):
    """How a model calls tools.

    `NATIVE` is the endpoint's own tool calling; with `JSON` the model writes a JSON object; `AUTO`
    begins with the former and goes on with the latter if the endpoint takes no tools.
    """

    AUTO = "auto"
    NATIVE = "native"
    JSON = "json"


class Constraint(StrEnum):
    """What the endpoint is asked to hold an answer to, in place of its own tool calling.

    `SCHEMA`: the calls that can be made, with the names of objects in view; `JSON`: any object.
    """

    NONE = "none"
    JSON = "json"
    SCHEMA = "schema"


class SpeechKind(StrEnum):
    """How a Commander speaks: in free `WORDS`; by `TELL` it names an action and an object alone."""

    TELL = "tell"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class ModelPlay:
    """How a language model plays an agent.

    `calls` bounds how often it is asked in a session, `tokens` what is sent and received there in
    all.  `context_tokens` is about the most that a request has, without the tools, `answer_tokens`
    the most that an answer has.  `seed` and `temperature` go with each request.  `speech` is for a
    Commander; None is `TELL` with the rule Follower, and else `WORDS`.  With `list_calls` the model
    reads which calls it can make, and `constraint` holds its answers to them.  With `thoughts` it
    writes a thought before each call; with `probes` it is asked now and then what it believes.
    """

    calls: int = 300
    tokens: int = 2_000_000
    context_tokens: int = 8_000
    answer_tokens: int = 500
    seed: int = 1
    tool_calling: ToolCalling = ToolCalling.AUTO
    speech: SpeechKind | None = None
    temperature: float = 0
    constraint: Constraint = Constraint.NONE
    list_calls: bool = False
    thoughts: bool = False
    probes: bool = False

    def __post_init__(self) -> None:
        """Refuse answers that are bound to a form beside the endpoint's own tool calling."""
        if self.constraint is not Constraint.NONE and self.tool_calling is ToolCalling.NATIVE:
            why = f"--constrain {self.constraint} has the model write JSON, not call tools"
            raise BadInput(why, fix="leave out one of --constrain and --tool-calls native")

    @property
    def writes_json(self) -> bool:
        """Whether the model writes JSON from the start."""
        return self.tool_calling is ToolCalling.JSON or self.constraint is not Constraint.NONE

    def speech_to(self, follower: str) -> SpeechKind:
        """Return how a Commander speaks to the Follower of this name."""
        takes_clicks = follower in ("rule", "random")  # which understand no more, or nothing
        usual = SpeechKind.TELL if takes_clicks else SpeechKind.WORDS
        if self.speech is None or self.speech is usual:
            return usual
        if takes_clicks:
            why = f"the Follower {follower} understands no free words"
            fix = "name --follower listener or llm, or leave out --speech words"
        else:
            why = f"the Follower {follower} takes free words, not actions with clicks"
            fix = "name --follower rule, or leave out --speech tell"
        raise BadInput(why, where="--speech", fix=fix)

    def to_options(self) -> tuple[tuple[str, str | int | float], ...]:
        """Return what a record says of it; `from_options` reads it."""
        numbers = ((name, getattr(self, name)) for name in _NUMBERS)
        speech = () if self.speech is None else ((_SPEECH, self.speech.value),)
        tools = (_TOOL_CALLING, self.tool_calling.value)
        warm = ((_TEMPERATURE, self.temperature),) if self.temperature else ()
        held = (_CONSTRAINT, self.constraint.value)
        how = (held,) if self.constraint is not Constraint.NONE else ()
        flags = ((name, 1) for name in _FLAGS if getattr(self, name))
        plain = ((f"model_{name}", number) for name, number in numbers)
        return (*plain, tools, *speech, *warm, *how, *flags)

    @staticmethod
    def from_options(options: Mapping[str, object]) -> "ModelPlay":
        """Return what the options of a record say, with defaults for what they leave out."""
        keys = {f"model_{name}": name for name in _NUMBERS}
        found = {keys[key]: as_count(options[key], key) for key in keys if key in options}
        tools = read_choice(options, _TOOL_CALLING, ToolCalling) or ToolCalling.AUTO
        speech = read_choice(options, _SPEECH, SpeechKind)
        warm = as_number(options.get(_TEMPERATURE, 0), _TEMPERATURE)
        held = read_choice(options, _CONSTRAINT, Constraint) or Constraint.NONE
        flags = {name: as_count(options.get(name, 0), name) > 0 for name in _FLAGS}
        play = ModelPlay(speech=speech, tool_calling=tools, temperature=warm)
        return replace(play, constraint=held, **flags, **found)


_NUMBERS = ("calls", "tokens", "context_tokens", "answer_tokens", "seed")
_TOOL_CALLING, _SPEECH, _TEMPERATURE = "tool_calls", "speech", "model_temperature"
_CONSTRAINT, _FLAGS = "constrain", ("list_calls", "thoughts", "probes")


def read_choice(options: Mapping[str, object], name: str, known: type[Name]) -> Name | None:
    """Return what the options of a record choose among these; None for nothing, or a FieldError."""
    if options.get(name) is None:
        return None
    return known(get_choice(options, name, list(known)))
