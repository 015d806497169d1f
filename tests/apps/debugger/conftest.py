"""What tests of the debugger share."""

import pytest

from tatc.apps.debugger.debugger import Debugger
from tests.apps.debugger.debug_sessions import start_debugger


@pytest.fixture(scope="module")
def whole() -> Debugger:
    """Return a session that was played to its end."""
    debugger = start_debugger()
    debugger.go_to(10_000)
    return debugger
