"""The options that say which language model is asked, and how much of what may be sent there."""

import atexit
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

import typer

from tatc.base.errors import BadInput, MissingExtra
from tatc.commands.options.shared_options import model_field

if TYPE_CHECKING:
    from tatc.language.llm import ModelSettings
    from tatc.session.agents.session_setup import SessionSetup


@dataclass(frozen=True, slots=True)
class LanguageModelOptions:
    """A model behind an OpenAI-compatible endpoint: it plays an agent, or reads dialogue."""

    model: str | None = model_field(
        None,
        metavar="NAME",
        help="A language model (extra llm). It plays the agents named llm, if there are any; else "
        "it works out what the dialogue asks for, and where it fails, the lexicon does.",
    )
    base_url: str | None = model_field(
        None,
        metavar="URL",
        help="The OpenAI-compatible endpoint of --model, such as http://localhost:8080/v1. A key "
        "is taken from the environment variable OPENAI_API_KEY.",
    )
    max_tokens: int = model_field(
        500_000,
        min=1,
        metavar="N",
        help="The most tokens to send and receive. Then a session with an agent llm ends, and "
        "the lexicon reads dialogue.",
    )
    timeout: float = model_field(
        60.0, min=0.1, metavar="S", help="The seconds that the model may take for an answer."
    )
    max_seconds: float = model_field(
        21_600.0, min=0.1, metavar="S", help="The most seconds to wait for answers, all in all."
    )
    answers: Path | None = model_field(
        None,
        metavar="DIR",
        help="Where answers are kept, so that nothing is asked twice. Default: a folder in your "
        "cache folder.",
    )
    offline: bool = model_field(
        False, "--offline", help="Send nothing: take answers from --answers alone."
    )
    call_log: Path | None = model_field(
        None, metavar="FILE", help="Add a line for each call to this file, without words or key."
    )
    dry_run: bool = model_field(
        False,
        "--dry-run",
        help="Print about how many tokens the model would get, and send nothing.",
    )
    yes: bool = model_field(
        False, "--yes", help="Send dialogue to another machine without asking first."
    )

    def settings(self) -> "ModelSettings | None":
        """Return the model's settings, None if no model is named."""
        if self.model is None:
            if self != LanguageModelOptions():
                raise BadInput("there is no model to ask", fix="name one with --model")
            return None
        if self.base_url is None:
            fix = "name it with --base-url, such as http://localhost:8080/v1"
            raise BadInput("the endpoint of --model is missing", fix=fix)
        from tatc.language.llm import CallLimits, ModelSettings

        found = ModelSettings(
            self.model,
            self.base_url,
            timeout_seconds=self.timeout,
            cache=None if self.answers is None else str(self.answers),
            offline=self.offline,
            log=None if self.call_log is None else str(self.call_log),
            limits=CallLimits(tokens=self.max_tokens, seconds=self.max_seconds),
        )
        found.validate()
        return found

    def check_processes(self, workers: int, engine: str = "local", *, plays: bool = True) -> None:
        """Check that the processes that ask the model can keep to its limits together.

        Those of one machine can where the model reads dialogue; one that `plays` an agent is asked
        by one process.
        """
        if self.model is not None and ((plays and workers > 1) or engine != "local"):
            why = "one process asks the model, because --max-tokens is counted there"
            raise BadInput(why, fix="leave out --workers and --engine")

    def shared_settings(self, workers: int) -> "ModelSettings | None":
        """Return the model's settings, with a ledger that several processes share until the end."""
        found = self.settings()
        if found is None or workers == 1:
            return found
        file, path = mkstemp(prefix="tatc-spending-")
        os.close(file)
        atexit.register(Path(path).unlink, missing_ok=True)
        return replace(found, ledger=path)

    def allow_sending(self, settings: "ModelSettings") -> None:
        """Check that the model can be asked, and ask before dialogue leaves this machine.

        An endpoint on this machine needs no question.
        """
        if self.offline:
            return
        MissingExtra.check("llm", "openai", "httpx2")
        if self.yes or settings.is_loopback:
            return
        why = f"dialogue would leave this machine, for {settings.host}"
        if not _is_person_there():
            raise BadInput(why, fix="give --yes if that is meant")
        if not typer.confirm(f"Send dialogue to {settings.host}?", err=True):
            raise BadInput(why, fix="name an endpoint on this machine, or give --offline")

    def prepare(self, *setups: "SessionSetup") -> None:
        """Check, before sessions of these setups start, that their models can be asked.

        Raises:
            ModelRefusal: the endpoint has no such model, or refuses the key.
            ModelFailure: it does not answer.

        """
        from tatc.commands.options.model_reading import warn_on_stderr
        from tatc.session.agents.resolve import models_that_play

        used = next((each.model for each in setups if each.model is not None), None)
        if used is None:
            if self.model is not None:
                why = "no agent is played by a model"
                raise BadInput(why, where="--model", fix="name an agent llm, or leave it out")
            return
        self.allow_sending(used)
        warn_on_stderr(used)
        for model in dict.fromkeys(m for setup in setups for m in models_that_play(setup)):
            self.check_endpoint(model)

    def check_endpoint(self, settings: "ModelSettings") -> None:
        """Check that the endpoint answers, before many sessions rely on it.

        Raises:
            ModelRefusal: it has no such model, or refuses the key.
            ModelFailure: it does not answer.

        """
        from tatc.language.llm import ChatClient

        ChatClient(settings).check_endpoint()  # its own: this question is not part of the run


def _is_person_there() -> bool:
    return sys.stdin.isatty()
