"""One client of AI2-THOR's own for all tests here, with its scene loaded anew for each.

The tests are what AI2-THOR's documentation and its public tests of the controller promise.
They use the client's interface alone, so that they can be run with its other versions too
(docs/how-to/thor.md).
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SCENE = "FloorPlan1"
SIDE_PIXELS = 100


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Pass over what the client leaves open, whenever it is collected."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            for kind in ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning"):
                item.add_marker(pytest.mark.filterwarnings(f"ignore::{kind}"))


def executable() -> str:
    """Return what the client starts; a client that cannot import tatc is told it."""
    named = os.environ.get("TATC_THOR_EXECUTABLE")
    if named is not None:
        return named
    from tatc.apps.thorserver import executable

    return executable()


@pytest.fixture(scope="package")
def shared_controller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    from ai2thor.controller import Controller

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        made = Controller(local_executable_path=executable(), x_display="0", scene=SCENE)
        yield made
        made.stop()


@pytest.fixture
def controller(shared_controller: Any) -> Any:
    shared_controller.initialization_parameters = {}
    shared_controller.reset(SCENE, width=SIDE_PIXELS, height=SIDE_PIXELS)
    return shared_controller
