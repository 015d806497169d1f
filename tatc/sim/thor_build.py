"""Which AI2-THOR a session runs in; a plain value, so that naming one imports no client."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ThorBuild:
    """Which AI2-THOR: a command line to start, a commit, or the client's own build."""

    executable: str | None = None
    commit: str | None = None


DEFAULT_BUILD = ThorBuild()
"""The build that the client itself fetches."""
