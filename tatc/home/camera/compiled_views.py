"""When a process traces views with numba, if it is installed, and until then with numpy.

Both give the same result to the last bit.
"""

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from types import ModuleType

VIEWS_BEFORE_COMPILED = 512
"""Views before numba is loaded, which takes a second, and half a minute the first time."""
_OBJECT_VIEWS_PER_VIEW = 4  # numpy looks for four objects while it traces one whole view
whole_views, object_views = count(0, _OBJECT_VIEWS_PER_VIEW), count()
"""Count a process's views of whole frames, by fours, and of one object."""


def after_many(views: "count[int]") -> ModuleType | None:
    """Count a view; return the compiled views once a process has taken many, if it has numba."""
    if next(views) >= _OBJECT_VIEWS_PER_VIEW * VIEWS_BEFORE_COMPILED and has_numba():
        import_module("numba")
    return if_loaded()


def if_loaded() -> ModuleType | None:
    """Return the compiled views where numba is loaded anyway."""
    return import_module("tatc.home.camera.numba_frames") if "numba" in sys.modules else None


@cache
def has_numba() -> bool:
    """Return whether numba is installed."""
    return find_spec("numba") is not None
