"""A session as a sequence of moments, for the debugger, the viewer and exports.

    timeline = Timeline.of("coffee.game.json")
    for moment in timeline.moments:
        moment.snapshot, moment.interaction, moment.progress, moment.decision

`Timeline.of` replays a saved record or a recorded game.  `LiveSession` continues a session
and keeps its moments as they come.  Snapshots share the objects that have not changed,
so that all moments of a session fit in memory and any of them is available at once.
"""

from tatc.session.timeline.live_session import GoalEdit, LiveSession, ManualAction, MessageEdit
from tatc.session.timeline.moment import (
    Moment,
    RemainingSteps,
    format_verb_runs,
    progress_change,
    remaining_steps_at,
)
from tatc.session.timeline.timeline import FinishedSession, Timeline, read_finished_session

__all__ = ["FinishedSession", "GoalEdit", "LiveSession", "ManualAction", "MessageEdit", "Moment"]
__all__ += ["RemainingSteps", "Timeline", "format_verb_runs", "progress_change"]
__all__ += ["read_finished_session", "remaining_steps_at"]
