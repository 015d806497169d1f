"""How a session is run, as a user names it, and the agents of such a setup, found once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from os.path import isfile  # unlike Path's, it bears a name that is too long
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tatc.base import arguments, plain_text
from tatc.base.errors import BadInput, UnknownName
from tatc.commander import Commander
from tatc.follower import Follower
from tatc.home.actions import Role
from tatc.home.agent_traits import traits_of
from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session import model_play_settings, session_types, start, worlds
from tatc.session.agents import agents, settings as setting_table
from tatc.session.agents.agent_names import MODEL_AGENT, is_model_agent, model_in_agent_name
from tatc.sim.protocol import DEFAULT_BUILD, ThorBuild

if TYPE_CHECKING:
    from tatc.language.llm import ChatClient, ModelSettings
    from tatc.session.text_world.model_agents import RecordedAnswers


@dataclass(frozen=True, slots=True)
class SessionSetup:
    """How a session is run, as a user names it; `tatc.session.agents.settings` has the table."""

    floor_map: str = worlds.SHIPPED_MAP
    """`SHIPPED_MAP`, `MAP_FROM_BOXES`, or the path of a map file."""
    commander: str = "rule"  # a name, or `module:Class`
    follower: str = "rule"  # a name, or `module:Class`
    noise: float = 0.0
    """The probability with which each of the Follower's primitives is made to fail."""
    wording: str = Wording.ACTIONS  # the grain at which the Commander speaks
    sim: str = worlds.EMBEDDED_WORLD  # `EMBEDDED_WORLD` or `THOR_WORLD`
    thor: ThorBuild = DEFAULT_BUILD  # the build that `THOR_WORLD` runs
    agents_from: agents.AgentsFromFile | None = None
    """Which file named the agents; None if the user did."""
    perception: PerceptionLevel | None = None
    """The level at which the Follower perceives; `resolve_agents` fills it in for one that does."""
    language: start.AnnotatedLanguage | None = None
    """What of ALFRED's annotation is read out in place of a Commander, None for nothing."""
    settings: setting_table.Settings = ()
    """What the user said of the settings that the agents take; a session does not read them."""
    model: "ModelSettings | None" = None  # the language model that plays the agents named `llm`
    play: model_play_settings.ModelPlay = field(default_factory=model_play_settings.ModelPlay)
    """How a language model plays."""
    recorded_answers: "RecordedAnswers | None" = None  # the answers that it gave in a record

    def __post_init__(self) -> None:
        """Refuse a map that is no name or path, and a noise that is no probability."""
        object.__setattr__(self, "floor_map", arguments.check_text(self.floor_map, "--map"))
        object.__setattr__(self, "noise", arguments.check_share(self.noise, "noise"))

    @property
    def has_model_agent(self) -> bool:
        """Whether a language model plays an agent."""
        return is_model_agent(self.commander) or is_model_agent(self.follower)

    def get(self, name: str) -> Any:
        """Return the value of a setting, None where it was not given."""
        if name in setting_table.FIELD_NAMES:
            return getattr(self, name)
        return dict(self.settings).get(name)

    def with_settings(self, **values: Any) -> "SessionSetup":
        """Return the setup with other values of settings, None for none."""
        named = {name: value for name, value in values.items() if name in setting_table.FIELD_NAMES}
        others = {k: value for k, value in values.items() if k not in setting_table.FIELD_NAMES}
        return replace(
            self, **named, settings=setting_table.given_settings({**dict(self.settings), **others})
        )


SETUP_DEFAULTS: Mapping[str, Any] = {
    name: SessionSetup().get(name) for name in setting_table.SETTINGS
}
"""What a setup holds of each setting where the user says nothing."""


def recorded_settings(setup: SessionSetup) -> tuple[tuple[str, Any], ...]:
    """Return the settings that a record names: those that differ from their defaults."""
    cut = plain_text.PathShortener.of(()).shorten  # a checkpoint's file, without its folders
    values = [
        (each, setup.get(each.name)) for each in setting_table.settings_in_order() if each.in_record
    ]
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
            found |= setting_table.identity_json(setup.settings)
        elif each.name != "recorded_answers":  # no run has any
            found[each.name] = whole[each.name]
    return found


CommanderArgument = str | Commander | Callable[[], Commander]
"""A name or `module:Class`, an instance, or what makes one without arguments (a class too)."""
FollowerArgument = str | Follower | Callable[[], Follower]  # the same for a Follower


@dataclass(frozen=True, slots=True)
class AgentOverrides:
    """What makes agents in place of those that a setup names; None keeps the setup's agent."""

    commander: Callable[[], Commander] | None = None
    follower: Callable[[], Follower] | None = None


NO_OVERRIDES = AgentOverrides()  # both agents are those that the setup names


@dataclass(frozen=True, slots=True)
class ResolvedAgents:
    """What makes the agents of a setup, whose `perception` is the level of its Follower."""

    setup: SessionSetup
    make_commander: Callable[[], Commander]
    make_follower: Callable[[], Follower]

    def make(self) -> tuple[Commander, Follower]:
        """Return the two agents, for one session; an error in their making is an AgentCrash."""
        with session_types.crashes_blamed_on(Role.COMMANDER):
            commander = self.make_commander()
            traits_of(commander)  # they may raise, too
        with session_types.crashes_blamed_on(Role.FOLLOWER):
            follower = self.make_follower()
            level_for_follower(self.setup.perception, follower, self.setup.follower)
        return commander, follower


def resolve_agents(setup: SessionSetup, overrides: AgentOverrides = NO_OVERRIDES) -> ResolvedAgents:
    """Find the agents of a setup, and check that they take the settings that it has for them."""
    if setup.agents_from is not None:
        setup.agents_from.check(setup.commander, setup.follower)
    make_commander = find_commander(setup, overrides)
    make_follower = find_follower(setup, overrides)
    level = level_for_follower(setup.perception, make_follower, setup.follower)
    if level is not None and setup.sim != worlds.EMBEDDED_WORLD:
        why = f"{setup.follower} perceives in tatc's own world alone"
        raise BadInput(why, fix="leave out --sim, or name another --follower")
    return ResolvedAgents(replace(setup, perception=level), make_commander, make_follower)


def find_commander(setup: SessionSetup, overrides: AgentOverrides) -> Callable[[], Commander]:
    """Return what makes the Commander of a setup."""
    if overrides.commander is None:
        make = agents.commander_factory(setup.commander, setup.wording)
    elif setup.wording != Wording.ACTIONS:
        why = f"a wording is for the rule Commander, not for {setup.commander}"
        raise BadInput(why, fix="leave out wording, or give the class's instance its own")
    else:
        make = overrides.commander
    if is_model_agent(setup.commander):
        speech = setup.play.speech_to(setup.follower)
        make = partial(_model_player(make, Role.COMMANDER, setup), speech=speech)
    return with_settings(make, Role.COMMANDER, setup)


def find_follower(
    setup: SessionSetup, overrides: AgentOverrides = NO_OVERRIDES
) -> Callable[[], Follower]:
    """Return what makes the Follower of a setup, whoever commands it."""
    make = overrides.follower or agents.follower_factory(setup.follower)
    make, goals = with_settings(make, Role.FOLLOWER, setup), setup.get("goals")
    if is_model_agent(setup.follower):
        if goals is not None:
            agents.check_recalls(make, setup.follower, setting_table.SETTINGS["goals"].option)
        return _model_player(make, Role.FOLLOWER, setup)
    return with_reading(make, setup.follower, goals, directives=setup.language is not None)


def with_person(setup: SessionSetup) -> SessionSetup:
    """Return a setup whose Follower talks as with a person, if it can and nothing else was said."""
    make = agents.follower_factory(setup.follower)
    if setup.get("talk") is not None or "talk" not in traits_of(make).settings:
        return setup
    return setup.with_settings(talk="person")


def check_goals(file: str | None) -> None:
    """Check that a file of named goals exists and can be read; None stands for no file."""
    if file is None:
        return
    from tatc.language.understanding.named_goals import read_goals

    if not isfile(file):
        fix = "make one with `tatc understand DIALOGUE --goals FILE --remember`"
        raise BadInput("there is no such memory", where=file, fix=fix)
    read_goals(Path(file))


def with_reading(
    make: Callable[..., Follower], name: str, goals_file: str | None, *, directives: bool = False
) -> Callable[[], Follower]:
    """Return what makes a Follower that reads dialogue with named goals.

    With `directives`, what it hears are
    those of ALFRED's annotators, which a Follower that takes a reader reads as such.
    """
    if goals_file is None and not (directives and traits_of(make).reads):
        return make
    # Here, because a lexicon takes long to import.
    from tatc.language.understanding import understand
    from tatc.language.understanding.alfred.directive_goal import DirectiveReader
    from tatc.language.understanding.named_goals import read_goals

    if goals_file is None:
        return partial(make, read=DirectiveReader())
    agents.check_recalls(make, name, setting_table.SETTINGS["goals"].option)
    return partial(make, read=partial(understand, memory=read_goals(Path(goals_file))))


def with_settings(make: Callable[..., Any], role: Role, setup: SessionSetup) -> Callable[[], Any]:
    """Return what makes an agent with the settings of its role, which it has to take."""
    values, name = dict(setup.settings), setup.get(role.name.lower())
    given = {
        each.name: values[each.name]
        for each in setting_table.agent_settings()
        if each.is_argument and each.role is role and each.name in values
    }
    for setting in given.keys() - set(traits_of(make).settings):
        each = setting_table.SETTINGS[setting]
        why = each.lacking or f"the {role.name.title()} {{}} takes no such setting"
        where = ", ".join(mate.option for mate in setting_table.group_of(each))
        raise BadInput(why.format(name), where=where, fix=each.fix)
    return partial(make, **given) if given else make


def agent_name(agent: object) -> str:
    """Return how a record names an agent: its name, or `module:Class`."""
    if isinstance(agent, str):
        return agent
    made_of = _made_of(agent)
    return f"{made_of.__module__}:{made_of.__qualname__}"


def _made_of(agent: Any) -> Any:
    """Return the class or the function that makes an agent."""
    is_partial: bool = isinstance(agent, partial)
    made_of: Any = agent.func if is_partial else agent
    return made_of if hasattr(made_of, "__qualname__") else cast(Any, type(agent))


def agent_maker(agent: Any, noun: str) -> Callable[[], Any] | None:
    """Return what makes an agent, None for a name; an instance makes itself for each session."""
    if isinstance(agent, str):
        return None
    if _is_agent(agent):
        return agent if isinstance(agent, type) else _AgentMaker(lambda: agent, agent)
    if isinstance(agent, type) or not callable(agent):
        raise _no_agent(agent, noun)

    def make() -> Any:
        made: object = agent()
        if not _is_agent(made):
            raise _no_agent(made, noun)
        return made

    return _AgentMaker(make, agent)


def names_of_agents(
    given: Sequence[Any], noun: str
) -> tuple[list[str], dict[str, Callable[[], Any]]]:
    """Return the names of agents, and what makes those that other processes cannot find by name."""
    names, makers = list[str](), dict[str, Callable[[], Any]]()
    for agent in given:
        make, name = agent_maker(agent, noun), agent_name(agent)
        if make is not None and not (isinstance(agent, type) and _is_importable(name, agent)):
            if name in names:
                fix = "give classes of modules, each with a name of its own"
                raise BadInput("is the name of two agents", where=name, fix=fix)
            makers[name] = make
        names.append(name)
    return names, makers


def _is_importable(name: str, agent: type) -> bool:
    if name.startswith("__main__:") or "<locals>" in name:
        return False
    try:
        return agents.import_target(name) is agent
    except BadInput:
        return False


class _AgentMaker:
    """Makes an agent without arguments, and has the traits of what it was given."""

    def __init__(self, make: Callable[[], Any], agent: Any) -> None:
        self._make = make
        self.made_of = _made_of(agent)
        # Whatever its class takes: it is made already, or by a function of the user's.
        self.traits = replace(traits_of(agent), settings=(), reads=False, recalls_names=False)

    def __call__(self) -> Any:
        return self._make()


def _is_agent(given: object) -> bool:
    return all(callable(getattr(given, name, None)) for name in ("begin", "act"))


def _no_agent(given: object, noun: str) -> BadInput:
    return BadInput(
        f"is no {noun}: it lacks `begin` or `act`",
        where=agent_name(given),
        fix="give a name, a class, a function that makes one, or an instance",
    )


def parse_perception_level(text: str | None) -> PerceptionLevel | None:
    """Return the level of this name; None for None."""
    if text is None or text in list(PerceptionLevel):
        return None if text is None else PerceptionLevel(text)
    fix = "name truth or masks"
    if text == "frames":
        why = "perception from frames needs a detector of objects in RGB images, and tatc has none"
        raise BadInput(why, where="--perception", fix=fix)
    raise UnknownName("perception level", text, (*PerceptionLevel,), fix=fix)


def level_for_follower(
    level: PerceptionLevel | None, made: Any, name: str
) -> PerceptionLevel | None:
    """Return the level at which a Follower (or what makes it) perceives.

    By default that is `TRUTH`, unless its traits say `masks_only`.
    """
    traits = traits_of(made)
    if traits.masks_only and level is PerceptionLevel.TRUTH:
        why = f"the Follower {name} perceives masks alone, and cannot use the level truth"
        raise BadInput(why, where="--perception", fix="leave it out, or name masks")
    if traits.perceives:
        return level or (PerceptionLevel.MASKS if traits.masks_only else PerceptionLevel.TRUTH)
    if level is not None:
        why = f"the Follower {name} does not perceive: it uses no percepts"
        raise BadInput(why, where="--perception", fix="leave it out, or name another --follower")
    return None


def models_that_play(setup: SessionSetup) -> "tuple[ModelSettings, ...]":
    """Return the models that are asked to play an agent, each once."""
    if setup.model is None:
        return ()
    found = (
        setup.model.of_agent(role, model_in_agent_name(name))
        for role, name in {Role.COMMANDER: setup.commander, Role.FOLLOWER: setup.follower}.items()
        if is_model_agent(name)
    )
    return tuple(dict.fromkeys(found))


def with_model_for_players(setup: SessionSetup) -> SessionSetup:
    """Return the setup without its model if that plays neither agent."""
    return setup if setup.has_model_agent else replace(setup, model=None)


def _model_player(make: Callable[..., Any], role: Role, setup: SessionSetup) -> partial[Any]:
    from tatc.session.text_world.model_agents import ModelChooser

    name = setup.commander if role is Role.COMMANDER else setup.follower
    recorded = setup.recorded_answers
    client: ChatClient | None = None
    if setup.model is not None:
        from tatc.language.llm import chat_client

        settings = setup.model.of_agent(role, model_in_agent_name(name))
        client, model = chat_client(settings), settings.model
    elif recorded is not None:
        model = next((call.model for call in recorded.of(role)), MODEL_AGENT)
    else:
        why = f"the {role.name.title()} {name} needs a model to ask"
        raise BadInput(why, fix="name it with --model, and its endpoint with --base-url")
    return partial(make, partial(ModelChooser, role, model, client, setup.play, recorded))
