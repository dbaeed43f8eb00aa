"""Pages about runs and mistakes: figures are those of the runs, also where these are not finished."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.report.test_results import SVG

from chorale.errors import ChoraleError
from chorale.evaluation.meaning import known_programs
from chorale.model import load
from chorale.report.mistakes import mistakes_page
from chorale.report.runs import entries_of, error_sections, report_page


def test_a_report_shows_finished_and_unfinished_runs_together(runs: Path, tiny: Path) -> None:
    text = report_page(entries_of([runs, runs / "seed-0"]), tiny / "dev.jsonl.gz", command="chorale report x")
    page = ElementTree.fromstring(text)
    rows = [[cell.text or "" for cell in row.findall("td")] for row in page.iter("tr")]
    kept = json.loads((runs / "seed-0" / "dev.json").read_text())
    figures = f"{100 * kept['accuracy']:.1f} / {100 * kept['consistency']:.1f}"
    assert [row[:5] for row in rows if row and row[0].startswith("tiny/")] == [
        ["tiny/seed-0", "tiny", "0", "complete", figures],
        ["tiny/seed-1", "tiny", "1", "stopped at stage 3 of 3", ""],
    ]
    assert "2 runs: 1 complete, 1 stopped." in text
    assert any(picture.findtext(f"{SVG}text") == "on dev" for picture in page.iter(f"{SVG}svg"))


def test_a_report_draws_the_hardest_utterances_with_their_traces(runs: Path, tiny: Path) -> None:
    page = ElementTree.fromstring(report_page(entries_of([runs / "seed-0"]), tiny / "dev.jsonl.gz"))
    wrong = {
        name
        for name, right in json.loads((runs / "seed-0" / "dev.json").read_text())["right"].items()
        if not all(right)
    }
    cards = page.findall(".//article")
    shown = {(card.findtext("p[@class='faint']") or "").split(" ")[0] for card in cards}
    assert wrong
    assert shown <= wrong
    assert len(cards) == min(10, len(wrong))
    for card in cards:
        assert len(card.findall("div/figure")) == 4
        assert "wrong" in "".join(card.find("div[@class='pictures']").itertext())
        assert card.findall(f"details//{SVG}svg")


def test_a_report_of_a_run_that_is_not_complete_has_no_mistakes(runs: Path) -> None:
    page = ElementTree.fromstring(report_page(entries_of([runs / "seed-1"]), None))
    assert "no parser to ask" in "".join(page.itertext())
    assert not page.findall(".//article")


def test_a_test_split_is_not_shown(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match="should stay unseen"):
        error_sections({"a": [runs / "seed-0"]}, tmp_path / "test.json")


def test_folders_without_runs_are_named(tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match="there is no run here"):
        entries_of([tmp_path])
    with pytest.raises(ChoraleError, match="no such folder"):
        entries_of([tmp_path / "x"])


def test_the_page_of_mistakes_counts_them_and_tells_the_known_programs(runs: Path, tiny: Path) -> None:
    file = tiny / "dev.jsonl.gz"
    model, known = load(runs / "seed-0"), known_programs(file)
    utterances = model.domain.read(file)
    predictions = model.predict(utterances)
    found = model.evaluate(utterances, predictions)
    page = ElementTree.fromstring(mistakes_page(model, utterances, predictions, found, known=known, most=2))
    text = "".join(page.itertext())
    wrong = found.score.groups - found.score.right_groups
    assert f"{wrong} utterances have a wrong answer; the 2 worst are drawn." in text
    cards = page.findall(".//article")
    assert len(cards) == 2
    codes = ["".join(code.itertext()) for code in cards[0].findall("p/code")]
    name = (cards[0].findtext("p[@class='faint']") or "").split(" ")[0]
    assert codes[1] == known[name]


def test_a_run_whose_model_cannot_be_read_any_more_still_has_its_figures(
    runs: Path, tiny: Path, tmp_path: Path
) -> None:
    shutil.copytree(runs / "seed-0", tmp_path / "old")
    about = json.loads((tmp_path / "old" / "model.json").read_text())
    (tmp_path / "old" / "model.json").write_text(json.dumps({**about, "grammar": "another"}))
    text = report_page(entries_of([tmp_path / "old"]), tiny / "dev.jsonl.gz")
    assert "They cannot be shown." in text
    assert "trained with another grammar" in text
    assert "<article>" in report_page(entries_of([tmp_path / "old", runs / "seed-0"]), tiny / "dev.jsonl.gz")
