"""The model inside the package."""

import json
import re
from pathlib import Path

import pytest

import chorale
from chorale.model import shipped
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.nlvr.reader import read

TOP_BLACK = (Object(40, 80, 20, "square", "yellow"), Object(40, 59, 20, "square", "black"))
TOP_YELLOW = tuple(reversed([Object(40, 59, 20, "square", "yellow"), Object(40, 80, 20, "square", "black")]))


def test_the_shipped_model_reads_a_plain_sentence_and_answers() -> None:
    scenes = [Scene((TOP_BLACK, TOP_YELLOW, ())), Scene((TOP_YELLOW, TOP_YELLOW, ()))]
    best = chorale.load().parse("There is a tower with a black block at the top", scenes)[0]
    assert best.answers == (True, False)
    assert {"black", "top"} <= set(re.findall(r"\w+", best.program.text))
    assert best.plain == "Is there a box that holds a black object at the top?"


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_model_is_small_and_tells_no_sentence(name: str) -> None:
    folder = shipped()[name]
    assert sum(path.stat().st_size for path in folder.iterdir()) < 10_000_000
    about = json.loads((folder / "model.json").read_text())
    assert all(re.fullmatch("[0-9a-f]{12}", mark) for mark in about["seen"])
    assert not any(" " in word for word in about.get("vocabulary", ()))


@pytest.mark.nlvr
@pytest.mark.parametrize("name", [name for name in shipped() if name != "tables"])
def test_a_shipped_model_has_the_figures_of_its_card(nlvr: Path, name: str) -> None:
    score = chorale.load(name).evaluate(read(nlvr / "dev.json").utterances).score
    card = (shipped()[name] / "README.md").read_text()
    assert f"accuracy {100 * score.accuracy:.1f} %, consistency {100 * score.consistency:.1f} %" in card


@pytest.mark.slow
@pytest.mark.wtq
def test_the_model_of_tables_has_the_figure_of_its_card(wtq: Path) -> None:
    score = chorale.load("tables").evaluate(wtq / "random-split-1-dev.tsv").score
    assert f"{100 * score.accuracy:.1f} %; without the second look" in (shipped()["tables"] / "README.md").read_text()
