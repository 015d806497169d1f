"""AI2-THOR behind the `Simulator` protocol, through its own client.

`client` starts and asks AI2-THOR, `teach_calls` holds the calls that TEACh makes for each
verb, `restore_scene` puts a scene into a recorded state, `simulator` joins them with TEACh's
rules.  What answers may be Unity or tatc's own server: nothing here can tell.
"""

from tatc.sim.thor.client import ThorClient
from tatc.sim.thor.simulator import ThorSimulator

__all__ = ["ThorClient", "ThorSimulator"]
