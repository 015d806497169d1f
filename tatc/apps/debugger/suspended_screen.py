"""What takes the terminal for a while: pdb in an agent's code, a Python prompt, a large picture."""

import code
import inspect
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from importlib import import_module
from pdb import Pdb
from typing import Any

from PIL.Image import fromarray
from rich.console import Console
from rich.segment import Segment, Segments

from tatc.apps.debugger.terminal_drawing import Canvas
from tatc.home.camera.rays import Rgb

PICTURE_PIXELS = 900  # pixels along each side of a picture
Suspend = Callable[[], AbstractContextManager[None]]
"""Makes a block during which the terminal is free."""


class _AgentPdb(Pdb):
    """A pdb that takes the terminal while it waits for commands; `quit` lets the agent go on."""

    def __init__(self, suspend: Suspend) -> None:
        super().__init__(nosigint=True)
        self._suspend = suspend

    def interaction(self, frame: Any, traceback: Any) -> None:
        with self._suspend():
            self.stdout = sys.stdout  # the terminal's, while it is free
            super().interaction(frame, traceback)

    set_quit = Pdb.set_continue


def breakpoint_hook(suspend: Suspend) -> Callable[..., None]:
    """Return what `breakpoint()` calls in an agent's code."""

    def stop(*_: object, **__: object) -> None:
        frame = inspect.currentframe()
        _AgentPdb(suspend).set_trace(frame and frame.f_back)

    return stop


def open_python_prompt(names: Mapping[str, Any], step: int, suspend: Suspend) -> None:
    """Let the user type Python with these names, until Ctrl-D or `exit()`."""
    banner = f"Python at step {step}: {', '.join(names)}; Ctrl-D goes back"
    with suspend(), suppress(SystemExit):
        # Python's own `exit` would close stdin.
        code.interact(banner, local={**names, "exit": sys.exit, "quit": sys.exit}, exitmsg="")


def show_picture(draw: Callable[[int], Rgb], suspend: Suspend) -> None:
    """Show a square picture until Enter, in blocks where the terminal shows no images."""
    with suspend(), suppress(KeyboardInterrupt, EOFError):
        console = Console()
        console.clear()
        rows = console.height - 2
        try:
            image: Any = import_module("textual_image.renderable")
        except ImportError:
            size = min(console.width, 2 * rows) // 2 * 2
            for line in Canvas(draw(size)).segment_rows():
                console.print(Segments([*line, Segment.line()]), end="")
        else:
            console.print(image.Image(fromarray(draw(PICTURE_PIXELS)), height=rows, width="auto"))
        console.input("Enter goes back ")
