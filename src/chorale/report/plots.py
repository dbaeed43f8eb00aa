"""Plots as SVG: learning curves, and the scores of every seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chorale.evaluation.compare import MEASURES, System
from chorale.evaluation.significance import mean_and_deviation
from chorale.plumbing import svg

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # told apart by the colour-blind as well
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 260, 44, 30, 30
NAMES, VALUES = 170, 60  # room for the names left of the scores, and for the means right of them


def curves(title: str, lines: Mapping[str, Sequence[Sequence[float]]]) -> str:
    """Named groups of thin lines, one colour each and a line for each run; a value stands for the end of an epoch."""
    values = [value for group in lines.values() for line in group for value in line]
    low, high = min([0.0, *values]), max([*values, 0.01])
    longest = max([len(line) for group in lines.values() for line in group] + [2])

    def point(epoch: int, value: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - 20) * epoch / (longest - 1)
        return x, TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    parts = [svg.element("text", title, x=10, y=18, font_weight="bold")]
    for step in range(5):
        value = low + (high - low) * step / 4
        start, end = point(0, value), point(longest - 1, value)
        parts.append(svg.element("polyline", points=svg.points([start, end]), stroke="#ddd", fill="none"))
        text = f"{100 * value:.0f} %" if high <= 1 else f"{value:.1f}"
        parts.append(svg.element("text", text, x=4, y=start[1] + 4, fill="#555"))
    parts.append(svg.element("text", f"{longest} epochs", x=WIDTH - 90, y=HEIGHT - 8, fill="#555"))
    for index, (name, group) in enumerate(lines.items()):
        color, y = COLORS[index % len(COLORS)], HEIGHT + 20 * index
        for line in group:
            places = svg.points(point(epoch, value) for epoch, value in enumerate(line))
            parts.append(svg.element("polyline", points=places, stroke=color, stroke_opacity=0.7, fill="none"))
        parts.append(svg.element("rect", x=LEFT, y=y - 10, width=14, height=10, fill=color))
        parts.append(svg.element("text", name, x=LEFT + 20, y=y))
    return _plot(HEIGHT + 20 * len(lines), parts)


def scores(systems: Sequence[System]) -> str:
    """Every seed of every system, and their means."""
    everything = [score for system in systems for measure in MEASURES for score in system.scores(measure)]
    low, high = max(0.0, min(everything) - 0.03), min(1.0, max(everything) + 0.03)

    def at(score: float) -> float:
        return NAMES + (WIDTH - NAMES - VALUES) * (score - low) / (high - low)

    parts, y = [], TOP
    for measure in MEASURES:
        parts.append(svg.element("text", measure, x=10, y=y, font_weight="bold"))
        for system in systems:
            y += 34
            found = system.scores(measure)
            mean, deviation = mean_and_deviation(found)
            low_end, high_end = at(mean - deviation), at(mean + deviation)
            parts += [
                svg.element("text", system.name, x=10, y=y + 4),
                svg.element("line", x1=NAMES, x2=WIDTH - VALUES, y1=y, y2=y, stroke="#ddd"),
                svg.element("line", x1=low_end, x2=high_end, y1=y, y2=y, stroke=COLORS[0], stroke_width=3),
                *(svg.element("circle", cx=at(one), cy=y, r=4, fill=COLORS[0], fill_opacity=0.4) for one in found),
                svg.element("circle", cx=at(mean), cy=y, r=5, fill=COLORS[1]),
                svg.element("text", f"{100 * mean:.1f}", x=WIDTH - 52, y=y + 4),
            ]
        y += 40
    return _plot(y, parts)


def _plot(height: float, parts: Sequence[str]) -> str:
    background = svg.element("rect", width=WIDTH, height=height, fill="white")
    return svg.document(WIDTH, height, [background, *parts], font_family="sans-serif", font_size=13)
