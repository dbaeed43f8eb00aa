"""Folds: every group is in one of them, whatever the order and the process, and dev is never what is held out."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import Unlabelled, kind_of
from chorale.errors import ChoraleError
from chorale.evaluation.folds import DEV_SHARE, Folding, folding_of, folds_by, longest, structure
from chorale.evaluation.meaning import known_programs
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import embedded_corpus

words = st.lists(st.text(max_size=3), max_size=40)
counts = st.integers(1, 7)


@given(words, counts, st.integers(0, 3))
def test_every_key_is_in_exactly_one_fold(items: list[str], count: int, seed: int) -> None:
    folds = folds_by(str.lower, items, count, seed)
    assert all(0 <= fold < count for fold in folds)
    assert len({(item.lower(), fold) for item, fold in zip(items, folds, strict=True)}) == len({*map(str.lower, items)})


@given(words.flatmap(lambda items: st.tuples(st.just(items), st.permutations(items))), counts)
def test_a_fold_depends_neither_on_the_order_nor_on_the_others(both: tuple[list[str], list[str]], count: int) -> None:
    items, shuffled = both
    alone = {item: folds_by(str, [item], count)[0] for item in items}
    assert folds_by(str, shuffled, count) == [alone[item] for item in shuffled]


def test_folds_are_the_same_in_every_process() -> None:
    script = "from chorale.evaluation.folds import folds_by; print(folds_by(str, map(str, range(50)), 5))"
    here = str(folds_by(str, map(str, range(50)), 5))
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == here


def test_folds_are_about_equal_and_differ_by_seed() -> None:
    items = [f"kind {number}" for number in range(5000)]
    folds = folds_by(str, items, 5)
    assert all(900 < size < 1100 for size in Counter(folds).values())
    same = sum(a == b for a, b in zip(folds, folds_by(str, items, 5, seed=1), strict=True))
    assert 900 < same < 1100


def test_dev_is_an_eighth_of_the_kept_groups_and_another_one_in_each_fold() -> None:
    groups = [f"kind {number % 2000}" for number in range(3000)]
    folding = Folding("kind", groups, folds_by(str, groups, 5), 5)
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
    folding = Folding("kind", groups, folds_by(str, groups, 3), 3)
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
    assert (len(utterances), len(counted), sum(count == 1 for count in counted.values())) == (3163, 1380, 988)
    assert sorted(len(folding.fold(number).held_out) for number in range(5)) == [604, 612, 613, 626, 708]
