"""The runs of folds: none of them ever sees what is held out."""

import json
from pathlib import Path

import pytest

from chorale.domain import kind_of
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.runs.models import hash_of_kind
from chorale.sweeps.folds.runs import FoldedCorpus, Folds, read_folds
from chorale.training.recipes import parse_recipe
from chorale.training.train import train


def test_a_run_knows_no_kind_of_its_fold_neither_from_train_nor_from_dev(tiny: Path, tmp_path: Path) -> None:
    domain = Nlvr()
    corpus = FoldedCorpus.read(domain, tiny, "kind", 2)
    recipe = parse_recipe((tiny / "tiny.toml").read_text(), changes=["mml.epochs=1", "reward.epochs=1"])
    folds = Folds(recipe, corpus, tmp_path)
    with pytest.raises(ChoraleError, match="no fold is complete yet"):
        folds.gather()
    run = train(recipe, corpus.splits(0), folds.folder(0))
    folds.ask(0)
    held_out = {corpus.utterances[index].identifier for index in corpus.folding.fold(0).held_out}
    assert read_folds_after(folds) == held_out
    kinds = {hash_of_kind(kind_of(domain, one.sentence)) for one in corpus.utterances if one.identifier in held_out}
    assert not kinds & set(json.loads((run / "model.json").read_text())["seen"])
    dev = set(json.loads((run / "dev.json").read_text())["right"])
    [candidates] = (run / "stages").glob("01-*/candidates.jsonl")
    learned = {json.loads(line)["identifier"] for line in candidates.read_text().splitlines()}
    assert min(len(held_out), len(dev), len(learned)) > 0
    assert len(held_out) + len(dev) + len(learned) == len(held_out | dev | learned) == len(corpus.utterances)


def read_folds_after(folds: Folds) -> set[str]:
    folds.gather()
    return set(read_folds(folds.out).utterances)


def test_runs_of_different_folds_cannot_take_each_others_place(tiny: Path) -> None:
    by_kind, by_length = (FoldedCorpus.read(Nlvr(), tiny, by, 2) for by in ("kind", "length"))  # type: ignore[arg-type]
    hashes = [corpus.splits(number).hashes for corpus, number in ((by_kind, 0), (by_kind, 1), (by_length, 0))]
    assert len({one["train"] for one in hashes}) == len({one["dev"] for one in hashes}) == 3
    assert hashes[0] == FoldedCorpus.read(Nlvr(), tiny, "kind", 2).splits(0).hashes
