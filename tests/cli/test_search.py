"""`chorale search` from outside."""

import json
from pathlib import Path

import pytest
from tests.people import questions

from chorale.nlvr.pictures.synthetic import Knobs, generate

from .conftest import Chorale


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "train.json"
    made = generate("train", 8, Knobs(seed=6))
    path.write_text("\n".join(line for utterance in made for line in utterance.lines()))
    return path


SHORT = ("--max-actions", 9, "--jobs", 1)


def test_a_file_is_searched_and_summed_up(chorale: Chorale, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "found.jsonl"
    called = chorale("search", *SHORT, "--json", data=corpus, out=out)
    assert called.status == 0
    summary = called.json()
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) == 8
    assert isinstance(summary, dict)
    assert summary["covered"] == sum(bool(line["candidates"]) for line in lines)
    told = chorale("search", *SHORT, "--strict", data=corpus, out=out)
    assert told.status == 0
    assert "with a candidate" in told.out


@pytest.mark.parametrize(
    "options",
    [("--procedure", "reference"), ("--noise", "0.1", "--no-pool"), ("--language", "macro")],
)
def test_the_options_work(chorale: Chorale, corpus: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    out = tmp_path / "found.jsonl"
    assert chorale("search", *SHORT, *options, data=corpus, out=out).status == 0
    assert len(out.read_text().splitlines()) == 8


def test_one_sentence_is_shown_with_a_picture_on_which_the_best_two_differ(
    chorale: Chorale, corpus: Path, tmp_path: Path
) -> None:
    sentence = json.loads(corpus.read_text().splitlines()[0])["sentence"]
    picture = tmp_path / "differ.png"
    called = chorale("search", *SHORT, "--json", data=corpus, sentence=sentence.upper(), picture=picture)
    shown = called.json()
    assert isinstance(shown, dict)
    assert len(shown["candidates"]) >= 2
    assert shown["differ"]["answers"] in ([True, False], [False, True])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert chorale("search", *SHORT, data=corpus, sentence=sentence).out.startswith("1 utterance, 4 pictures")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--sentence", "There is no such sentence in it"), "no utterance says"),
        (("--language", "klingon", "--out", "x.jsonl"), "klingon"),
        (("--language", "consistant", "--out", "x.jsonl"), "did you mean 'consistent'?"),
        (("--domain", "nlrv", "--out", "x.jsonl"), "did you mean 'nlvr'?"),
        (("--domain", "tests.people:Nothing", "--out", "x.jsonl"), "expected a class such as mymodule:Bar"),
        (("--strict", "--noise", "0.1", "--out", "x.jsonl"), "--strict means"),
        (("--noise", "0.7", "--out", "x.jsonl"), "0.7"),
        (("--noise", "much", "--out", "x.jsonl"), "much"),
        (("--noise", "raters", "--out", "x.jsonl"), "rates by rater were removed"),
        ((), "--sentence"),
        (("--out", "x.jsonl", "--sentence", "y"), "either"),
        (("--out", "x.jsonl", "--picture", "y.png"), "--sentence"),
        (("--procedure", "reference", "--language", "extended", "--out", "x.jsonl"), "reference"),
        (("--out", "no/such/folder/x.jsonl"), "no/such/folder"),
        (("--out", "/dev/null"), "/dev/null"),
        (("--out", "-"), "name a file"),
    ],
)
def test_bad_options_are_told_with_status_2(
    chorale: Chorale, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    called = chorale("search", *SHORT, *options, data=corpus)
    assert called.status == 2
    assert said in called.err
    assert "Traceback" not in called.err
    assert not list(tmp_path.iterdir())


def test_an_unreadable_file_is_told_with_line_and_field(chorale: Chorale, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"sentence": "x"}\n')
    called = chorale("search", data=bad, out=tmp_path / "out.jsonl")
    assert called.status == 2
    assert "bad.json:1" in called.err
    missing = chorale("search", data=tmp_path / "none.json", out=tmp_path / "out.jsonl")
    assert missing.status == 2
    assert "none.json" in missing.err


def test_a_domain_from_outside_is_searched_by_its_class(
    chorale: Chorale, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    data, out = tmp_path / "questions.jsonl", tmp_path / "found.jsonl"
    data.write_text("\n".join(questions(6, seed=2)))
    options = ("--domain", "tests.people:PeopleDomain", "--max-actions", 11, "--jobs", 2, "--json")
    called = chorale("search", *options, "--strict", data=data, out=out)
    assert called.status == 0, called.err
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert called.json()["right"] == sum(bool(line["candidates"]) for line in lines) >= 5  # type: ignore[index]
    shown = chorale("search", *options, data=data, sentence=lines[0]["sentence"])
    assert shown.status == 0, shown.err
    assert shown.json()["candidates"]  # type: ignore[index]
    for more, said in (
        (("--procedure", "reference"), "people has no agenda for asking"),
        (("--language", "consistent"), "people has no language 'consistent'"),
    ):
        refused = chorale("search", *options, *more, data=data, out=out)
        assert refused.status == 2
        assert said in refused.err
    drawn = chorale("search", *options, data=data, sentence=lines[0]["sentence"], picture=tmp_path / "x.png")
    assert drawn.status == 2
    assert "--picture" in drawn.err
