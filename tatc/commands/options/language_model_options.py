"""The options that say which language model is asked, and how much of what may be sent there."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tatc.base.errors import BadInput, MissingExtra, UnknownName
from tatc.commands.options.shared_options import model_field
from tatc.commands.text.output import help_words, print_json, print_line

if TYPE_CHECKING:
    from tatc.language.llm import ModelSettings
    from tatc.session.agents.session_setup import SessionSetup
    from tatc.session.model_play_settings import ModelPlay


@dataclass(frozen=True, slots=True)
class LanguageModelOptions:
    """A model behind an OpenAI-compatible endpoint: it plays agents."""

    model: str | None = model_field(None)
    base_url: str | None = model_field(None)
    max_tokens: int = model_field(10_000_000, min=1)
    answer_tokens: int | None = model_field(None, min=16)
    temperature: float = model_field(0.0, min=0, max=2)
    model_seed: int = model_field(1)
    timeout: float = model_field(60.0, min=0.1, max=86_400)  # a timer cannot wait for ever
    max_seconds: float = model_field(21_600.0, min=0.1)
    answers: Path | None = model_field(None)
    offline: bool = model_field(False, "--offline")
    call_log: Path | None = model_field(None)
    dry_run: bool = model_field(False, "--dry-run")
    yes: bool = model_field(False, "--yes")

    def settings(
        self, model: str | None = None, base_url: str | None = None
    ) -> "ModelSettings | None":
        """Return the model's settings, None for no model.

        `model` and `base_url` are those that agents name; options that name others go before.
        """
        model, base_url = self.model or model, self.base_url or base_url
        if model is None:
            if self != LanguageModelOptions():
                raise BadInput("there is no model to ask", fix="name one with --model")
            return None
        if base_url is None:
            fix = "name it with --base-url, such as http://localhost:8080/v1"
            raise BadInput("the endpoint of --model is missing", fix=fix)
        from tatc.language.llm import CallLimits, ModelSettings

        found = ModelSettings(
            model,
            base_url,
            self.model_seed,
            timeout_seconds=self.timeout,
            cache=None if self.answers is None else str(self.answers),
            offline=self.offline,
            log=None if self.call_log is None else str(self.call_log),
            limits=CallLimits(tokens=self.max_tokens, seconds=self.max_seconds),
            temperature=self.temperature,
        )
        found.validate()
        return found

    def check_processes(self, workers: int, *, plays: bool = True) -> None:
        """Check that one process alone asks the model, if it `plays` an agent."""
        if self.model is not None and plays and workers > 1:
            why = "one process asks the model, because --max-tokens is counted there"
            raise BadInput(why, fix="leave out --workers")

    def allow_sending(self, settings: "ModelSettings") -> None:
        """Check that the model can be asked, and ask before dialogue leaves this machine."""
        if self.offline:
            return
        MissingExtra.check("llm", "openai", "httpx2")
        if settings.is_loopback or self.yes:
            return
        why = f"dialogue would leave this machine, for {settings.host}"
        if not _is_person_there():
            raise BadInput(why, fix="give --yes if that is meant")
        if not typer.confirm(f"Send dialogue to {settings.host}?", err=True):
            raise BadInput(why, fix="name an endpoint on this machine, or give --offline")

    def prepare(self, *setups: "SessionSetup") -> None:
        """Check, before sessions of these setups start, that their models can be asked."""
        from tatc.session.agents.session_setup import models_that_play

        asked = dict.fromkeys(m for setup in setups for m in models_that_play(setup))
        if not asked:
            if self.model is not None:
                why = "no agent is played by a model"
                raise BadInput(why, where="--model", fix="name an agent llm, or leave it out")
            return
        from tatc.language.llm import chat_client
        from tatc.session.model_play_settings import ToolCalling
        from tatc.session.text_world.tools import follower_tools

        for model in {each.host: each for each in asked}.values():
            self.allow_sending(model)
        how = setups[0].play.tool_calling
        tools = () if setups[0].play.writes_json else (follower_tools()[-1].schema(),)
        for model in asked:
            chat_client(model).check_endpoint(tools, needs_tools=how is ToolCalling.NATIVE)


def _is_person_there() -> bool:
    return sys.stdin.isatty()


@dataclass(frozen=True, slots=True)
class ModelPlayOptions:
    """How the model plays the agents named llm."""

    commander_base_url: str | None = model_field(None)
    follower_base_url: str | None = model_field(None)
    session_tokens: int = model_field(2_000_000, min=1)
    max_calls: int = model_field(300, min=1)
    context_tokens: int = model_field(8_000, min=1_000)
    tool_calls: str = model_field("auto")
    constrain: str = model_field("none")
    list_calls: bool = model_field(False, "--list-calls")
    thoughts: bool = model_field(False, "--thoughts")
    speech: str | None = model_field(None)
    probes: bool = model_field(False, "--probes")

    def settings(
        self, asked: LanguageModelOptions, commanders: Sequence[str], followers: Sequence[str]
    ) -> "ModelSettings | None":
        """Return how models are asked, of which some are named or placed with their agents."""
        from tatc.home.actions import Role
        from tatc.session.agents.agent_names import is_model_agent, model_in_agent_name

        own = {Role.COMMANDER: self.commander_base_url, Role.FOLLOWER: self.follower_base_url}
        played = {Role.COMMANDER: commanders, Role.FOLLOWER: followers}
        names = {role: [*filter(is_model_agent, each)] for role, each in played.items()}
        if strange := [role for role, url in own.items() if url and not names[role]]:
            why = f"no {strange[0].name.title()} is played by a model"
            fix = f"name the agent llm, or leave out --{strange[0].name.lower()}-base-url"
            raise BadInput(why, fix=fix)
        models = [model_in_agent_name(name) for each in names.values() for name in each]
        urls = [own[role] for role in Role if names[role]]
        base = urls[0] if urls and all(urls) else None
        found = asked.settings(next(filter(None, models), None), base)
        if found is not None:
            found = replace(found, agent_urls=tuple((r, url) for r, url in own.items() if url))
            found.validate()
        return found

    def applied_to(self, setup: "SessionSetup", asked: LanguageModelOptions) -> "SessionSetup":
        """Return a setup whose models are asked, and play, as these options say."""
        model = self.settings(asked, [setup.commander], [setup.follower])
        return replace(setup, model=model, play=self.play(asked))

    def play(self, asked: LanguageModelOptions) -> "ModelPlay":
        """Return how models play that are asked so."""
        from tatc.session.model_play_settings import Constraint, ModelPlay, SpeechKind, ToolCalling

        member = UnknownName.member
        return ModelPlay(
            calls=self.max_calls,
            tokens=self.session_tokens,
            answer_tokens=asked.answer_tokens or ModelPlay().answer_tokens,
            seed=asked.model_seed,
            temperature=asked.temperature,
            context_tokens=self.context_tokens,
            constraint=member("constraint", self.constrain, Constraint),
            tool_calling=member("tool calling", self.tool_calls, ToolCalling),
            list_calls=self.list_calls,
            thoughts=self.thoughts,
            speech=None if self.speech is None else member("speech", self.speech, SpeechKind),
            probes=self.probes,
        )


@dataclass(frozen=True, slots=True)
class RecordedAnswersOptions:
    """Answers of a model that a record holds."""

    answers_from: Path | None = model_field(None)
    pin: int | None = model_field(None, min=0)


def _largest_request_tokens(play: "ModelPlay") -> int:
    """Return about the most tokens of a request: the context, and the tools beside it."""
    from tatc.language.llm.chat_request import estimate_tokens
    from tatc.session.text_world.tools import commander_tools, follower_tools

    sides = (follower_tools(), commander_tools())
    tools = (json.dumps([each.schema() for each in specs]) for specs in sides)
    return play.context_tokens + max(map(estimate_tokens, tools))


def print_play_estimate(setup: "SessionSetup", sessions: int, *, as_json: bool) -> None:
    """Print about how many tokens sessions have at most for the models that play in them."""
    from tatc.session.agents.agent_names import is_model_agent
    from tatc.session.text_world.probes import MAX_PROBES

    play = setup.play
    agents = sum(map(is_model_agent, (setup.commander, setup.follower)))
    calls = sessions * agents * (play.calls + MAX_PROBES * play.probes)
    found = {
        "dry_run": True,
        "sessions": sessions,
        "calls_at_most": calls,
        "request_tokens_at_most": calls * _largest_request_tokens(play),
        "answer_tokens_at_most": calls * play.answer_tokens,
        "session_tokens": play.tokens,
        "max_tokens": 0 if setup.model is None else setup.model.limits.tokens,
    }
    if as_json:
        print_json(found)
        return
    for line in help_words()["notes"]["estimate_of_play"]:
        print_line(line.format_map(found))
