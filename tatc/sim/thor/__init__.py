"""AI2-THOR behind the `Simulator` protocol, through its own client.

`client` starts AI2-THOR and sends it actions, `scenes` brings a scene into a recorded state and
reads its state, and `simulator` combines them with the calls and rules of TEACh.  Unity or tatc's
own server may answer: nothing here depends on which.
"""

from tatc.sim.thor.client import ThorClient
from tatc.sim.thor.simulator import ThorSimulator

__all__ = ["ThorClient", "ThorSimulator"]
