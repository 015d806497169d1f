"""Plots as SVG: bars with intervals, and one number against another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

_LEFT_PIXELS, _RIGHT_PIXELS, _TOP_PIXELS, _ROW_PIXELS = 190, 64, 8, 34


@dataclass(frozen=True, slots=True)
class RateBar:
    """A rate with its interval, and beside it one that was published, if any."""

    name: str
    rate: float
    interval: tuple[float, float]
    published_rate: float | None = None
    note: str = ""


def bar_chart(rows: Sequence[RateBar], *, width: int = 760) -> str:
    """Draw rates (0 to 1) as bars, one under the other."""
    height = _TOP_PIXELS + _ROW_PIXELS * len(rows) + 26
    span = width - _LEFT_PIXELS - _RIGHT_PIXELS

    def x(rate: float) -> float:
        return _LEFT_PIXELS + span * rate

    parts = [_svg_tag(width, height)]
    bottom = _TOP_PIXELS + _ROW_PIXELS * len(rows)
    for tick in range(0, 101, 20):
        at = x(tick / 100)
        parts.append(
            f'<path class="grid" d="M{at:.1f} {_TOP_PIXELS}V{bottom}"/>'
            f'<text class="tick" x="{at:.1f}" y="{bottom + 18}" '
            f'text-anchor="middle">{tick} %</text>'
        )
    for i, row in enumerate(rows):
        parts.append(_bar_row(row, _TOP_PIXELS + _ROW_PIXELS * i, x))
    return "".join(parts) + "</svg>"


def _bar_row(row: RateBar, y: float, x: Callable[[float], float]) -> str:
    thick = 14 if row.published_rate is not None else 20
    middle = y + 4 + thick / 2
    low, high = (x(end) for end in row.interval)
    parts = [
        f'<text class="name" x="{_LEFT_PIXELS - 10}" y="{y + _ROW_PIXELS / 2 + 2}" '
        f'text-anchor="end">{escape(row.name)}</text>',
        _rectangle("ours", x(0), y + 4, x(row.rate) - x(0), thick, row.note),
        f'<path class="reach" d="M{low:.1f} {middle}H{high:.1f}'
        f'M{low:.1f} {middle - 4}v8M{high:.1f} {middle - 4}v8"/>',
        f'<text class="value" x="{high + 6:.1f}" y="{middle + 4}">{100 * row.rate:.1f}</text>',
    ]
    if row.published_rate is not None:
        top = y + 4 + thick + 1
        parts.append(_rectangle("theirs", x(0), top, x(row.published_rate) - x(0), 7, "published"))
    return "".join(parts)


def _rectangle(css_class: str, x: float, y: float, width: float, height: float, note: str) -> str:
    return (
        f'<rect class="{css_class}" x="{x:.1f}" y="{y}" width="{max(width, 0.5):.1f}" '
        f'height="{height}" rx="2"><title>{escape(note)}</title></rect>'
    )


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """One session: how long it was for people and for us."""

    x: int
    y: int
    note: str
    css_class: str = "solved"


def scatter_plot(
    points: Sequence[ScatterPoint],
    x_label: str,
    y_label: str,
    *,
    width: int = 760,
    height: int = 460,
) -> str:
    """Draw numbers against numbers on logarithmic axes, with the line of equals."""
    values = [value for dot in points for value in (dot.x, dot.y) if value > 0]
    low = 10 ** floor(log10(min(values, default=1)))
    high = 10 ** ceil(log10(max(values, default=10) * 1.05))
    plot = _LogAxes(low, high, 66, 12, width - 20, height - 50)
    parts = [_svg_tag(width, height)]
    for tick in plot.ticks():
        x, y = plot.x(tick), plot.y(tick)
        parts.append(
            f'<path class="grid" d="M{x:.1f} {plot.top}V{plot.bottom}'
            f'M{plot.left} {y:.1f}H{plot.right}"/>'
            f'<text class="tick" x="{x:.1f}" y="{plot.bottom + 18}" '
            f'text-anchor="middle">{tick}</text>'
            f'<text class="tick" x="{plot.left - 8}" y="{y + 4:.1f}" '
            f'text-anchor="end">{tick}</text>'
        )
    parts.append(f'<path class="equal" d="M{plot.left} {plot.bottom}L{plot.right} {plot.top}"/>')
    parts += [
        f'<circle class="{dot.css_class}" cx="{plot.x(dot.x):.1f}" '
        f'cy="{plot.y(dot.y):.1f}" r="3.5"><title>{escape(dot.note)}</title></circle>'
        for dot in points
        if dot.x > 0 and dot.y > 0
    ]
    middle, half = (plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2
    parts.append(
        f'<text class="axis" x="{middle:.0f}" y="{height - 8}" '
        f'text-anchor="middle">{escape(x_label)}</text>'
        f'<text class="axis" transform="translate(16 {half:.0f}) rotate(-90)" '
        f'text-anchor="middle">{escape(y_label)}</text>'
    )
    return "".join(parts) + "</svg>"


@dataclass(frozen=True, slots=True)
class _LogAxes:
    low: float
    high: float
    left: float
    top: float
    right: float
    bottom: float

    def x(self, value: float) -> float:
        return self.left + (self.right - self.left) * self._fraction(value)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * self._fraction(value)

    def ticks(self) -> list[int]:
        decades = range(round(log10(self.low)), round(log10(self.high)) + 1)
        found = [m * 10**d for d in decades for m in (1, 2, 5)]
        return [tick for tick in found if self.low <= tick <= self.high]

    def _fraction(self, value: float) -> float:
        return log10(value / self.low) / log10(self.high / self.low)


def _svg_tag(width: int, height: float) -> str:
    return f'<svg viewBox="0 0 {width} {height:.0f}" role="img" xmlns="http://www.w3.org/2000/svg">'
