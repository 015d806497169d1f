"""tatc: TEACh's Two-Agent Task Completion, with rule-based and learned agents.

`tatc.run`, `tatc.evaluate`, `tatc.compare`, `tatc.compare_runs`, `tatc.blame` and `tatc.load_game`
are the Python API (`tatc.api`); each is imported when it is first used.
"""

from tatc.base.version import __version__

TYPE_CHECKING = False  # of typing, which takes longer to import than this module
if TYPE_CHECKING:
    from typing import Any

    from tatc.api import blame, compare, compare_runs, evaluate, load_game, run


__all__ = ["__version__", "blame", "compare", "compare_runs", "evaluate", "load_game", "run"]


def __getattr__(name: str) -> "Any":
    """Import a part of the API when it is first used."""
    if name.startswith("_") or name not in __all__:
        raise AttributeError(f"module 'tatc' has no attribute {name!r}")
    from tatc import api

    return getattr(api, name)


def __dir__() -> list[str]:
    """Return the names of the module, those of the API before they are imported too."""
    return sorted({*globals(), *__all__})
