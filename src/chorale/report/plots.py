"""Plots as SVG: learning curves with their stages, and the scores of every seed.

They are drawn narrow, so that on a telephone they are legible and on a wide screen several stand side by side. Colours
are those of the page they stand on, light or dark; a plot that stands alone brings the style along.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chorale.evaluation.compare import System
from chorale.evaluation.significance import mean_and_deviation
from chorale.plumbing import svg

STYLE = """
.plot { font: 12px system-ui, sans-serif; } .plot text { fill: var(--ink, #1f2328); }
.plot .soft { fill: var(--faint, #57606a); } .plot .band { fill: var(--mark, #e9edf1); }
.plot .grid { stroke: var(--line, #d8dde3); fill: none; } .plot .line { fill: none; stroke-width: 1.5; }
.plot .dot { stroke: var(--paper, #ffffff); stroke-width: 1; }
.plot .line.c0, .plot .bar.c0 { stroke: var(--blue, #0a5ea8); } .plot .dot.c0 { fill: var(--blue, #0a5ea8); }
.plot .line.c1, .plot .bar.c1 { stroke: var(--orange, #b0460a); } .plot .dot.c1 { fill: var(--orange, #b0460a); }
.plot .line.c2, .plot .bar.c2 { stroke: var(--green, #17693f); } .plot .dot.c2 { fill: var(--green, #17693f); }
.plot .line.c3, .plot .bar.c3 { stroke: var(--violet, #7a3e9d); } .plot .dot.c3 { fill: var(--violet, #7a3e9d); }
"""
COLORS = 4
"""How many there are; a fifth line has the first again."""
WIDTH = 360
LEFT, RIGHT, TOP, PLOT = 46, 8, 60, 170  # margins, and the height of what is between the axes
BOTTOM = 36
LETTER = 6.4  # about the width of a letter


@dataclass(frozen=True)
class PlotStage:
    """A stage of a training: what stands above its part of the plot, and how many epochs wide that is."""

    name: str
    epochs: int


Stages = Sequence[Sequence[float]]
"""The values of a run, stage by stage; one for each epoch, or a single one at the end of the stage."""


def curves(title: str, stages: Sequence[PlotStage], lines: Mapping[str, Sequence[Stages]]) -> str:
    """Named groups of lines, one colour for each name and a line for each run, with the stages side by side.

    Shares are drawn between 0 and 100 %.
    """
    values = [value for runs in lines.values() for run in runs for stage in run for value in stage]
    axes = _Axes(stages, max(values, default=0.0))
    parts = [svg.element("text", title, x=0, y=12, font_weight="bold"), *axes.parts(), *legend(list(lines))]
    for number, runs in enumerate(lines.values()):
        for run in runs:
            for start, some in zip(axes.starts, run, strict=True):
                places = [(axes.x(start + epoch), axes.y(value)) for epoch, value in enumerate(some, 1)]
                parts.append(line(places, f"c{number % COLORS}"))
    return plot(TOP + PLOT + BOTTOM, parts, title)


class _Axes:
    """Where epochs and values stand, and the numbers beside them."""

    def __init__(self, stages: Sequence[PlotStage], highest: float) -> None:
        self.stages = stages
        self.starts = [sum(stage.epochs for stage in stages[:index]) for index in range(len(stages))]
        self.epochs = max(1, sum(stage.epochs for stage in stages))
        self.is_share = highest <= 1
        self.ticks = nice_ticks(0, 1 if self.is_share else highest)

    def x(self, epoch: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * epoch / self.epochs

    def y(self, value: float) -> float:
        return TOP + PLOT * (1 - value / self.ticks[-1])

    def parts(self) -> Iterator[str]:
        """Stages, lines across, and numbers."""
        for index, (stage, start) in enumerate(zip(self.stages, self.starts, strict=True)):
            left, width = self.x(start), self.x(start + stage.epochs) - self.x(start)
            if index % 2:
                yield svg.element("rect", x=left, y=TOP, width=width, height=PLOT, class_="band")
            short = stage.name.partition(" ")[0]
            name = stage.name if len(stage.name) * LETTER < width else short if len(short) * LETTER < width + 4 else ""
            yield soft(name, left + width / 2, TOP - 6)
        for value in self.ticks:
            y = self.y(value)
            yield svg.element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
            yield soft(f"{100 * value:.0f} %" if self.is_share else f"{value:g}", LEFT - 5, y + 4, "end")
        for epoch in nice_ticks(0, self.epochs):
            if epoch.is_integer() and epoch <= self.epochs:
                yield soft(f"{epoch:g}", self.x(epoch), TOP + PLOT + 15, "middle" if epoch < self.epochs else "end")
        yield soft("epoch", (LEFT + WIDTH - RIGHT) / 2, TOP + PLOT + 31)


def soft(text: str, x: float, y: float, anchor: str = "middle") -> str:
    """A text in the background."""
    return svg.element("text", text, x=x, y=y, text_anchor=anchor, class_="soft") if text else ""


def line(places: Sequence[tuple[float, float]], color: str) -> str:
    """A line, or a dot where there is one value only."""
    if len(places) == 1:
        return svg.element("circle", cx=places[0][0], cy=places[0][1], r=3.5, class_=f"dot {color}")
    return svg.element("polyline", points=svg.points(places), class_=f"line {color}") if places else ""


def legend(names: Sequence[str]) -> Iterator[str]:
    """The colour of each name, side by side."""
    along = 0.0
    for number, name in enumerate(names):
        yield svg.element("circle", cx=along + 4, cy=27, r=4, class_=f"dot c{number % COLORS}")
        yield svg.element("text", name, x=along + 12, y=31)
        along += 26 + len(name) * LETTER


def nice_ticks(low: float, high: float) -> list[float]:
    """About five round numbers, the first not above `low`, the last not below `high`.

    >>> nice_ticks(0, 1), nice_ticks(0, 37)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 10.0, 20.0, 30.0, 40.0])
    """
    rough = max(high - low, 1e-9) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def seeds(systems: Sequence[System], measure: str) -> str:
    """Every seed of every system in one measure, with mean and deviation."""
    height, parts = _seeds(systems, measure, 0)
    return plot(height, parts, measure)


def scores(systems: Sequence[System]) -> str:
    """The same in every measure, as a picture that stands alone."""
    parts, top = [svg.element("style", STYLE), svg.element("rect", width=WIDTH, height="100%", fill="#ffffff")], 0.0
    for measure in systems[0].measures:
        height, more = _seeds(systems, measure, top)
        parts, top = [*parts, *more], top + height + 16
    return plot(top, parts, "scores of every seed")


def _seeds(systems: Sequence[System], measure: str, top: float) -> tuple[float, list[str]]:
    """The height of the plot of a measure, and its parts."""
    scores = [system.scores(measure) for system in systems]
    everything = [score for some in scores for score in some]
    ticks = nice_ticks(max(0.0, min(everything) - 0.02), min(1.0, max(everything) + 0.02))
    height = 34 * len(systems)

    def x(score: float) -> float:
        return 12 + (WIDTH - 24) * (score - ticks[0]) / (ticks[-1] - ticks[0])

    parts = [svg.element("text", measure, x=0, y=top + 12, font_weight="bold")]
    end = top + 24 + height
    for tick in ticks:
        parts.append(svg.element("line", x1=x(tick), x2=x(tick), y1=top + 20, y2=end, class_="grid"))
        parts.append(soft(f"{100 * tick:.4g}", x(tick), end + 14))
    for number, (system, some) in enumerate(zip(systems, scores, strict=True)):
        y = top + 24 + 34 * number
        mean, deviation = mean_and_deviation(some)
        spread = f" ± {100 * deviation:.1f}" if len(some) > 1 else ""
        figure = f"{100 * mean:.1f}{spread}"
        room = int((WIDTH - (len(figure) + 2) * LETTER) / LETTER)
        name = system.name if len(system.name) <= room else f"{system.name[: room - 1]}…"
        low, high = max(x(mean - deviation), x(ticks[0])), min(x(mean + deviation), x(ticks[-1]))
        parts += [
            svg.element("text", name, x=0, y=y + 12),
            svg.element("text", figure, x=WIDTH, y=y + 12, text_anchor="end"),
            svg.element("line", x1=low, x2=high, y1=y + 23, y2=y + 23, class_="bar c0", stroke_width=2),
            *(svg.element("circle", cx=x(one), cy=y + 23, r=3.5, class_="dot c0", fill_opacity=0.5) for one in some),
            svg.element("circle", cx=x(mean), cy=y + 23, r=5, class_="dot c1"),
        ]
    return 24 + height + 20, parts


def plot(height: float, parts: Sequence[str], label: str) -> str:
    """The whole picture."""
    return svg.document(WIDTH, height, parts, class_="plot", role="img", aria_label=label)
