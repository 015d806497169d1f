"""Which code runs: a hash of the package's files, and its git commit."""

import subprocess
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

PACKAGE_FOLDER = Path(__file__).parents[1]


@lru_cache(maxsize=1)
def code_hash() -> str:
    """Return the first twelve hexadecimal digits of a hash of the package's source and data."""
    digest = sha256()
    for path in sorted(PACKAGE_FOLDER.rglob("*")):
        if path.suffix in (".py", ".json", ".pddl", ".zip"):
            digest.update(path.relative_to(PACKAGE_FOLDER).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def git_commit() -> str | None:
    """Return the commit of the package's checkout, with + if it has changed; None without one."""
    top = _git("rev-parse", "--show-toplevel")
    if top is None or Path(top) != PACKAGE_FOLDER.parent:
        return None
    head = _git("rev-parse", "--short=12", "HEAD")
    return f"{head}+" if head and _git("status", "--porcelain", "tatc") else head


def _git(*arguments: str) -> str | None:
    command = ["git", "-C", str(PACKAGE_FOLDER.parent), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
