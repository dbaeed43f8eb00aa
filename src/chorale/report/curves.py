"""Learning curves as SVG: a value per epoch, a thin line for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # told apart by the colour-blind as well
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 260, 44, 30, 30


def curves(title: str, lines: Mapping[str, Sequence[Sequence[float]]]) -> str:
    """A picture of named groups of lines, one colour each; a value stands for the end of an epoch."""
    values = [value for group in lines.values() for line in group for value in line]
    low, high = min([0.0, *values]), max([*values, 0.01])
    longest = max([len(line) for group in lines.values() for line in group] + [2])
    legend = 20 * len(lines)

    def point(epoch: int, value: float) -> str:
        x = LEFT + (WIDTH - LEFT - 20) * epoch / (longest - 1)
        y = TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT + legend}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT + legend}" fill="white"/>',
        f'<text x="10" y="18" font-weight="bold">{escape(title)}</text>',
    ]
    for step in range(5):
        value = low + (high - low) * step / 4
        start, end = point(0, value), point(longest - 1, value)
        parts.append(f'<polyline points="{start} {end}" stroke="#ddd" fill="none"/>')
        parts.append(f'<text x="4" y="{float(start.split(",")[1]) + 4:.1f}" fill="#555">{_number(value, high)}</text>')
    parts.append(f'<text x="{WIDTH - 90}" y="{HEIGHT - 8}" fill="#555">{longest} epochs</text>')
    for place, (name, group) in enumerate(lines.items()):
        color = COLORS[place % len(COLORS)]
        for line in group:
            points = " ".join(point(epoch, value) for epoch, value in enumerate(line))
            parts.append(f'<polyline points="{points}" stroke="{color}" stroke-opacity="0.7" fill="none"/>')
        y = HEIGHT + 20 * place
        parts.append(f'<rect x="{LEFT}" y="{y - 10}" width="14" height="10" fill="{color}"/>')
        parts.append(f'<text x="{LEFT + 20}" y="{y}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _number(value: float, high: float) -> str:
    return f"{100 * value:.0f} %" if high <= 1 else f"{value:.1f}"
