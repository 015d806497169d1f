"""The start of the `tatc` program, for its script and for `python -m tatc`.

Importing the commands takes a fifth of a second, in which Python answers Ctrl-C with a
traceback.  So this module takes Ctrl-C over before it imports them.
"""

import os
import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it at any moment with status 130 and no traceback."""
    try:
        from tatc.base.interrupts import exit_on_interrupt

        exit_on_interrupt()
        from tatc import cli
    except KeyboardInterrupt:
        os._exit(130)
    cli.main()


if __name__ == "__main__":
    # `-m` puts the current folder first on the path: a file there could stand in for any module.
    if not sys.flags.safe_path:
        del sys.path[0]
    main()
