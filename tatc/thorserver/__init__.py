"""Our world behind AI2-THOR's own wire protocol.

`python -P -m tatc.thorserver` is what an unmodified `ai2thor` client starts in place of
Unity (`Controller(local_executable_path=executable())`): no display, no Unity, no
network.  `action_table` is the table of what it answers; `thor_world` holds the world,
`event_metadata`
and `wire_images` say what the client is told of it, `fifo` and `wsgi` carry it over.
"""

import shlex
import sys


def executable() -> str:
    """Return what `local_executable_path` takes: the client splits it as a shell."""
    return shlex.join([sys.executable, "-P", "-m", "tatc.thorserver"])
