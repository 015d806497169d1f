"""A session as a sequence of moments: what a debugger steps through and a viewer plays.

    timeline = Timeline.of("coffee.game.json")
    for moment in timeline.moments:
        moment.snapshot, moment.interaction, moment.progress, moment.decision

`Timeline.of` does a saved record or a recorded game again; `Live` carries a session on
and keeps its moments as they come.  Snapshots share what has not changed, so that all
moments of a session are cheap to keep and any of them is there at once.
"""

from tatc.timeline.live import Deed, Live
from tatc.timeline.moment import Moment, changed_progress
from tatc.timeline.plans import Ahead, ahead
from tatc.timeline.source import Source, read_source
from tatc.timeline.timeline import Timeline

__all__ = [
    "Ahead",
    "Deed",
    "Live",
    "Moment",
    "Source",
    "Timeline",
    "ahead",
    "changed_progress",
    "read_source",
]
