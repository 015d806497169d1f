"""How a session is run, as a user names it: one value for commands, runs and records."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from tatc.base.plain_text import PathShortener
from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session.agents.agent_names import is_model_agent
from tatc.session.agents.agents import AgentsFromFile
from tatc.session.agents.settings import (
    FIELD_NAMES,
    SETTINGS,
    Settings,
    given_settings,
    identity_json,
    settings_in_order,
)
from tatc.session.directives import AnnotatedLanguage
from tatc.session.model_play import ModelPlay
from tatc.session.worlds import EMBEDDED_WORLD, MAP_FROM_BOXES
from tatc.sim.protocol import DEFAULT_BUILD, ThorBuild

if TYPE_CHECKING:
    from tatc.language.llm import ModelSettings
    from tatc.session.text_world.models.model_chooser import RecordedAnswers


@dataclass(frozen=True, slots=True)
class SessionSetup:
    """How a session is run, as a user names it; `tatc.session.agents.settings` has the table."""

    floor_map: str = MAP_FROM_BOXES
    """`MAP_FROM_BOXES`, or the path of a map file."""
    commander: str = "rule"
    """A name, or `module:Class`."""
    follower: str = "rule"
    """A name, or `module:Class`."""
    noise: float = 0.0
    """The probability with which each of the Follower's primitives is made to fail."""
    wording: str = Wording.ACTIONS
    """The grain at which the Commander speaks."""
    sim: str = EMBEDDED_WORLD
    """`EMBEDDED_WORLD` or `THOR_WORLD`."""
    thor: ThorBuild = DEFAULT_BUILD
    """The build that `THOR_WORLD` runs."""
    agents_from: AgentsFromFile | None = None
    """Which file named the agents; None if the user did."""
    perception: PerceptionLevel | None = None
    """The level at which the Follower perceives; `resolve` fills it in for one that does."""
    language: AnnotatedLanguage | None = None
    """What of ALFRED's annotation is read out in place of a Commander, None for nothing."""
    settings: Settings = ()
    """What the user said of the settings that the agents take; a session does not read them."""
    model: "ModelSettings | None" = None
    """The language model that plays the agents named `llm`, or else reads dialogue."""
    play: ModelPlay = field(default_factory=ModelPlay)
    """How a language model plays."""
    recorded_answers: "RecordedAnswers | None" = None
    """The answers that it gave in a record."""

    @property
    def has_model_agent(self) -> bool:
        """Whether a language model plays an agent."""
        return is_model_agent(self.commander) or is_model_agent(self.follower)

    def get(self, name: str) -> Any:
        """Return the value of a setting, None where it was not given."""
        return getattr(self, name) if name in FIELD_NAMES else dict(self.settings).get(name)

    def with_settings(self, **values: Any) -> "SessionSetup":
        """Return the setup with other values of settings, None for none."""
        named = {name: value for name, value in values.items() if name in FIELD_NAMES}
        others = {name: value for name, value in values.items() if name not in FIELD_NAMES}
        held = given_settings({**dict(self.settings), **others})
        return replace(self, **named, settings=held)


SETUP_DEFAULTS: Mapping[str, Any] = {name: SessionSetup().get(name) for name in SETTINGS}
"""What a setup holds of each setting where the user says nothing."""


def recorded_settings(setup: SessionSetup) -> tuple[tuple[str, Any], ...]:
    """Return the settings that a record names: those that differ from their defaults."""
    cut = PathShortener.of(()).shorten  # a checkpoint's file, without its folders
    values = [(each, setup.get(each.name)) for each in settings_in_order() if each.in_record]
    return tuple(
        (each.name, cut(value) if each.always_in_record else each.label(value))
        for each, value in values
        if each.always_in_record or value != SETUP_DEFAULTS.get(each.name)
    )


def setup_identity(setup: SessionSetup) -> dict[str, Any]:
    """Return a setup as the identity of a run has it, with the agents' settings spread out."""
    found: dict[str, Any] = {}
    whole = asdict(setup)
    for each in fields(setup):
        if each.name == "settings":
            found |= identity_json(setup.settings)
        elif each.name != "recorded_answers":  # no run has any
            found[each.name] = whole[each.name]
    return found
