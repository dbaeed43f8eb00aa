"""Folds: every group is in one of them, whatever the order and the process, and dev is never what is held out."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people import PeopleDomain

from chorale.domain import Unlabelled, kind_of
from chorale.errors import ChoraleError
from chorale.evaluation.meaning import known_programs
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.plumbing.files import fold_of
from chorale.sweeps.folds.folding import DEV_SHARE, Folding, folding_of, longest, structure

counts = st.integers(1, 7)


def folds_of(texts: Iterable[str], count: int, seed: int = 0) -> list[int]:
    return [fold_of(text, count, seed) for text in texts]


@given(st.text(max_size=3), counts, st.integers(0, 3))
def test_there_are_so_many_folds(text: str, count: int, seed: int) -> None:
    assert 0 <= fold_of(text, count, seed) < count


@given(st.permutations([f"there are {number} blocks" for number in range(40)]), counts)
def test_a_group_is_in_one_fold_whatever_the_order_and_the_others(kinds: list[str], count: int) -> None:
    said = [Unlabelled(kind, ()) for kind in (*kinds, *kinds[:7])]
    folding = folding_of(PeopleDomain(), said, "kind", count, {})
    assert dict(zip(folding.groups, folding.folds, strict=True)) == {
        kind_of(PeopleDomain(), kind): fold_of(kind_of(PeopleDomain(), kind), count) for kind in kinds
    }
    assert folding.folds[40:] == folding.folds[:7]


def test_folds_are_the_same_in_every_process() -> None:
    script = "from chorale.plumbing.files import fold_of; print([fold_of(str(number), 5) for number in range(50)])"
    here = str(folds_of(map(str, range(50)), 5))
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == here


def test_folds_are_about_equal_and_differ_by_seed() -> None:
    items = [f"kind {number}" for number in range(5000)]
    folds = folds_of(items, 5)
    assert all(900 < size < 1100 for size in Counter(folds).values())
    same = sum(a == b for a, b in zip(folds, folds_of(items, 5, seed=1), strict=True))
    assert 900 < same < 1100


def test_dev_is_an_eighth_of_the_kept_groups_and_another_one_in_each_fold() -> None:
    groups = [f"kind {number % 2000}" for number in range(3000)]
    folding = Folding("kind", groups, folds_of(groups, 5), 5)
    devs = []
    for number in range(5):
        fold = folding.fold(number)
        parts = [fold.train, fold.dev, fold.held_out]
        assert sorted(index for part in parts for index in part) == list(range(3000))
        train, dev, held_out = ({groups[index] for index in part} for part in parts)
        assert not train & dev
        assert not (train | dev) & held_out
        assert len(dev) == pytest.approx((2000 - len(held_out)) / DEV_SHARE, rel=0.2)
        devs.append(dev)
    assert len(set.union(*devs)) > 2 * len(devs[0])


def test_what_is_held_out_over_all_folds_is_everything_once() -> None:
    groups = [f"kind {number}" for number in range(100)]
    folding = Folding("kind", groups, folds_of(groups, 3), 3)
    assert sorted(index for number in range(3) for index in folding.fold(number).held_out) == list(range(100))


def test_folds_that_are_not_there_or_empty_are_told() -> None:
    folding = Folding("kind", ["a", "b"], [0, 0], 2)
    with pytest.raises(ChoraleError, match="numbered from 0 to 1"):
        folding.fold(2)
    with pytest.raises(ChoraleError, match="fold 1 leaves nothing for dev: there are only 2 kinds"):
        folding.fold(1)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30), st.floats(0.05, 0.95))
def test_the_longest_are_longer_than_the_rest_and_as_near_to_the_share_as_can_be(
    lengths: list[int], share: float
) -> None:
    long = longest(lengths, share)
    wanted = share * len(lengths)
    missed = min(abs(sum(length >= least for length in lengths) - wanted) for least in lengths)
    assert abs(sum(long) - wanted) == missed
    kept = [length for length, it in zip(lengths, long, strict=True) if not it]
    assert max(kept, default=0) < min(length for length, it in zip(lengths, long, strict=True) if it)


def test_by_length_there_is_one_fold_of_long_sentences() -> None:
    domain, file = Nlvr(), embedded_corpus() / "train.jsonl.gz"
    utterances = domain.read(file)
    folding = folding_of(domain, utterances, "length", 5, {})
    fold = folding.fold(0)
    sizes = [[len(domain.words(utterances[it].sentence)) for it in part] for part in (fold.train, fold.held_out)]
    assert max(sizes[0]) < min(sizes[1])
    assert 0.1 < len(sizes[1]) / len(utterances) < 0.3
    with pytest.raises(ChoraleError, match="there is no fold 1"):
        folding.fold(1)


def test_a_structure_leaves_out_what_the_sentence_fills_in() -> None:
    domain = Nlvr()
    said = [Unlabelled(f"There is a {color} block over a {other} block.", (), name) for name, color, other in (
        ("1", "black", "blue"), ("2", "yellow", "black"), ("3", "blue", "blue"),
    )]  # fmt: skip
    programs = {
        "1": "object_exists(black(above(blue(all_objects))))",
        "2": "object_exists(yellow(above(black(all_objects))))",
        "3": "object_exists(blue(above(blue(all_objects))))",
    }
    assert len({structure(domain, one, programs) for one in said}) == 1
    with pytest.raises(ChoraleError, match="utterance 1: its program is not known"):
        structure(domain, said[0], {})


def test_structures_of_the_synthetic_corpus_are_fewer_than_its_kinds() -> None:
    domain, file = Nlvr(), embedded_corpus() / "train.jsonl.gz"
    utterances = domain.read(file)
    structures = set(folding_of(domain, utterances, "structure", 5, known_programs(file)).groups)
    assert 50 < len(structures) < len({kind_of(domain, one.sentence) for one in utterances})


@pytest.mark.nlvr
def test_kinds_of_nlvr_and_the_sizes_of_its_folds(nlvr: Path) -> None:
    domain = Nlvr()
    utterances = domain.read(nlvr / "train.json")
    folding = folding_of(domain, utterances, "kind", 5, {})
    counted = Counter(folding.groups)
    assert (len(utterances), len(counted), sum(count == 1 for count in counted.values())) == (3163, 1382, 990)
    assert sorted(len(folding.fold(number).held_out) for number in range(5)) == [603, 611, 614, 627, 708]
