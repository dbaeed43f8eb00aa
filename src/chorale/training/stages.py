"""The kinds of stage, and what each does: `STAGES` says which function runs which settings.

A stage reads what those before it gave (`Run.output`), works, and commits what it gives. Where randomness comes in it
is drawn from (seed, stage, epoch) alone, so a stage that is begun again at any epoch draws the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from chorale.domain import Domain
from chorale.errors import ChoraleError
from chorale.parser import Parser, Reranker, Vocabulary
from chorale.runs.checkpoints import load_weights, read_tensors
from chorale.runs.run import Run
from chorale.runs.watching import Stop, Watcher
from chorale.training.abstract_cache import AbstractCache
from chorale.training.candidates import CandidateSource, as_actions, read_candidates, write_candidates
from chorale.training.corpora import Corpus, batches, by_length
from chorale.training.coverage import coverage, coverage_cost
from chorale.training.decoding import evaluating
from chorale.training.expected_reward import expected_reward, explore, renormalised
from chorale.training.figures import Figures
from chorale.training.fitting import fit, seeded
from chorale.training.marginal_likelihood import marginal_likelihood
from chorale.training.related import Partners, rewards_of
from chorale.training.reranking import rerank
from chorale.training.rewards import Rewards, short
from chorale.training.settings import (
    Collect,
    Coverage,
    ExpectedReward,
    Fitted,
    MarginalLikelihood,
    Rerank,
    Search,
    Stage,
    Supervised,
    TiedReward,
)
from chorale.training.supervised import examples_for, log_likelihood
from chorale.training.tied_reward import tied_reward, worthy


@dataclass
class Workshop:
    """What all stages of a run share."""

    run: Run
    domain: Domain
    train: Corpus
    dev: Corpus
    vocabulary: Vocabulary
    source: CandidateSource
    watcher: Watcher
    stop: Stop
    device: str = "cpu"

    def __post_init__(self) -> None:
        self.train_rewards = Rewards(self.train.grounding)
        self.dev_rewards = Rewards(self.dev.grounding)

    def new_parser(self, place: int) -> Parser:
        """A parser with new weights."""
        seeded(self.run.seed, place, 0)
        return Parser(self.train.shared, self.vocabulary, self.run.recipe.parser, self.device)

    def last_parser(self, place: int) -> Parser:
        """The parser of the last stage that gave one."""
        parser = self.new_parser(place)
        path, mark = self.run.output("model")
        load_weights(parser, read_tensors(path, mark), path)
        return parser

    def new_reranker(self, place: int, stage: Rerank) -> Reranker:
        """A reranker with new weights."""
        seeded(self.run.seed, place, 0)
        sizes = replace(self.run.recipe.parser, dropout=stage.dropout)
        return Reranker(self.train.shared, self.vocabulary, sizes, self.device, stage.weight)

    def last_reranker(self, place: int) -> Reranker | None:
        """The reranker, if the stage before a place gave one."""
        stage = self.run.recipe.stages[place - 1]
        if not isinstance(stage, Rerank):
            return None
        reranker = self.new_reranker(place, stage)
        path, mark = self.run.output("reranker")
        load_weights(reranker, read_tensors(path, mark), path)
        return reranker

    def told_agenda(self, place: int) -> bool:
        """Whether the last stage before a place that trained a model told it what sentences trigger."""
        fitted = [stage for stage in self.run.recipe.stages[:place] if isinstance(stage, Fitted)]
        return fitted[-1].agenda

    def finish(self, place: int, line: dict[str, Any]) -> None:
        """Commit the end of a stage."""
        self.run.progress.stages = place + 1
        self.run.progress.state = {}
        line = {"stage": place + 1, "kind": self.run.recipe.stages[place].kind, **line}
        self.run.commit(line)
        self.watcher.line(line)
        self.run.clear_leftovers()


def search(shop: Workshop, place: int, stage: Search) -> None:
    """Find candidates without a model."""
    shop.watcher.stage(place, stage, 0)
    count = len(shop.train)
    with shop.stop.at_once():
        found = shop.source(
            stage,
            shop.domain,
            shop.run.recipe.language,
            shop.train.grounding,
            lambda done: shop.watcher.step(done, count),
        )
    _give_candidates(shop, place, {name: list(programs)[: stage.keep] for name, programs in found.items()})


def train_on_candidates(shop: Workshop, place: int, stage: MarginalLikelihood) -> None:
    """Maximise the marginal likelihood of the last candidates."""
    candidates = as_actions(shop.train, read_candidates(*shop.run.output("candidates")))
    if not candidates:
        raise ChoraleError(
            f"stage {place + 1}, {stage.kind}: no utterance has a candidate, so there is nothing to learn"
        )

    def loss(parser: Parser, chosen: list[int]) -> torch.Tensor:
        scores = parser.score(shop.train.encode(parser, chosen), [candidates[number] for number in chosen])
        return marginal_likelihood(scores.log_probabilities)

    fit(shop, place, stage, sorted(candidates), loss)


def train_on_rewards(shop: Workshop, place: int, stage: ExpectedReward) -> None:
    """Maximise the expected reward of the programs in the beam: being right, and agreeing with related utterances."""
    partners = Partners.drawn(stage, shop.domain, shop.train.utterances, shop.run.seed)
    fillers = shop.domain.relations.fillers if shop.domain.relations is not None else frozenset[str]()
    figures = Figures()

    def loss(parser: Parser, chosen: list[int]) -> torch.Tensor:
        rows, pairs = partners.batch(chosen)
        encoding = shop.train.encode(parser, rows)
        beam = parser.search(encoding, stage.beam, stage.max_actions, attention=pairs is not None, keep=stage.finished)
        right = shop.train_rewards.of(rows, beam.actions)
        grammars = [shop.train.grounding.grammar(row) for row in rows]
        rewards = rewards_of(beam, right, pairs, grammars, stage, len(chosen), figures, fillers)
        ours = beam.actions[: len(chosen)].numpy(force=True)
        scores = parser.score(encoding.first(len(chosen)), ours)
        return expected_reward(scores.log_probabilities, rewards[: len(chosen)])

    fit(shop, place, stage, list(range(len(shop.train))), loss, figures)


def train_on_coverage(shop: Workshop, place: int, stage: Coverage) -> None:
    """Minimise the expected cost of the programs in the beam: being wrong, and leaving out what a sentence triggers."""
    figures = Figures()

    def loss(parser: Parser, chosen: list[int]) -> torch.Tensor:
        encoding = shop.train.encode(parser, chosen, agenda=True)
        assert encoding.agenda is not None
        found = explore(parser, encoding, stage.beam, stage.max_actions)
        right = shop.train_rewards.of(chosen, found.beam.actions)
        figures.add("right", (renormalised(found.beam.log_probabilities) * right).sum(1))
        costs = coverage_cost(found.beam.actions, right, encoding.agenda, stage.weight)
        return coverage(found.log_probabilities, costs)

    fit(shop, place, stage, list(range(len(shop.train))), loss, figures)


def train_on_examples(shop: Workshop, place: int, stage: Supervised) -> None:
    """Maximise the likelihood of the programs of the domain's examples."""
    language, utterances = shop.run.recipe.language, shop.train.utterances
    rng = seeded(shop.run.seed, place, 0)
    examples = examples_for(stage, shop.domain, language, shop.train.shared, utterances, rng)

    def loss(parser: Parser, chosen: list[int]) -> torch.Tensor:
        encoding = parser.encode([examples[number].words for number in chosen])
        scores = parser.score(encoding, [[examples[number].actions] for number in chosen])
        return log_likelihood(scores.log_probabilities)

    fit(shop, place, stage, list(range(len(examples))), loss)


def train_on_tied_rewards(shop: Workshop, place: int, stage: TiedReward) -> None:
    """Raise programs that are right for all utterances of the same abstraction, found in the beam or offered to it."""
    cache = None
    if stage.cache:
        cache = AbstractCache(stage, shop.domain, shop.train.grounding)
        cache.meet({})
    reward = cache.reward if cache else shop.train_rewards.is_right
    offers = cache.offers if cache else lambda _: []
    figures = Figures()

    def loss(parser: Parser, chosen: list[int]) -> torch.Tensor:
        encoding = shop.train.encode(parser, chosen)
        found = worthy(parser.search(encoding, stage.beam, stage.max_actions), chosen, reward, offers, figures)
        if not found:
            return encoding.tokens.new_zeros((), requires_grad=True)
        scores = parser.score(encoding, found.programs).log_probabilities
        return tied_reward(scores, found.rewards_like(scores), stage.power)

    fit(shop, place, stage, list(range(len(shop.train))), loss, figures, cache)


def collect(shop: Workshop, place: int, stage: Collect) -> None:
    """Keep the programs of a wide beam that are right, the most probable first."""
    shop.watcher.stage(place, stage, 0)
    parser, agenda = shop.last_parser(place), shop.told_agenda(place)
    seeded(shop.run.seed, place, 1)  # for dropout, if the reference's mistake is wanted
    found: dict[str, list[str]] = {}
    done = 0
    with evaluating(parser, dropout=stage.dropout):
        for chosen in batches(by_length(shop.train, range(len(shop.train))), stage.batch):
            shop.stop.check()
            beam = parser.search(shop.train.encode(parser, chosen, agenda=agenda), stage.beam, stage.max_actions)
            rows = short(beam.actions)
            for row, number in enumerate(chosen):
                right: list[str] = []
                for actions in rows[row]:
                    program = actions[actions >= 0]
                    if len(right) < stage.keep and len(program) and shop.train_rewards.is_right(number, program):
                        right.append(shop.train_rewards.program(number, program).text)
                found[shop.train.utterances[number].identifier] = right
            done += len(chosen)
            shop.watcher.step(done, len(shop.train))
    _give_candidates(shop, place, found)


def _give_candidates(shop: Workshop, place: int, candidates: dict[str, list[str]]) -> None:
    folder = shop.run.stage_folder(place)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "candidates.jsonl"
    shop.run.keep("candidates", path, write_candidates(path, shop.train, candidates))
    counts = [len(candidates.get(utterance.identifier, ())) for utterance in shop.train.utterances]
    covered = sum(count > 0 for count in counts)
    shop.finish(place, {"utterances": len(counts), "covered": covered, "candidates": sum(counts)})


STAGES: dict[type[Stage], Callable[[Workshop, int, Any], None]] = {
    Search: search,
    MarginalLikelihood: train_on_candidates,
    ExpectedReward: train_on_rewards,
    Coverage: train_on_coverage,
    Supervised: train_on_examples,
    TiedReward: train_on_tied_rewards,
    Collect: collect,
    Rerank: rerank,
}
