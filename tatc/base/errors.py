"""Every error tatc raises on purpose.

What can happen in a kitchen is never an exception but a value with a reason (`ActionResult`,
`SessionEnd`).  Each message says in one line what is wrong, where, and how to mend it.  `cli.py`
alone catches these; it exits with status 3 for an `AgentCrash` and with 2 for all others.
"""

import re
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from difflib import get_close_matches
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import Distribution

Kind = TypeVar("Kind", bound=StrEnum)
_MAX_WHAT = 600  # characters; what a file holds may be quoted, and may be long
_MAX_NAME = 100  # characters of a name that is compared with others

DISTRIBUTION_NAME = "tatc-agents"
"""It is on no package index, where `tatc` is another project: no command installs it by name."""
CONFLICTING_EXTRAS = {"openenv": "mcp"}
"""Extras that need an environment of their own, each with the extra that it conflicts with."""
_EXTRAS = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")


class TatcError(Exception):
    """An expected failure: `what` is wrong, `where` it is, and the `fix`."""

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        """Store the three parts; the message joins those that are given."""
        if len(what) > _MAX_WHAT:
            what = f"{what[: _MAX_WHAT // 2]}...{what[-100:]}"
        self.what, self.where, self.fix = what, where, fix
        message = f"{where}: {what}" if where else what
        super().__init__(f"{message} ({fix})" if fix else message)

    def reword(self, change: Callable[[str], str]) -> None:
        """Change the words of each part."""
        TatcError.__init__(self, change(self.what), where=change(self.where), fix=change(self.fix))

    @property
    def one_line(self) -> str:
        """The whole message on one line, whatever its parts hold."""
        return " ".join(str(self).split())


class BadInput(TatcError):
    """A file, a folder or an argument is wrong."""


class UnsavableText(BadInput):
    """A text has half of a surrogate pair, which no file can hold."""

    def __init__(self, text: str) -> None:
        """Show the text."""
        why = f"has half of a surrogate pair, which no file can hold: {text!a:.80}"
        super().__init__(why, where="text", fix="leave it out")


class UnknownName(BadInput):
    """A name is not among those that exist; close ones are offered."""

    def __init__(
        self, noun: str, name: str, known: Iterable[str], *, where: str = "", fix: str
    ) -> None:
        """Name the unknown `noun`; `fix` names the command that lists the known ones."""
        offer = " or ".join(map(repr, _close_names(name, known)))
        hint = f"did you mean {offer}? {fix}" if offer else fix
        super().__init__(f"unknown {noun} {name!r}", where=where, fix=hint)

    @classmethod
    def check(cls, noun: str, name: object, known: Iterable[str]) -> None:
        """Raise it if a name is none of a few, two or more, which the fix lists."""
        *others, last = names = [*map(str, known)]
        if name not in names:
            raise cls(noun, str(name), names, fix=f"name {', '.join(others)} or {last}")

    @classmethod
    def member(cls, noun: str, name: str, kinds: type[Kind]) -> Kind:
        """Return the member of an enumeration that a name means, or raise it."""
        cls.check(noun, name, kinds)
        return kinds(name)


def _close_names(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three known names that may be meant, the closest first.

    A name that differs in case, dashes, underscores and spaces alone is offered alone.
    """

    def letters_and_digits(name: str) -> str:
        plain = "".join(each for each in name.lower() if each.isalnum())
        return re.sub(r"(?<!\d)0+(?=\d)", "", plain)  # kitchen-1 is kitchen-01

    plain = {letters_and_digits(str(each)): str(each) for each in known}
    typed = letters_and_digits(str(name)[:_MAX_NAME])
    if typed in plain:
        return [plain[typed]]
    return [plain[near] for near in get_close_matches(typed, plain, n=3)]


class ParameterError(BadInput):
    """Task parameters do not fit the task or the room."""


class TaskFormatError(BadInput):
    """A task definition file has a fault; `where` names file and field."""


class GameFormatError(BadInput):
    """A game file has a fault; `where` names file and field."""


class RoomFormatError(BadInput):
    """A room file has a fault; `where` names file and field."""


class MapFormatError(BadInput):
    """A recorded map file has a fault; `where` names file and field."""


class OutputError(TatcError):
    """A file cannot be written."""


class MissingExtra(TatcError, ModuleNotFoundError):
    """An optional dependency is not installed; `name` is the package that is missing."""

    def __init__(self, extra: str, package: str) -> None:
        """Name the extra and the command that installs it."""
        why = f"this needs {package} (extra {extra}), which is not installed"
        super().__init__(why, fix=install_advice(extra, package))
        self.name = package

    @classmethod
    def module(cls, extra: str, name: str, package: str = "") -> Any:
        """Import a module of an extra and return it; its package may be named otherwise."""
        try:
            return import_module(name)
        except ImportError as fault:
            raise cls(extra, package or name) from fault

    @classmethod
    def check(cls, extra: str, *packages: str) -> None:
        """Raise this error unless an extra's packages, by their import names, are installed."""
        for package in packages:
            if find_spec(package) is None:
                raise cls(extra, package)


class MissingProgram(TatcError):
    """A program that tatc can call, but does not bring, is not installed."""

    def __init__(self, program: str, fix: str) -> None:
        """Name the program and what to do without it."""
        super().__init__(f"this needs {program}, which was not found", fix=fix)


class AgentCrash(TatcError):
    """An agent raised an error; `where` is its file and line, the cause what it raised."""


class PolicyError(AgentCrash):
    """A subgoal policy returned something that is no plan; `where` is its file and line."""


class ModelRefusal(TatcError):
    """An endpoint refuses every such request: no such model, no valid key, a wrong address."""


class ModelFailure(TatcError):
    """A language model gives no answer this time, or the limits of calls are reached."""


class BudgetSpent(ModelFailure):
    """The limits of calls, tokens or seconds are reached, and nothing was sent."""


class RejectedRequest(ModelFailure):
    """An endpoint does not take this request: too long, or with what its model does not support."""


class ThorError(TatcError):
    """AI2-THOR cannot be started, has died, or does not answer."""


class UsageError(TatcError):
    """The Python API was called out of order, such as a step before a reset."""


@contextmanager
def os_errors_as(error: type[TatcError], what: str, path: Path, *, fix: str) -> Generator[None]:
    """Turn an OSError of the block into an `error` about a path: "cannot be made: File exists"."""
    try:
        yield
    except OSError as fault:
        raise error(f"{what}: {fault.strerror or fault}", where=str(path), fix=fix) from fault


def install_advice(extra: str, package: str) -> str:
    """Return what to do where a package of an extra is missing, with the command."""
    command = install_command(extra, package)
    if (other := CONFLICTING_EXTRAS.get(extra)) is None:
        return f"run: {command}"
    why = f"because it conflicts with the extra {other}"
    return f"in an environment of its own, {why}, run: {command}"


def install_command(extra: str, package: str) -> str:
    """Return a shell command that installs an extra.

    Where tatc was installed from a checkout that is still there, the command installs
    the checkout again, with the extra.  Otherwise it installs what the extra requires, by
    the metadata of the installed distribution.  Where tatc is not installed at all (it is
    on `PYTHONPATH`), it installs `package` alone.  The Python is this one, or the one that is
    found first where the extra needs an environment of its own.
    """
    # All of tatc imports this module: what only a message needs is imported when it is written.
    import shlex
    from importlib.metadata import PackageNotFoundError, distribution

    python = "python" if extra in CONFLICTING_EXTRAS else sys.executable
    words = [package]
    try:
        installed = distribution(DISTRIBUTION_NAME)
    except PackageNotFoundError:
        pass
    else:
        if checkout := _checkout_words(installed):
            words = [*checkout[:-1], f"{checkout[-1]}[{extra}]"]
        else:
            lines = (line.partition(";") for line in installed.requires or ())
            needed = [name.strip() for name, _, mark in lines if extra in _EXTRAS.findall(mark)]
            words = needed or words
    return shlex.join([python, "-m", "pip", "install", *words])


def _checkout_words(installed: "Distribution") -> list[str]:
    """Return what pip installed a checkout by (PEP 610), its folder last; empty for none."""
    import json
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    origin: dict[str, Any] = json.loads(installed.read_text("direct_url.json") or "{}")
    if "dir_info" not in origin:
        return []
    folder = url2pathname(urlsplit(str(origin["url"])).path)
    if not Path(folder, "pyproject.toml").exists():
        return []
    return ["-e", folder] if origin["dir_info"].get("editable") else [folder]
