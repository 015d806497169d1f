"""The command that installs an optional dependency, for the messages that ask for one.

The distribution is called `tatc-agents` and is on no package index, where `tatc` is
another project; so no command installs either by name.  Each module of tatc imports this one with
its errors, so what only a message needs is imported when it is written.
"""

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import Distribution

DISTRIBUTION_NAME = "tatc-agents"

CONFLICTING_EXTRAS = {"openenv": "mcp"}
"""Extras that need an environment of their own, each with the extra that it conflicts with."""

_EXTRA_MARKER = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")


def install_advice(extra: str, package: str) -> str:
    """Return what to do where a package of an extra is missing, with the command."""
    command = install_command(extra, package)
    if (other := CONFLICTING_EXTRAS.get(extra)) is None:
        return f"run: {command}"
    return (
        f"in an environment of its own, because it conflicts with the extra {other}, run: {command}"
    )


def install_command(extra: str, package: str) -> str:
    """Return a shell command that installs an extra.

    Where tatc was installed from a checkout that is still there, the command installs
    the checkout again, with the extra.  Otherwise it installs what the extra requires, by
    the metadata of the installed distribution.  Where tatc is not installed at all (it is
    on `PYTHONPATH`), it installs `package` alone.  The Python is this one, or the one that is
    found first where the extra needs an environment of its own.
    """
    from importlib.metadata import PackageNotFoundError, distribution

    python = "python" if extra in CONFLICTING_EXTRAS else sys.executable
    pip_install = partial(_pip_install, python)
    try:
        installed = distribution(DISTRIBUTION_NAME)
    except PackageNotFoundError:
        return pip_install(package)
    checkout = _checkout_words(installed)
    if checkout:
        return pip_install(*checkout[:-1], f"{checkout[-1]}[{extra}]")
    return pip_install(*(_requirements_of(installed, extra) or [package]))


def _pip_install(python: str, *words: str) -> str:
    import shlex

    return shlex.join([python, "-m", "pip", "install", *words])


def _checkout_words(installed: "Distribution") -> list[str]:
    """Return what pip was given to install a checkout (PEP 610), its folder last.

    Empty if it was installed from elsewhere, or the folder is gone.
    """
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


def _requirements_of(installed: "Distribution", extra: str) -> list[str]:
    """Return the requirements of an extra, without their markers."""
    split = (line.partition(";") for line in installed.requires or ())
    return [
        requirement.strip()
        for requirement, _, marker in split
        if extra in _EXTRA_MARKER.findall(marker)
    ]
