"""What tests of the debugger share."""

from collections.abc import Iterator
from functools import cache

import pytest

from tatc.apps.debugger import code_reloading
from tatc.apps.debugger.debugger import Debugger
from tests.apps.debugger.debug_sessions import start_debugger


@pytest.fixture(scope="package", autouse=True)
def parsed_once() -> Iterator[None]:
    """Parse the source of each module once, and not again for every debugger."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_reloading, "_imported_names", cache(code_reloading._imported_names))
        yield


@pytest.fixture(scope="module")
def whole() -> Debugger:
    """Return a session that was played to its end."""
    debugger = start_debugger()
    debugger.go_to(10_000)
    return debugger
