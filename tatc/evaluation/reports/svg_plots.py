"""Plots: bars with intervals, and one number against another.

The places of lines and marks are computed here, in pixels from the top left; what is drawn
there stands in `templates/bar_chart.svg` and `templates/scatter_plot.svg`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10


@dataclass(frozen=True, slots=True)
class RateBar:
    """A rate (0 to 1) with its 95 % interval, and a published rate beside it, if there is one.

    `css_class` colours the bar: "ours" or "theirs".
    """

    name: str
    rate: float
    interval: tuple[float, float] | None
    published_rate: float | None = None
    note: str = ""
    css_class: str = "ours"


@dataclass(frozen=True, slots=True)
class BarChart:
    """Horizontal bars from top to bottom, one for each rate; lengths are in pixels."""

    bars: Sequence[RateBar]
    width: int = 760
    left: int = 190
    right_margin: int = 64
    top: int = 8
    row_height: int = 34

    @property
    def bottom(self) -> int:
        """Where the last bar's row ends."""
        return self.top + self.row_height * len(self.bars)

    @property
    def height(self) -> int:
        """The height of the whole picture."""
        return self.bottom + 26

    def x(self, rate: float) -> float:
        """Return where a rate lies on the axis."""
        return self.left + self.length(rate)

    def length(self, rate: float) -> float:
        """Return the length of a rate's bar."""
        return (self.width - self.left - self.right_margin) * rate

    def y(self, index: int) -> int:
        """Return where the row of a bar begins."""
        return self.top + self.row_height * index


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """One session: the actions that were recorded, and those that the agents took."""

    x: int
    y: int
    note: str


@dataclass(frozen=True, slots=True)
class ScatterPlot:
    """Points on two logarithmic axes with one scale, from `low` to `high`; the rest is in pixels.

    `scatter_plot` finds the scale.
    """

    points: Sequence[ScatterPoint]
    x_label: str
    y_label: str
    low: float
    high: float
    width: int = 760
    height: int = 460
    left: int = 66
    top: int = 12

    @property
    def right(self) -> int:
        """Where the x axis ends."""
        return self.width - 20

    @property
    def bottom(self) -> int:
        """Where the y axis begins."""
        return self.height - 50

    def x(self, value: float) -> float:
        """Return where a value lies on the x axis."""
        return self.left + (self.right - self.left) * self._fraction(value)

    def y(self, value: float) -> float:
        """Return where a value lies on the y axis."""
        return self.bottom - (self.bottom - self.top) * self._fraction(value)

    def ticks(self) -> list[int]:
        """Return the values that get a line: 1, 2 and 5 times each power of ten."""
        decades = range(round(log10(self.low)), round(log10(self.high)) + 1)
        ticks = [m * 10**d for d in decades for m in (1, 2, 5)]
        return [tick for tick in ticks if self.low <= tick <= self.high]

    def _fraction(self, value: float) -> float:
        return log10(value / self.low) / log10(self.high / self.low)


def scatter_plot(points: Sequence[ScatterPoint], x_label: str, y_label: str) -> ScatterPlot:
    """Return a plot whose axes hold all points; those with a number below 1 are left out."""
    kept = [point for point in points if point.x > 0 and point.y > 0]
    values = [value for point in kept for value in (point.x, point.y)]
    low = 10 ** floor(log10(min(values, default=1)))
    high = 10 ** ceil(log10(max(values, default=10) * 1.05))
    return ScatterPlot(kept, x_label, y_label, low, high)
