"""What each group of features, altered copies and functions are worth over tables; one JSON line each.

    python benchmarks/tables_ablation.py [wtq] [--questions 5000] [--seeds 3] [--only words,copies] [--probed 300]

Weights are learned once from some questions of four folds of train, without the group, and judged on the fifth, whose
tables they have not seen, and on dev. `lost` is what the right answers lose against the whole, in points: the mean over
seeds, and the standard error over questions. Programs are proposed once for all groups of features; without altered
copies, and without functions, they are proposed anew. For these, right answers on dev are changed as `evaluate --probe`
changes them, and `stayed` is the share of those that stay right under all changes.

The recipe averages five learnings and leaves small weights out; a single one is some half a point worse.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Reading, Utterance
from chorale.domain.candidates import Flags, Posed
from chorale.domain.parsing import Corpus
from chorale.evaluation.predictions import predict
from chorale.evaluation.robustness import robustness_of
from chorale.ranker.best import log_softmax
from chorale.ranker.cross import folds_of
from chorale.ranker.keyed import KeyedRanker, ProposalSettings
from chorale.ranker.online import Examples, OnlineSettings
from chorale.ranker.weights import KeyWeights, summed
from chorale.runs.run import find_split
from chorale.search.stages import Stages
from chorale.tables.asked import Asked
from chorale.tables.costs import TableCosts, costs_of
from chorale.tables.domain import Tables
from chorale.tables.features import names
from chorale.tables.language import TableLanguage
from chorale.tables.proposing import SEED, TableCandidates, TableProposing
from chorale.tables.questions import table_of
from chorale.tables.variants import variants

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "wtq"
HELD_OUT = 0  # the fold that is judged on

GROUPS = {
    "functions": "call call-question call-head call-head-question call-first-two call-first-three call-superlative",
    "words": "call-word call-pair",
    "columns": "given-type given-look given-view given-view-type given-view-question given-index given-last "
    "given-distinct given-subject",
    "names": "given-level given-level-near given-level-best given-level-question given-level-subject given-said "
    "given-family given-said-best given-before given-far given-head-in-name given-head-question given-superlative-far",
    "questions and columns": "given-question-type given-question-index given-question-subject given-question-distinct "
    "given-head-type given-question-look given-head-look",
    "words and names": "given-name-word given-head-name given-question-name given-word-name given-related "
    "given-superlative-type given-superlative-view given-superlative-name given-next-name",
    "conditions": "link link-type link-look link-level link-length link-others link-said link-family link-found "
    "link-role-found link-share link-index link-distinct link-view link-distance link-longer link-exact "
    "link-level-best",
    "words around conditions": "link-before link-before-two link-before-three link-after link-after-two "
    "link-before-type link-window link-window-after link-word link-name-word link-around-name",
    "skeletons": "skeleton skeleton-question skeleton-head skeleton-first-two",
    "words and skeletons": "skeleton-word skeleton-pair skeleton-triple",
    "unsaid": " ".join(name for name in names() if name.startswith("unsaid")),
    "answers": " ".join(name for name in names() if name.startswith("answer")),
    "joint": " ".join(name for name in names() if name.startswith("joint")),
}
"""The templates of each group; each template is in one."""
WIDER = {
    "all words": ("words", "words and names", "words around conditions", "words and skeletons"),
    "all features": tuple(GROUPS),
}
"""Several groups at once."""

EXTRA = {
    *("has_item", "items", "next_more", "next_less", "is_win", "is_loss", "is_draw"),
    *("sum_of_columns", "difference_of_columns", "is_repeated", "occurs"),
}
"""The functions that were added last, for parts of cells and columns beside each other."""
EXTRA_VIEWS = frozenset({"second", "difference", "items"})


class Fewer(TableProposing):
    """Programs without these functions, and without columns and views that are parts of cells."""

    def propose(self, utterance: Utterance, copies: int, most: int) -> TableCandidates | None:
        table = table_of(utterance)
        if not len(table):
            return None
        costs = _without_extra(costs_of(Asked(utterance.sentence), table))
        language = TableLanguage([table, *variants(table, copies, SEED)]).with_constants(costs.constants)
        found = TableCandidates(Stages(language, costs), costs, language, most)
        return found if len(found.rows) else None


def _without_extra(costs: TableCosts) -> TableCosts:
    table, gone = costs.linking.table, set(EXTRA)
    for name, (kind, value) in costs.constants.items():
        if str(kind) == "Column":
            column = table.columns[int(value)]
            is_gone = column.is_virtual and column.part != "month"
        else:
            is_gone = str(kind) == "View" and table.views[int(value)].kind in EXTRA_VIEWS
        if is_gone:
            gone.add(name)
    return replace(costs, names={name: cost for name, cost in costs.names.items() if name not in gone})


class WithoutExtra(Tables):
    """Questions over tables whose programs lack these functions."""

    def proposing(self, language: str) -> TableProposing:
        return Fewer()


_GROUP = {name: number for number, own in enumerate(GROUPS.values()) for name in own.split()}
GROUP_OF = np.array([_GROUP[name] for name in names()], np.uint8)
"""The group of each template."""


@dataclass(frozen=True)
class Kept:
    """The programs of a question, and which of them are right."""

    posed: Posed
    right: Flags

    def without(self, groups: Collection[int]) -> Posed:
        """The same without the features of some groups."""
        if not groups:
            return self.posed
        posed, kept = self.posed, ~np.isin(GROUP_OF[self.posed.template], list(groups))
        return replace(posed, keys=posed.keys[kept], part=posed.part[kept], template=posed.template[kept])


@dataclass(frozen=True)
class Split:
    """Questions, and what is proposed for each; None if there is nothing."""

    questions: Sequence[Utterance]
    kept: Sequence[Kept | None]

    @staticmethod
    def of(ranker: KeyedRanker, questions: Sequence[Utterance]) -> Split:
        found: list[Kept | None] = []
        for question in questions:
            candidates = ranker.candidates(question)
            [answer] = question.answers
            if candidates is None or answer is None:
                found.append(None)
                continue
            found.append(Kept(ranker.posed(candidates), candidates.right(answer)))
        return Split(questions, found)

    def learned(self, gone: Collection[int], seed: int) -> KeyWeights:
        """Weights that are learned from all of them."""
        examples = Examples()
        for it in self.kept:
            if it is not None:
                examples.add(it.without(gone), it.right)
        return examples.learn(OnlineSettings(), seed)

    def rights(self, weights: KeyWeights, gone: Collection[int]) -> Flags:
        """Which questions the most probable answer is right for."""
        return np.array([it is not None and _is_right(it, it.without(gone), weights) for it in self.kept])


def _is_right(kept: Kept, posed: Posed, weights: KeyWeights) -> bool:
    by_part = summed(posed.part, weights.of(posed.keys), posed.parts)
    logs = log_softmax(by_part[posed.programs].sum(axis=1) + posed.priors)
    by_answer = summed(posed.answers, np.exp(logs), int(posed.answers.max()) + 1)
    return bool(kept.right[posed.answers.tolist().index(int(by_answer.argmax()))])


@dataclass(frozen=True)
class Judged:
    """What was right with each seed, (seed, question)."""

    fold: NDArray[np.bool_]
    dev: NDArray[np.bool_]
    features: int

    def figures(self, whole: Judged) -> dict[str, object]:
        found: dict[str, object] = {"features": self.features}
        for name in ("fold", "dev"):
            own, other = (100.0 * getattr(it, name) for it in (self, whole))
            lost = other.mean(axis=0) - own.mean(axis=0)  # (question,)
            found[name] = round(float(own.mean()), 2)
            found[f"{name}_of_seeds"] = [round(float(it), 2) for it in own.mean(axis=1)]
            if self is not whole:
                found[f"{name}_lost"] = round(float(lost.mean()), 2)
                found[f"{name}_error"] = round(float(lost.std() / len(lost) ** 0.5), 2)
        return found


@dataclass(frozen=True)
class Splits:
    """What is learned from, and what is judged on."""

    learned: Split
    fold: Split
    dev: Split

    @staticmethod
    def of(ranker: KeyedRanker, questions: Sequence[Sequence[Utterance]]) -> Splits:
        return Splits(*(Split.of(ranker, own) for own in questions))

    def judged(self, gone: Collection[int], seeds: int) -> tuple[Judged, KeyWeights]:
        """The weights are those of the first seed."""
        if gone == set(range(len(GROUPS))):  # nothing to learn: the prior alone
            several = [KeyWeights.none()]
        else:
            several = [self.learned.learned(gone, seed) for seed in range(seeds)]
        fold, dev = (np.stack([own.rights(it, gone) for it in several]) for own in (self.fold, self.dev))
        return Judged(fold, dev, len(several[0])), several[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=Path(os.environ.get("CHORALE_WTQ") or BESIDE))
    parser.add_argument("--questions", type=int, default=5_000, help="of train that are learned from")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="these, with commas between; default: all")
    parser.add_argument("--probed", type=int, default=300, help="questions of dev that are changed; 0: none")
    options = parser.parse_args()
    domain = Tables()
    train, dev = (domain.read(find_split(options.data, split)) for split in ("train", "dev"))
    fold = folds_of([domain.topic(question) for question in train])
    others = [question for question, own in zip(train, fold, strict=True) if own != HELD_OUT]
    chosen = Random(0).sample(others, min(options.questions, len(others)))
    questions = chosen, [it for it, own in zip(train, fold, strict=True) if own == HELD_OUT], list(dev)
    only = {it.strip() for it in options.only.split(",") if it.strip()}

    whole = _ranker(domain)
    splits = Splits.of(whole, questions)
    reference, weights = splits.judged(frozenset(), options.seeds)
    probed = questions[2][: options.probed]
    _say({"without": "nothing", **reference.figures(reference), **_stayed(whole.with_weights(weights), probed)})
    for name, own in {**{it: (it,) for it in GROUPS}, **WIDER}.items():
        if not only or name in only:
            judged, _ = splits.judged({list(GROUPS).index(it) for it in own}, options.seeds)
            _say({"without": name, **judged.figures(reference)})
    del splits
    for name, ranker in {"copies": _ranker(domain, 0), "extra functions": _ranker(WithoutExtra())}.items():
        if not only or name in only:
            judged, weights = Splits.of(ranker, questions).judged(frozenset(), options.seeds)
            _say({"without": name, **judged.figures(reference), **_stayed(ranker.with_weights(weights), probed)})


def _ranker(domain: Tables, copies: int = 3) -> KeyedRanker:
    return KeyedRanker(domain, "tables", ProposalSettings(copies=copies), KeyWeights.none())


def _stayed(ranker: KeyedRanker, questions: Sequence[Utterance]) -> dict[str, Any]:
    """The share of right answers that stay right when what should not matter changes."""
    if not questions:
        return {}

    def asked(several: Sequence[Utterance]) -> list[Reading]:
        return predict(ranker, Corpus.of(ranker.domain, ranker.language, several))

    found = robustness_of(asked, ranker.domain.probes, questions, asked(questions), ranker.domain.answers)
    shares = {"all": found.every, **found.kinds}
    return {
        "probed": found.right,
        "stayed": {name: round(100 * it.share, 1) for name, it in shares.items() if it.share is not None},
    }


def _say(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
