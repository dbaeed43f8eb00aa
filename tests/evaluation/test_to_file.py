"""Predictions of a whole corpus: the files are the same however they came about."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from tests.written import as_csv, as_tsv

import chorale
from chorale.domain import Answer, Answers, Domain, Doubt, Reading, Unlabelled, Utterance
from chorale.engines.local import Local
from chorale.errors import ChoraleError
from chorale.evaluation import to_file
from chorale.evaluation.predictions import PredictionLine, tsv_lines
from chorale.evaluation.to_file import BATCH, predict_to_file
from chorale.language import Language
from chorale.nlvr import Consistent
from chorale.nlvr.pictures.synthetic import Knobs, generate
from chorale.parser.decoding import AT_ONCE

ANSWERS: list[Answer] = [True, False, 3, 2.5, "a, b", None, (1, "x"), frozenset({"b", "a"}), float("nan")]


class Stopped(Exception):  # noqa: N818 - says what happened
    """The power fails."""


class Talk(Domain):
    """Sentences about anything; parses are remembered by the sentence, as they are by default."""

    name = "talk"
    languages: ClassVar[Mapping[str, type[Language]]] = {"consistent": Consistent}


TALK = Talk()
PROGRAM = Consistent.parse("object_exists(all_objects)")


def predict(utterances: Sequence[Utterance]) -> list[Reading]:
    return [predicted(one) for one in utterances]


def predicted(utterance: Utterance) -> Reading:
    random = Random(utterance.identifier)
    return Reading(
        PROGRAM,
        log_probability=-random.random(),
        answers=tuple(random.choice(ANSWERS) for _ in utterance.contexts),
        confidence=Random(utterance.sentence).random(),
        reasons=(Doubt("cat", "it is \N{CAT FACE}"),),
        utterance=utterance,
    )


@pytest.fixture
def utterances(monkeypatch: pytest.MonkeyPatch) -> list[Unlabelled]:
    """Thirty utterances of any length, and batches of four."""
    monkeypatch.setattr(to_file, "BATCH", 4)
    random = Random(7)
    return [
        Unlabelled("word " * random.randrange(1, 6), tuple(range(random.randrange(1, 4))), f"u{number}")
        for number in range(30)
    ]


def write(folder: Path, utterances: Sequence[Utterance], call: Any = predict, **how: Any) -> tuple[bytes, bytes]:
    out, programs = folder / "said.csv", folder / "programs.jsonl"
    predict_to_file(call, TALK, utterances, out, programs=programs, **{"depends_on": "a", "answer_if": 0.3, **how})
    return out.read_bytes(), programs.read_bytes()


def expected(utterances: Sequence[Utterance]) -> tuple[bytes, bytes]:
    all_at_once = predict(utterances)
    return as_csv(utterances, all_at_once, Answers(), 0.3).encode(), as_json_lines(all_at_once).encode()


def as_json_lines(predictions: Sequence[Reading]) -> str:
    return "".join(PredictionLine.of(one, Answers()).text for one in predictions)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("depends_on", ["a", None])
def test_files_are_those_of_all_at_once(
    utterances: list[Unlabelled], tmp_path: Path, jobs: int, depends_on: str | None
) -> None:
    assert write(tmp_path, utterances, engine=Local(jobs), depends_on=depends_on) == expected(utterances)
    assert {path.name for path in tmp_path.iterdir()} == {"said.csv", "programs.jsonl"}


def test_a_header_names_the_columns(utterances: list[Unlabelled], tmp_path: Path) -> None:
    csv, programs = write(tmp_path, utterances, header=True)
    assert (csv, programs) == (b"identifier,answer\n" + expected(utterances)[0], expected(utterances)[1])


def test_a_name_that_ends_in_tsv_has_a_tab_before_each_value(utterances: list[Unlabelled], tmp_path: Path) -> None:
    out = tmp_path / "said.tsv"
    predict_to_file(predict, TALK, utterances, out, depends_on="a", answer_if=0.3)
    assert out.read_text() == as_tsv(utterances, predict(utterances), Answers(), 0.3)
    predict_to_file(predict, TALK, utterances[:1], out, depends_on=None, header=True)
    assert out.read_text().startswith("identifier\tanswer\n")


def test_no_value_breaks_a_line_with_tabs() -> None:
    wild = "a\tb\nc\rd\x0be\x0cf\x85g\u2028h"
    text = tsv_lines([(1, "x", wild), (2, "y", "unknown"), (3, "z", None)], Answers())
    assert text.splitlines() == ["x\ta b c d e f g h", "y\tunknown", "z"]


@pytest.mark.parametrize("torn", [0, 1, 200])
def test_what_was_stopped_goes_on_and_loses_at_most_the_batch_under_way(
    utterances: list[Unlabelled], tmp_path: Path, torn: int
) -> None:
    calls: list[int] = []

    def failing(some: Sequence[Utterance]) -> list[Reading]:
        if len(calls) == 5:
            raise Stopped
        calls.append(len(some))
        return predict(some)

    with pytest.raises(Stopped):
        write(tmp_path, utterances, failing)
    [part] = tmp_path.glob("*.part")
    assert not (tmp_path / "said.csv").exists()
    part.write_bytes(part.read_bytes()[: -torn or None])  # the last lines did not reach the disk
    calls[:] = [0] * 6
    assert write(tmp_path, utterances, failing) == expected(utterances)
    assert sum(calls) == len(utterances) - 4 * (4 if torn else 5)


def test_other_data_starts_afresh_and_what_was_tampered_with_is_predicted_again(
    utterances: list[Unlabelled], tmp_path: Path
) -> None:
    def failing(some: Sequence[Utterance]) -> list[Reading]:
        raise Stopped

    for depends_on in ("a", "b"):
        with pytest.raises(Stopped):
            write(tmp_path, utterances, failing, depends_on=depends_on)
    parts = sorted(tmp_path.glob("*.part"))
    assert len(parts) == 2
    for part in parts:
        part.write_bytes(b'{"identifier": "u1", "confidence": "x"}\n[]\n' + b"[" * 5000 + b"\n")
    assert write(tmp_path, utterances) == expected(utterances)
    assert not list(tmp_path.glob("*.part"))


def test_two_predictions_do_not_write_one_file(utterances: list[Unlabelled], tmp_path: Path) -> None:
    refused = []

    def as_well(some: Sequence[Utterance]) -> list[Reading]:
        if not refused:
            with pytest.raises(ChoraleError, match=r"said\.csv: another prediction is writing this file") as error:
                write(tmp_path, utterances)
            refused.append(error)
        return predict(some)

    assert write(tmp_path, utterances, as_well) == expected(utterances)
    assert refused


def test_a_network_gives_the_same_digits_in_batches_and_after_a_journey(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers depend on what is decoded together, in the last digits; so batches are cut where it cuts them."""
    assert BATCH % AT_ONCE == 0
    monkeypatch.setattr(to_file, "BATCH", AT_ONCE)
    model = chorale.load("consistency")
    made = generate("train", AT_ONCE + 20, Knobs(seed=2))
    utterances = [Unlabelled(one.sentence, one.scenes[:1], str(one.number)) for one in made]
    all_at_once = model.predict(utterances)
    sent = pickle.loads(pickle.dumps(model))
    programs = tmp_path / "programs.jsonl"
    how: dict[str, Any] = {"depends_on": None, "programs": programs}
    predict_to_file(sent.predict, model.domain, utterances, tmp_path / "said.csv", **how)
    assert programs.read_text() == as_json_lines(all_at_once)
    assert (tmp_path / "said.csv").read_text() == as_csv(utterances, all_at_once, Answers())


class Many(Sequence[Unlabelled]):
    """Utterances that are made when they are asked for."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        number = range(self._count)[place]
        return Unlabelled("word " * (390 + number % 5), tuple(range(4)), f"u{number}")


def test_what_is_held_in_memory_hardly_grows_with_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        try:
            predict_to_file(predict, TALK, Many(count), tmp_path / "said.csv", depends_on=None)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    monkeypatch.setattr(to_file, "BATCH", 16)
    # Python keeps some small values for later, but the predictions of 950 more utterances would take two megabytes.
    assert peak(1000) < peak(50) + 600_000
