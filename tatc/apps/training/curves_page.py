"""The page of a training in rounds: losses, accuracies and held-out sessions solved, as curves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tatc.evaluation.page_templates import render_template

WIDTH, HEIGHT = 640, 180
"""The size of a chart in pixels."""
_LOSSES = ("pointer", "verb", "click")
_SHARES = ("motions", "interactions", "clicks")


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a chart: its name, its last value as text, and its points as SVG has them."""

    name: str
    last: str
    points: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves over rounds, from 0 to `top` (text)."""

    title: str
    top: str
    curves: tuple[Curve, ...]


def curves_page(rounds: Sequence[Mapping[str, Any]]) -> str:
    """Return a page that shows what the rounds of a training led to (`read_rounds`)."""
    charts: list[Chart] = []
    losses = {name: [each["losses"][i] for each in rounds] for i, name in enumerate(_LOSSES)}
    charts.append(_chart("Loss", losses, max(1.0, *(max(v, default=0) for v in losses.values()))))
    for wording in [each["wording"] for each in rounds[0]["accuracies"]] if rounds else ():
        own = [next(a for a in r["accuracies"] if a["wording"] == wording) for r in rounds]
        shares = {name: [each[name] for each in own] for name in _SHARES}
        charts.append(_chart(f"Right of held-out, told in {wording}", shares, 1.0))
    played = [each for each in rounds if "solved" in each]
    if played:
        solved = {
            f"told in {name}": [each["solved"][name] / max(1, each["played"]) for each in played]
            for name in played[0]["solved"]
        }
        title = f"Sessions solved in held-out rooms, of {played[-1]['played']}"
        charts.append(_chart(title, solved, 1.0))
    lessons = rounds[-1]["lessons"] if rounds else 0
    return render_template(
        "training.html",
        charts=charts,
        rounds=len(rounds),
        lessons=lessons,
        width=WIDTH,
        height=HEIGHT,
    )


def _chart(title: str, values: Mapping[str, Sequence[float]], top: float) -> Chart:
    curves = tuple(
        Curve(name, f"{ys[-1]:.3f}" if ys else "-", _points(ys, top)) for name, ys in values.items()
    )
    return Chart(title, f"{top:.2g}", curves)


def _points(ys: Sequence[float], top: float) -> str:
    step = WIDTH / max(1, len(ys) - 1)
    return " ".join(
        f"{i * step:.1f},{HEIGHT * (1 - min(y, top) / top):.1f}" for i, y in enumerate(ys)
    )
