"""tatc: TEACh's Two-Agent Task Completion with rule-based and learned agents.

`tatc.run`, `tatc.evaluate` and `tatc.load_game` are the Python API (`tatc.api`); they
are imported when they are first asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tatc.api import evaluate, load_game, run

__version__ = "0.1.0"

__all__ = ["__version__", "evaluate", "load_game", "run"]


def __getattr__(name: str) -> Any:
    """Import what the API offers when it is asked for."""
    if name not in ("evaluate", "load_game", "run"):
        raise AttributeError(f"module 'tatc' has no attribute {name!r}")
    from tatc import api

    return getattr(api, name)
