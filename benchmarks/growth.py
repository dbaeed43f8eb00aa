"""How something grows, as SVG: both axes are logarithmic, so that what grows in proportion is a straight line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from chorale.plumbing import svg
from chorale.report.plots import BOTTOM, COLORS, LEFT, PLOT, RIGHT, STYLE, WIDTH, legend, line, plot, soft

Points = Sequence[tuple[float, float]]

_TOP = 44
_LEAST = 10.0  # how many times the lowest value the axis goes up to, so that what hardly grows looks like it


def growth(title: str, along: str, curves: Mapping[str, Points]) -> str:
    """Named curves of positive values, with the name of what grows below; a picture that stands alone."""
    places = [point for points in curves.values() for point in points]
    across = _Scale([x for x, _ in places], LEFT, WIDTH - RIGHT - 8)
    up = _Scale([y for _, y in places], _TOP + PLOT, _TOP, _LEAST)
    height = _TOP + PLOT + BOTTOM
    parts = [
        svg.element("style", STYLE),
        svg.element("rect", width=WIDTH, height=height, fill="#ffffff"),
        svg.element("text", title, x=0, y=12, font_weight="bold"),
        *legend(list(curves)),
        *_grid(across, up),
        soft(along, (LEFT + WIDTH - RIGHT) / 2, _TOP + PLOT + 31),
    ]
    for number, points in enumerate(curves.values()):
        drawn = [(across.place(x), up.place(y)) for x, y in points]
        parts.append(line(drawn, f"c{number % COLORS}") if len(drawn) > 1 else "")
        parts += [svg.element("circle", cx=x, cy=y, r=3, class_=f"dot c{number % COLORS}") for x, y in drawn]
    return plot(height, [part for part in parts if part], title)


class _Scale:
    """Where values stand along an axis that goes from one place to another."""

    def __init__(self, values: Sequence[float], start: float, end: float, least: float = 1.5) -> None:
        self.start, self.end = start, end
        self.low = _round_down(min(values, default=1.0))
        self.high = _round_up(max(max(values, default=1.0), least * self.low))

    def place(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + (self.end - self.start) * share

    def ticks(self) -> Iterator[float]:
        """Powers of ten; where there are few, what lies between them too."""
        steps = (1,) if self.high / self.low > 200 else (1, 2, 5)
        for power in range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1):
            for step in steps:
                if self.low * 0.999 <= step * 10.0**power <= self.high * 1.001:
                    yield step * 10.0**power


def _round_down(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (5, 2, 1) if power * step <= value * 1.001)


def _round_up(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (1, 2, 5, 10) if power * step >= value * 0.999)


def _grid(across: _Scale, up: _Scale) -> Iterator[str]:
    for value in up.ticks():
        y = up.place(value)
        yield svg.element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
        yield soft(_short(value), LEFT - 5, y + 4, "end")
    for value in across.ticks():
        x = across.place(value)
        yield svg.element("line", x1=x, x2=x, y1=_TOP, y2=_TOP + PLOT, class_="grid")
        yield soft(_short(value), x, _TOP + PLOT + 15)


def _short(value: float) -> str:
    """A round number for an axis.

    >>> _short(20), _short(0.5), _short(100_000), _short(1_000_000)
    ('20', '0.5', '100k', '1M')
    """
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
