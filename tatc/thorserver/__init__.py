"""Our world behind AI2-THOR's own wire protocol.

An unmodified `ai2thor` client starts `python -P -m tatc.thorserver` in place of Unity
(`Controller(local_executable_path=executable())`); it needs no display and no network.
`action_table` lists the actions that it serves, `thor_world` holds the world,
`event_metadata` and `wire_images` write the events that the client gets, and `fifo` and
`wsgi` carry them.
"""

import shlex
import sys


def executable() -> str:
    """Return the value for `local_executable_path`, which the client splits as a shell does."""
    return shlex.join([sys.executable, "-P", "-m", "tatc.thorserver"])
