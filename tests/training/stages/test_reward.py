"""The consistency reward and coverage: a step equals a plain computation, one thing at a time."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.people import PeopleDomain, words_of, write_questions
from tests.training.decided import decided

from chorale.domain import Related, Utterance
from chorale.domain.parsing import Corpus
from chorale.language.program import Program
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, write_corpus
from chorale.parser.decoding import encode
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.runs.watching import Interrupted, Stop, Watcher
from chorale.training.consistency import Partners
from chorale.training.objectives.coverage import CoverageLoss
from chorale.training.objectives.reward import RewardLoss
from chorale.training.recipes import parse_recipe, read_recipe
from chorale.training.rewards import Rewards
from chorale.training.stages.coverage import Coverage
from chorale.training.stages.reward import ExpectedReward
from chorale.training.train import train

UTTERANCES = 24
PHRASES = '[[set]]\nname = "there"\nphrases = ["there is", "there are"]\n[[set]]\nname = "a"\nphrases = ["COLOR"]\n'


@pytest.fixture(scope="module")
def utterances(tmp_path_factory: pytest.TempPathFactory) -> list[Utterance]:
    folder = tmp_path_factory.mktemp("corpus")
    knobs = Knobs(seed=4, images=1)  # one image: every other program is right
    return list(Nlvr().read(write_corpus(folder, {"train": UTTERANCES}, knobs)["train"]))


Listed = tuple[list[int], float, bool, torch.Tensor]
"""Actions, probability within the beam, whether right, attention."""


def programs(
    corpus: Corpus, parser: Parser, number: int, beam: int, longest: int, *, agenda: bool = False
) -> list[Listed]:
    """The beam of one utterance by itself."""
    found = parser.search(encode(parser, corpus, [number], agenda=agenda), beam, longest, attention=True)
    assert found.attention is not None
    utterance, listed = corpus.utterances[number], []
    chances = found.log_probabilities[0].exp()
    for rank in range(beam):
        actions = [action for action in found.actions[0, rank].tolist() if action >= 0]
        said = corpus.grounding.answers(Program.from_actions(actions, corpus.shared), number)
        chance = float(chances[rank] / chances.sum())
        listed.append((actions, chance, said == tuple(utterance.answers), found.attention[0, rank]))
    return listed


@pytest.mark.parametrize("other_fillers", [0, 3])
def test_a_step_of_the_consistency_reward_equals_a_plain_computation(
    utterances: list[Utterance], tmp_path: Path, other_fillers: int
) -> None:
    (tmp_path / "phrases.toml").write_text(PHRASES)
    domain, stage = Nlvr(), ExpectedReward(max_actions=7, beam=10, consistency=0.7, threshold=0.15)
    corpus, parser = decided(domain, "consistent", utterances)
    related = domain.relations.related(
        utterances, str(tmp_path / "phrases.toml"), partners=2, other_fillers=other_fillers, seed=1
    )
    rewards = Rewards(corpus.grounding)
    objective = RewardLoss(stage, parser, corpus, rewards, Partners(related), domain.relations.fillers)
    names = [production.name for production in corpus.shared.productions]
    fillers = {number for number, name in enumerate(names) if name in domain.relations.fillers}
    assert any(one.other_fillers for one in related) == (other_fillers > 0)
    chosen = [3, 0, 7, 11, 12]
    total, agreements, partners_right = 0.0, [], []
    for number in chosen:
        ours = programs(corpus, parser, number, 10, 7)
        pairs = [one for one in related if one.utterance == number]
        agreement = 0.0
        for one in pairs:
            theirs = programs(corpus, parser, one.partner, 10, 7)
            partners_right.append(any(right for _, _, right, _ in theirs))
            for actions, chance, _, attention in ours:
                mine = {a for t, a in enumerate(actions) if attention[t, slice(*one.span)].sum() >= 0.15}
                mine -= fillers if one.other_fillers else set()
                for others, weight, right, looked in theirs:
                    same = {a for t, a in enumerate(others) if looked[t, slice(*one.partner_span)].sum() >= 0.15}
                    same -= fillers if one.other_fillers else set()
                    if right and mine and same:
                        f1 = 2 * len(mine & same) / (len(mine) + len(same))
                        agreement += chance * weight * f1 / len(pairs)
        if pairs:
            agreements.append(agreement)
        total += sum(chance * right for _, chance, right, _ in ours)
    assert sum(agreements) > 0.01  # there is something to compare
    assert -objective.loss(chosen).item() == pytest.approx((total + 0.7 * sum(agreements)) / len(chosen), abs=1e-5)
    figures = objective.figures.take()
    assert figures["agreement"] == pytest.approx(sum(agreements) / len(agreements), abs=1e-5)
    assert figures["partner_right"] == pytest.approx(sum(partners_right) / len(partners_right))
    assert 0 < figures["aligned"] <= 1
    assert figures["aligned_actions"] >= figures["aligned"]


def test_without_consistency_only_being_right_counts(utterances: list[Utterance]) -> None:
    corpus, parser = decided(Nlvr(), "consistent", utterances)
    stage = ExpectedReward(max_actions=7, beam=6)
    objective = RewardLoss(stage, parser, corpus, Rewards(corpus.grounding), Partners([]))
    chosen = [0, 5, 6]
    right = [sum(c * r for _, c, r, _ in programs(corpus, parser, number, 6, 7)) for number in chosen]
    assert -objective.loss(chosen).item() == pytest.approx(sum(right) / 3, abs=1e-5)
    assert set(objective.figures.take()) == {"right"}


def test_a_step_of_coverage_equals_a_plain_computation(utterances: list[Utterance]) -> None:
    corpus, parser = decided(Nlvr(), "macro", utterances, Sizes(coverage=True))
    objective = CoverageLoss(Coverage(max_actions=7, beam=6, weight=0.3), parser, corpus, Rewards(corpus.grounding))
    chosen, total = [0, 3, 9], 0.0
    names = [production.name for production in corpus.shared.productions]
    agenda = Nlvr().agenda("macro")
    assert agenda is not None
    for number in chosen:
        triggered = agenda.required(corpus.utterances[number])
        assert triggered
        for actions, chance, right, _ in programs(corpus, parser, number, 6, 7, agenda=True):
            missing = triggered - {names[action] for action in actions}
            total += chance * (0.3 * len(missing) + 0.7 * (0 if right else len(triggered)))
    assert objective.loss(chosen).item() == pytest.approx(total / 3, rel=1e-5)


def test_a_partner_is_decoded_once_and_not_at_all_if_it_is_in_the_batch() -> None:
    pairs = [
        Related(4, 9, (0, 2), (1, 3), "p"),
        Related(4, 2, (3, 4), (0, 1), "q"),
        Related(2, 9, (0, 1), (1, 3), "p"),
        Related(5, 4, (0, 1), (0, 2), "p"),
    ]
    rows, made = Partners(pairs).batch([2, 4, 8])
    assert rows == [2, 4, 8, 9]
    assert made is not None
    assert made.rows.tolist() == [0, 1, 1]
    assert made.related.tolist() == [3, 3, 0]
    assert made.spans.tolist() == [[0, 1], [0, 2], [3, 4]]
    assert made.related_spans.tolist() == [[1, 3], [1, 3], [0, 1]]
    assert Partners(pairs).batch([8, 9]) == ([8, 9], None)


class Noting(Nlvr):
    """Notes which pairs stages ask for."""

    def __init__(self) -> None:
        self.asked: list[list[Related]] = []
        domain = self

        class Relations:
            fillers = Nlvr.relations.fillers

            def related(self, *args: Any, **settings: Any) -> list[Related]:
                domain.asked.append(Nlvr.relations.related(*args, **settings))
                return domain.asked[-1]

        self.relations = Relations()


def test_partners_are_the_same_in_all_stages_of_a_run_and_differ_between_seeds(tiny: Path, tmp_path: Path) -> None:
    stage = '{ kind = "reward", start = "scratch", consistency = 1, epochs = 1, max_actions = 5, batch = 16 }'
    (tmp_path / "phrases.toml").write_text(PHRASES)
    changes = [f"reward.phrases={tmp_path / 'phrases.toml'}"]
    recipe = parse_recipe(f'name = "r"\nstages = [{stage}, {stage}]', changes=changes)
    domain = Noting()
    for seed in (1, 2):
        train(recipe, tiny, tmp_path / str(seed), seed=seed, domain=domain)
    first, second, other, _ = domain.asked
    assert first == second != other


class HaveRelations:
    """Questions that share the word "have"."""

    fillers = frozenset[str]()

    def related(self, utterances: Sequence[Utterance], *_: object, **__: object) -> list[Related]:
        having = [n for n, utterance in enumerate(utterances) if "have" in words_of(utterance.sentence)]
        found = []
        for one, other in zip(having, [*having[1:], having[0]], strict=True):
            spans = [(len(words_of(utterances[it].sentence)) - 2, 99) for it in (one, other)]  # past the end
            found.append(Related(one, other, spans[0], spans[1], "have"))
        return found


class RelatedPeople(PeopleDomain):
    """Questions about people: constants of their own, and a phrase in common."""

    relations = HaveRelations()


def test_a_domain_whose_contexts_bring_constants_can_agree_too(tmp_path: Path) -> None:
    write_questions(tmp_path, train=30, dev=6)
    recipe = """
    name = "people"
    domain = "people"
    language = "asking"
    stages = [
      { kind = "search", noise = 0, pool = false, max_actions = 9 },
      { kind = "mml", max_actions = 9 },
      { kind = "reward", max_actions = 9, consistency = 1.0, threshold = 0.2 },
    ]
    [mml]
    epochs = 4
    batch = 8
    learning_rate = 0.01
    [reward]
    epochs = 1
    batch = 8
    """
    run = train(parse_recipe(recipe), tmp_path, tmp_path / "run", domain=RelatedPeople())
    last = [line for line in (run / "metrics.jsonl").read_text().splitlines() if '"agreement"' in line]
    assert len(last) == 1
    assert '"agreement": 0.0,' not in last[0]


class AfterFirst(Watcher):
    """Asks to stop after the first epoch with the consistency reward."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop

    def line(self, values: Mapping[str, Any]) -> None:
        if "agreement" in values:
            self.stop.ask()


def test_a_run_with_the_consistency_reward_that_was_stopped_ends_as_if_it_had_not(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "phrases.toml").write_text(PHRASES)
    changes = ["reward.consistency=1", f"reward.phrases={tmp_path / 'phrases.toml'}", "reward.threshold=0.2"]
    recipe = read_recipe(tiny / "tiny.toml", changes)
    recipe = recipe.model_copy(update={"stages": recipe.stages[:3]})  # search, mml, reward
    stop = Stop()
    with pytest.raises(Interrupted):
        train(recipe, tiny, tmp_path / "stopped", watcher=AfterFirst(stop), stop=stop)
    for name in ("stopped", "whole"):
        train(recipe, tiny, tmp_path / name)
    files = ("metrics.jsonl", "model.safetensors", "dev.json")
    for file in files:
        assert (tmp_path / "stopped" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
