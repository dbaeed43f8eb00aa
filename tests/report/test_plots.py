"""Plots: values stand where they should, stages are told apart, and axes have numbers."""

from xml.etree import ElementTree

from chorale.evaluation.compare import System
from chorale.report.plots import LEFT, PLOT, RIGHT, TOP, WIDTH, PlotStage, curves, nice_ticks, scores

SVG = "{http://www.w3.org/2000/svg}"
SEEDS = [{"1": (True, False), "2": (False, False)}, {"1": (True, True), "2": (False, False)}]


def drawn(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def places(line: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (point.split(",") for point in line.get("points", "").split())]


def test_a_line_goes_from_epoch_to_epoch_within_its_stage() -> None:
    stages = [PlotStage("1 mml", 2), PlotStage("2 reward", 3)]
    picture = drawn(curves("t", stages, {"a": [[[0.0, 1.0], [0.5, 0.5, 0.5]]]}))
    first, second = (places(line) for line in picture.findall(f"{SVG}polyline"))
    epoch = (WIDTH - LEFT - RIGHT) / 5
    assert first == [(round(LEFT + epoch, 4), TOP + PLOT), (round(LEFT + 2 * epoch, 4), TOP)]
    assert second[0] == (round(LEFT + 3 * epoch, 4), TOP + PLOT / 2)
    assert second[-1][0] == WIDTH - RIGHT


def test_stages_are_named_above_their_part_and_both_axes_have_numbers() -> None:
    stages = [PlotStage("1 mml", 20), PlotStage("2 reward", 20), PlotStage("3 reward", 1)]
    picture = drawn(curves("t", stages, {"consistency": [[[0.1] * 20, [0.2] * 20, [0.9]]]}))
    texts = [it.text for it in picture.findall(f"{SVG}text")]
    assert {"1 mml", "2 reward", "consistency", "epoch", "0 %", "100 %", "0", "10", "40"} <= set(texts)
    assert "3 reward" not in texts  # there is no room for it
    assert len(picture.findall(f"{SVG}rect")) == 1  # every other stage is shaded


def test_a_single_value_is_a_dot() -> None:
    picture = drawn(curves("t", [PlotStage("1 ranker", 1)], {"a": [[[0.5]]]}))
    assert not picture.findall(f"{SVG}polyline")
    assert len(picture.findall(f"{SVG}circle")) == 2  # with the one of the legend


def test_what_is_no_share_has_an_axis_of_its_own() -> None:
    texts = [it.text for it in drawn(curves("t", [PlotStage("1 a", 2)], {"a": [[[3.0, 4.5]]]})).findall(f"{SVG}text")]
    assert "5" in texts
    assert not any("%" in text for text in texts if text)


def test_ticks_are_round_and_hold_everything_between_them() -> None:
    assert nice_ticks(0, 7) == [0, 2, 4, 6, 8]
    assert nice_ticks(0.53, 0.58) == [0.53, 0.54, 0.55, 0.56, 0.57, 0.58]
    for high in (0.004, 0.9, 1, 3, 19, 1234):
        ticks = nice_ticks(0, high)
        assert ticks[0] == 0
        assert ticks[-1] >= high
        assert 3 <= len(ticks) <= 7


def test_the_scores_are_a_picture_with_every_seed_that_stands_alone() -> None:
    root = drawn(scores([System("a <b>", SEEDS), System("c", SEEDS[:1])]))
    assert len(root.findall(f"{SVG}circle")) == 2 * (2 + 1 + 2)  # seeds and means, in two measures
    assert "a <b>" in [text.text for text in root.findall(f"{SVG}text")]
    assert root.find(f"{SVG}style") is not None
