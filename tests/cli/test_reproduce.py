"""`chorale reproduce` and the demo on a tiny corpus, from the outside."""

import gzip
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from chorale.cli.main import app
from chorale.domain import Example, Reading
from chorale.evaluation.meaning import known_programs, right_meaning
from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, write_corpus
from chorale.report.looks import LOOKS
from chorale.report.published import PUBLISHED, table_recipes

FEW = [
    "search.procedure=meaning",
    "search.max_actions=7",
    *(f"{kind}.epochs=1" for kind in ("mml", "reward", "coverage", "supervised", "tied", "rerank")),
    "supervised.examples=200",
    "collect.beam=20",
    "parser.encoder=8",
]
SET = [part for change in FEW for part in ("--set", change)]


def chorale(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder, {"train": 24, "dev": 8, "test": 6}, Knobs(seed=2))
    return folder


@pytest.fixture(scope="module")
def table(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[object], Result]:
    """The table of all rows, the command that makes it, and what it printed."""
    out = tmp_path_factory.mktemp("table")
    command = ["reproduce", "--data", corpus, "--quick", "--seeds", 1, "--jobs", 2, "--out", out, *SET]
    result = chorale(*command)
    assert result.exit_code == 0, result.output + "".join(path.read_text() for path in out.rglob("*.txt"))
    return out, command, result


def test_the_table_has_every_row_beside_what_was_published(table: tuple[Path, list[object], Result]) -> None:
    out, _, result = table
    assert {row.label for row in PUBLISHED} <= {line.split("  ")[0] for line in result.output.splitlines()}
    assert "88.2 / 73.6" in result.output
    records = json.loads((out / "results.json").read_text())["rows"]
    run = [record for record in records if "dev" in record]
    assert [record["row"] for record in run] == [row.recipe for row in PUBLISHED]
    for record in run:
        kept = json.loads((out / record["row"] / "seed-0" / "dev.json").read_text())
        assert record["dev"] == {"accuracy": [kept["accuracy"]], "consistency": [kept["consistency"]]}
        assert 0 <= record["right_meaning"]["dev"][0] <= record["dev"]["consistency"][0]
        assert "test" not in record


def test_a_row_that_only_adds_a_reranker_begins_with_the_run_without_it(
    table: tuple[Path, list[object], Result],
) -> None:
    plain, more = (table[0] / name / "seed-0" for name in ("abstract", "abstract_rerank"))
    assert "are taken over from" in more.with_name("seed-0.output.txt").read_text()
    assert (more / "model.safetensors").read_bytes() == (plain / "model.safetensors").read_bytes()


def test_the_page_stands_alone_and_is_well_formed(table: tuple[Path, list[object], Result]) -> None:
    text = (table[0] / "results.html").read_text()
    page = ElementTree.fromstring(text)
    assert len(page.findall(".//{http://www.w3.org/2000/svg}svg")) >= 3
    assert "does agreement help?" in text
    links = [value for element in page.iter() for key, value in element.items() if key in {"src", "href"}]
    assert links == []


def test_the_same_command_trains_nothing_twice(table: tuple[Path, list[object], Result]) -> None:
    out, command, first = table
    before = {path: path.stat().st_mtime_ns for path in out.rglob("model.json")}
    again = chorale(*command)
    assert again.exit_code == 0
    assert before == {path: path.stat().st_mtime_ns for path in out.rglob("model.json")}
    assert again.output.splitlines()[-8:] == first.output.splitlines()[-8:]


def test_test_is_looked_at_only_when_asked_and_every_look_is_noted(table: tuple[Path, list[object], Result]) -> None:
    out, command, _ = table
    assert not list(out.rglob("test.json"))
    assert not (out / LOOKS).exists()
    for looks in (1, 2):
        result = chorale(*command, "--test", "--json")
        assert result.exit_code == 0, result.output
        lines = (out / LOOKS).read_text().splitlines()
        assert len(lines) == looks
        assert set(json.loads(lines[-1])["recipes"]) == {row.recipe for row in PUBLISHED}
    assert len(list(out.rglob("test.json"))) == len(PUBLISHED)
    assert "test accuracy" in (out / "results.html").read_text()


def test_rows_can_be_chosen_and_are_checked_before_any_work(tmp_path: Path) -> None:
    assert list(table_recipes(["consistency", "language"])) == ["language", "consistency"]
    result = chorale("reproduce", "--rows", "langauge", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "did you mean 'language'?" in result.output
    assert not (tmp_path / "out").exists()


def test_a_program_is_right_meaning_if_it_means_the_same_in_whatever_language() -> None:
    domain, known = Nlvr(), {"1": "box_exists(box_filter(all_boxes, object_count_equals(2)))"}

    def share(program: str, language: str) -> float:
        parsed = domain.languages[language].parse(program)
        reading = Reading(parsed, utterance=Example("1", "s", (), ()))
        return right_meaning(domain, language, [reading], known)

    assert share("box_count_greater_equals(1, box_filter(all_boxes, object_count_equals(2)))", "consistent") == 1
    assert share("box_exists(member_count_equals(all_boxes, 2))", "macro") == 1
    assert share("box_exists(member_count_greater_equals(all_boxes, 2))", "macro") == 0


def test_known_programs_are_read_and_missing_ones_are_no_mistake(corpus: Path, tmp_path: Path) -> None:
    assert len(known_programs(corpus / "dev.jsonl.gz")) == 8
    (tmp_path / "plain.json").write_text('{"identifier": "1-0", "sentence": "x"}\n')
    assert known_programs(tmp_path / "plain.json") == {}


def test_the_demo_tells_its_story_in_order(corpus: Path, tmp_path: Path) -> None:
    result = chorale("demo", "--out", tmp_path / "demo", "--data", corpus, *SET)
    assert result.exit_code == 0, result.output
    story = (
        "many of them are right by accident",
        "mean something else than their sentence",
        "+ Consistency Reward",
        "dev right meaning",
        "What is the third most expensive item?",
        "chorale serve",
    )
    places = [result.output.find(text) for text in story]
    assert -1 not in places
    assert places == sorted(places)
    assert "results.html" in {path.name for path in (tmp_path / "demo").iterdir()}
    ElementTree.fromstring((tmp_path / "demo" / "results.html").read_text())


def test_the_demo_wants_a_corpus_whose_programs_are_known(corpus: Path, tmp_path: Path) -> None:
    for split in ("train", "dev"):
        lines = gzip.decompress((corpus / f"{split}.jsonl.gz").read_bytes()).splitlines()
        plain = [{key: value for key, value in json.loads(line).items() if key != "program"} for line in lines]
        (tmp_path / f"{split}.json").write_text("".join(json.dumps(line) + "\n" for line in plain))
    result = chorale("demo", "--out", tmp_path / "demo", "--data", tmp_path)
    assert result.exit_code == 2
    assert "expected a synthetic corpus" in result.output


def test_a_parser_that_was_told_what_sentences_trigger_is_told_when_it_is_used(
    table: tuple[Path, list[object], Result], corpus: Path
) -> None:
    run = table[0] / "iterative_search" / "seed-0"
    assert {name: load(table[0] / name / "seed-0").about.agenda for name in ("iterative_search", "language")} == {
        "iterative_search": True,
        "language": False,
    }
    model = load(run)
    utterances = model.domain.read(corpus / "dev.jsonl.gz")
    kept = json.loads((run / "dev.json").read_text())["right"]
    assert {name: list(values) for name, values in model.evaluate(utterances).right.items()} == kept
    best = model.predict(utterances[:1])[0]
    parsed = model.parse(utterances[0].sentence, utterances[0].contexts)[0]
    assert (parsed.program, parsed.answers) == (best.program, best.answers)
    assert parsed.probability == pytest.approx(best.probability, rel=1e-4)
