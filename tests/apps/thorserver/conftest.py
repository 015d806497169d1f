"""What the tests of AI2-THOR's server share."""

import pytest

from tatc.apps.thorserver.thor_world import ThorWorld
from tests.apps.thorserver.worlds import new_world


@pytest.fixture
def world() -> ThorWorld:
    return new_world()
