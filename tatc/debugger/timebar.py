"""The whole session in one line: what happened when, and where one is."""

from collections.abc import Sequence

from rich.text import Text

from tatc.debugger.control import Debugger
from tatc.debugger.writing import BAD, DIM, GOOD, WARM, YOU
from tatc.timeline import Moment, changed_progress

_TICKS = (
    ("▼", BAD),
    ("✗", BAD),
    ("▲", GOOD),
    ("≠", WARM),
    ("✎", YOU),
    ("╵", DIM),
)
"""Goal lost, action failed, goal gained, departs, by hand, words: the first wins."""


def timebar(debugger: Debugger, width: int) -> Text:
    """Return the whole session in one line: failures, words, goals, where one is."""
    moments, width = debugger.moments, max(width, 2)
    scale = (width - 1) / max(debugger.branch.last, 1)
    ranks = [len(_TICKS)] * width
    for index in range(1, len(moments)):
        column = round(index * scale)
        ranks[column] = min(ranks[column], _rank(moments, index))
    text, here = Text(no_wrap=True), round(debugger.at * scale)
    for column, rank in enumerate(ranks):
        letter, style = _TICKS[rank] if rank < len(_TICKS) else ("─", DIM)
        text.append(letter, f"bold reverse {WARM}" if column == here else style)
    return text


def _rank(moments: Sequence[Moment], index: int) -> int:
    """Return which tick a moment has; beyond them where it has none."""
    moment = moments[index]
    change = changed_progress(moments[index - 1], moment)
    holds = (
        change < 0,
        moment.failed,
        change > 0,
        bool(moment.departs),
        moment.by_hand,
        moment.said is not None,
    )
    return holds.index(True) if True in holds else len(holds)
