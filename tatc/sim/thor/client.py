"""Start AI2-THOR through its Python client, send it actions, and report its failures.

Versions 3.1.0, which TEACh used, and 5.0.0 are driven in the same way.
"""

import importlib.metadata
import inspect
import os
import shlex
import shutil
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from select import select
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

from tatc.base.errors import MissingExtra, ThorError
from tatc.home.actions import GRID_SIZE_METRES
from tatc.home.camera.rays import FRAME_PIXELS
from tatc.sim.protocol import DEFAULT_BUILD, ThorBuild

ANSWER_TIMEOUT_SECONDS = 60.0  # seconds without an answer after which AI2-THOR counts as hung
START_TIMEOUT_SECONDS = 120.0  # seconds that AI2-THOR may take to start
FALLBACK_DISPLAY = "0"
"""The display to name where there is none: a custom executable may not need one, but the
client fails without a name."""
_POLL_SECONDS = 0.2
_SEE_LOG = "see ~/.ai2thor/log/unity.log"

START_OPTIONS: dict[str, Any] = {
    "gridSize": GRID_SIZE_METRES,
    "snapToGrid": True,
    "visibilityDistance": 1.5,
    "agentCount": 1,
}
"""How TEACh starts AI2-THOR (spec section 1.6)."""


@dataclass(frozen=True, slots=True)
class ThorReply:
    """The reply to an action: the client's event, and AI2-THOR's verdict and message.

    Where the client itself refused the action, `event` is the event before it.
    """

    event: Any
    success: bool
    message: str

    @property
    def return_value(self) -> Any:
        """The return value of the action, None where it failed."""
        return self.event.metadata["actionReturn"] if self.success else None


class ThorClient:
    """One AI2-THOR process, started when first needed and again after a failure."""

    def __init__(
        self,
        build: ThorBuild = DEFAULT_BUILD,
        *,
        answer_timeout: float = ANSWER_TIMEOUT_SECONDS,
        start_timeout: float = START_TIMEOUT_SECONDS,
        frame_size: int = FRAME_PIXELS,
    ) -> None:
        """Store what to start, the limits in seconds and the pixels a side; nothing starts yet."""
        self._build, self._frame_size = build, frame_size
        self._answer_timeout, self._start_timeout = answer_timeout, start_timeout
        self._controller: Any = None

    def load(self, scene: str) -> Any:
        """Load a scene afresh and return the event."""
        if self._controller is None:
            self._controller = self._start(scene)
            return self._controller.last_event
        controller = self._controller
        return self._ask("Reset", lambda: controller.reset(scene))

    def act(self, action: str, **arguments: Any) -> ThorReply:
        """Execute an action, without images unless the arguments ask for them."""
        controller = self._controller
        if controller is None:
            raise ThorError("AI2-THOR is not running", fix="load a scene first")
        arguments = {"renderImage": False} | arguments
        try:
            event = self._ask(action, lambda: controller.step(action, **arguments))
        except ValueError as fault:
            return ThorReply(controller.last_event, False, str(fault))
        metadata = event.metadata
        return ThorReply(event, metadata["lastActionSuccess"], metadata["errorMessage"])

    def stop(self) -> None:
        """End the process; it may be started again."""
        controller, self._controller = self._controller, None
        if controller is None:
            return
        with suppress(Exception):  # it may be dead already
            server = controller.server
            controller.stop()
            server.tmp_dir.cleanup()

    def _start(self, scene: str) -> Any:
        with _ignore_client_warnings():
            client = MissingExtra.module("thor", "ai2thor.controller", "ai2thor")
        controller_class = with_start_watchdog(client.Controller, self._start_timeout)
        options = START_OPTIONS | {
            "scene": scene,
            "width": self._frame_size,
            "height": self._frame_size,
            "server_timeout": self._answer_timeout,
            "server_start_timeout": self._start_timeout,
        }
        if self._build.executable is not None:
            check_build(self._build)
            options["local_executable_path"] = self._build.executable
            if "DISPLAY" not in os.environ:  # where the client looks itself
                options["x_display"] = FALLBACK_DISPLAY
        elif self._build.commit is not None:
            options["commit_id"] = self._build.commit
        parameters = inspect.signature(controller_class.__init__).parameters
        for name in {"server_timeout", "server_start_timeout"} - parameters.keys():
            del options[name]  # this version of the client has none
        try:
            with _ignore_client_warnings():
                return controller_class(**options)
        except Exception as fault:
            raise _start_error(fault, scene, self._start_timeout) from fault

    def _ask(self, action: str, request: Callable[[], Any]) -> Any:
        """Return what the client answers; ValueErrors are the action's own fault."""
        process = self._controller.server.unity_proc
        try:
            with _ignore_client_warnings():
                return request()
        except ValueError as fault:
            if "not contained in build" in str(fault):
                raise _missing_scene_error(fault) from fault
            raise
        except Exception as fault:
            status = None if process is None else process.poll()
            self.stop()
            raise self._lost_error(action, fault, status) from fault

    def _lost_error(self, action: str, fault: Exception, status: int | None) -> ThorError:
        # The client kills the process itself (-9) once it has waited long enough.
        if isinstance(fault, TimeoutError) and status in (None, -9):
            what = f"AI2-THOR did not answer {action} within {self._answer_timeout:g} s"
        else:
            ended = "" if status is None else f", status {status}"
            what = f"AI2-THOR died while it did {action}{ended}"
        return ThorError(what, fix=f"{_SEE_LOG}; the next session restarts it")


def check_build(build: ThorBuild) -> None:
    """Check that a build can be started."""
    command = build.executable
    if command is not None and shutil.which((shlex.split(command) or [""])[0]) is None:
        raise ThorError(
            "there is no such program, or it is not executable",
            where=f"--thor-executable {command}",
            fix="name AI2-THOR's executable, or what `tatc thor-server --print-executable` prints",
        )
    thor_version()


def thor_version() -> str:
    """Return the version of the installed client."""
    try:
        return importlib.metadata.version("ai2thor")
    except ImportError as fault:
        raise MissingExtra("thor", "ai2thor") from fault


@contextmanager
def _ignore_client_warnings() -> Generator[None]:
    """Pass over what the client does not close, and its own outdated strings."""
    with warnings.catch_warnings():
        for kind in (ResourceWarning, DeprecationWarning, SyntaxWarning):
            warnings.simplefilter("ignore", kind)
        yield


def _missing_scene_error(fault: Exception) -> ThorError:
    what = str(fault).strip().split("\n", 1)[0]
    return ThorError(what, fix="name a scene that this build of AI2-THOR has")


def _start_error(fault: Exception, scene: str, start_timeout: float) -> ThorError:
    """Return why AI2-THOR does not start, with the remedy for what is known."""
    text = " ".join(str(fault).split())
    if "not contained in build" in text:
        return _missing_scene_error(fault)
    if isinstance(fault, TimeoutError):
        return ThorError(f"AI2-THOR did not start within {start_timeout:g} s", fix=_SEE_LOG)
    if isinstance(fault, EOFError):
        return ThorError(f"AI2-THOR does not start: {text}", fix=_SEE_LOG)
    lower = text.lower()
    if "display" in lower or "x11" in lower or "xdpyinfo" in lower:
        return ThorError(
            "AI2-THOR needs a display and found none",
            fix="set DISPLAY to one, for example of `Xvfb :0 -screen 0 1024x1024x24`",
        )
    if "no build exists" in lower or type(fault).__name__ == "ConnectionError":
        return ThorError(
            "no build of AI2-THOR is here, and none can be fetched",
            fix="name one with --thor-executable, or go online; `tatc thor-server "
            "--print-executable` names tatc's own",
        )
    what = f"AI2-THOR does not start in {scene}: {type(fault).__name__}: {text[:200]}"
    return ThorError(what, fix=_SEE_LOG)


def with_start_watchdog(controller: Any, start_timeout: float) -> Any:
    """Return a subclass of the client's controller whose start has a time limit, in seconds.

    The client itself waits without a limit for AI2-THOR to open the pipe: one that dies or hangs
    before that would keep it waiting forever.  A start that takes longer ends in a TimeoutError,
    and an AI2-THOR that dies in an EOFError at once, where the client would wait all its time.
    """

    class Watched(controller):
        def _start_unity_thread(self, *given: Any, **named: Any) -> None:
            super()._start_unity_thread(*given, **named)  # pyright: ignore
            server: Any = self.server  # pyright: ignore
            gave_up = Event()

            def read(server_pipe: Any, message_size: int, timeout: float) -> bytes:
                """Read so many bytes, as long as the pipe is open, in so many seconds."""
                until, message = monotonic() + timeout, b""
                while len(message) < message_size:
                    ready, _, _ = select([server_pipe], [], [], max(until - monotonic(), 0.0))
                    left = message_size - len(message)
                    part = os.read(server_pipe.fileno(), left) if ready else b""
                    if ready and not part and not gave_up.is_set():
                        sleep(_POLL_SECONDS)  # until its status is known
                        raise EOFError(f"it ended with status {server.unity_proc.poll()}")
                    if not part:
                        raise TimeoutError
                    message += part
                return message

            if hasattr(server, "_read_with_timeout"):  # not before 3.4
                server._read_with_timeout = read
            Thread(target=_unblock_pipe, args=(server, start_timeout, gave_up), daemon=True).start()

    return Watched


def _unblock_pipe(server: Any, start_timeout: float, gave_up: Event) -> None:
    """Open and close the pipe in place of AI2-THOR, if AI2-THOR does not in time.

    It gives up when the client has not opened its end after the same time again.
    """
    path = getattr(server, "server_pipe_path", None)
    until = monotonic() + start_timeout
    while path is not None and getattr(server, "server_pipe", None) is None:
        if monotonic() > until + start_timeout:
            break
        if monotonic() > until or server.unity_proc.poll() is not None:
            if server.unity_proc.poll() is None:
                gave_up.set()
            server.unity_proc.kill()
            with suppress(OSError):  # until the client waits at its end
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        sleep(_POLL_SECONDS)
