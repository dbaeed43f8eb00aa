"""The consistency reward and coverage as stages: a step of a stage equals a plain computation, one thing at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.tables import Tables, questions

from chorale.domain import Related, Utterance
from chorale.language.program import Program
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, embedded_corpus, write_corpus
from chorale.parser import Parser
from chorale.runs.watching import Interrupted, Stop, Watcher
from chorale.training import stages
from chorale.training.figures import Figures
from chorale.training.recipes import parse_recipe, read_recipe
from chorale.training.related import Partners
from chorale.training.settings import Fitted
from chorale.training.stages import Workshop
from chorale.training.train import train

UTTERANCES = 24
PHRASES = '[[set]]\nname = "there"\nphrases = ["there is", "there are"]\n[[set]]\nname = "a"\nphrases = ["COLOR"]\n'
Loss = Callable[[Parser, list[int]], torch.Tensor]


@dataclass
class Held(Exception):  # noqa: N818 - not a mistake
    """A stage before its first step."""

    shop: Workshop
    stage: Any
    parser: Parser
    loss: Loss
    figures: Figures


Begin = Callable[[str], Held]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Begin:
    """Begin a recipe of one stage, and hold it before its first step."""

    def hold(shop: Workshop, place: int, stage: Fitted, _: Sequence[int], loss: Loss, figures: Figures) -> None:
        parser = shop.new_parser(place)
        parser.network.eval()  # no dropout, so that the same is computed twice
        with torch.no_grad():
            parser.network.output.weight.mul_(4)  # decided weights: beams differ, and so does attention
            parser.network.token_embedding.weight.mul_(8)
        raise Held(shop, stage, parser, loss, figures)

    def start(recipe: str) -> Held:
        knobs = Knobs(seed=4, images=1)  # one image: every other program is right
        write_corpus(tmp_path, {"train": UTTERANCES, "dev": 2}, knobs)
        monkeypatch.setattr(stages, "fit", hold)
        with pytest.raises(Held) as held:
            train(parse_recipe(recipe), tmp_path, tmp_path / "run", seed=1)
        return held.value

    return start


Listed = tuple[list[int], float, bool, torch.Tensor]
"""Actions, probability within the beam, whether right, attention."""


def programs(
    shop: Workshop, parser: Parser, number: int, beam: int, longest: int, *, agenda: bool = False
) -> list[Listed]:
    """The beam of one utterance by itself."""
    found = parser.search(shop.train.encode(parser, [number], agenda=agenda), beam, longest, attention=True)
    assert found.attention is not None
    utterance, listed = shop.train.utterances[number], []
    chances = found.log_probabilities[0].exp()
    for rank in range(beam):
        actions = [action for action in found.actions[0, rank].tolist() if action >= 0]
        said = shop.train.grounding.answers(Program.from_actions(actions, shop.train.shared), number)
        chance = float(chances[rank] / chances.sum())
        listed.append((actions, chance, said == tuple(utterance.answers), found.attention[0, rank]))
    return listed


@pytest.mark.parametrize(("only_right", "other_fillers"), [(False, 0), (True, 0), (False, 3)])
def test_a_step_of_the_consistency_reward_equals_a_plain_computation(
    begin: Begin, tmp_path: Path, only_right: bool, other_fillers: int
) -> None:
    (tmp_path / "phrases.toml").write_text(PHRASES)
    recipe = f"""
    name = "agree"
    stages = [{{ kind = "reward", start = "scratch", max_actions = 7, beam = 10 }}]
    [reward]
    consistency = 0.7
    partners = 2
    other_fillers = {other_fillers}
    threshold = 0.15
    only_right = {str(only_right).lower()}
    phrases = "{tmp_path / "phrases.toml"}"
    """
    held = begin(recipe)
    shop, stage, parser, loss = held.shop, held.stage, held.parser, held.loss
    utterances = shop.train.utterances
    related = shop.domain.relations.related(utterances, stage.phrases, partners=2, other_fillers=other_fillers, seed=1)
    names = [production.name for production in shop.train.shared.productions]
    fillers = {number for number, name in enumerate(names) if name in shop.domain.relations.fillers}
    assert any(one.other_fillers for one in related) == (other_fillers > 0)
    chosen = [3, 0, 7, 11, 12]
    total, agreements, partners_right, earned = 0.0, [], [], 0.0
    for number in chosen:
        ours = programs(shop, parser, number, 10, 7)
        pairs = [one for one in related if one.utterance == number]
        agreement = 0.0
        for one in pairs:
            theirs = programs(shop, parser, one.partner, 10, 7)
            partners_right.append(any(right for _, _, right, _ in theirs))
            for actions, chance, is_right, attention in ours:
                mine = {a for t, a in enumerate(actions) if attention[t, slice(*one.span)].sum() >= 0.15}
                mine -= fillers if one.other_fillers else set()
                for others, weight, right, looked in theirs:
                    same = {a for t, a in enumerate(others) if looked[t, slice(*one.partner_span)].sum() >= 0.15}
                    same -= fillers if one.other_fillers else set()
                    if right and mine and same:
                        f1 = 2 * len(mine & same) / (len(mine) + len(same))
                        agreement += chance * weight * f1 / len(pairs)
                        earned += chance * weight * f1 / len(pairs) * (is_right or not only_right)
        if pairs:
            agreements.append(agreement)
        total += sum(chance * right for _, chance, right, _ in ours)
    assert earned > 0.01  # there is something to compare
    assert (earned < sum(agreements) - 0.01) == only_right
    assert -loss(parser, chosen).item() == pytest.approx((total + 0.7 * earned) / len(chosen), abs=1e-5)
    figures = held.figures.take()
    assert figures["agreement"] == pytest.approx(sum(agreements) / len(agreements), abs=1e-5)
    assert figures["partner_right"] == pytest.approx(sum(partners_right) / len(partners_right))
    assert 0 < figures["aligned"] <= 1
    assert figures["aligned_actions"] >= figures["aligned"]


def test_without_consistency_only_being_right_counts(begin: Begin) -> None:
    recipe = 'name = "r"\nstages = [{ kind = "reward", start = "scratch", max_actions = 7, beam = 6 }]'
    held = begin(recipe)
    shop, parser, loss = held.shop, held.parser, held.loss
    chosen = [0, 5, 6]
    right = [sum(c * r for _, c, r, _ in programs(shop, parser, number, 6, 7)) for number in chosen]
    assert -loss(parser, chosen).item() == pytest.approx(sum(right) / 3, abs=1e-5)
    assert set(held.figures.take()) == {"right"}


def test_a_step_of_coverage_equals_a_plain_computation(begin: Begin) -> None:
    recipe = """
    name = "cover"
    language = "macro"
    stages = [{ kind = "coverage", start = "scratch", max_actions = 7, beam = 6, weight = 0.3 }]
    [parser]
    coverage = true
    """
    held = begin(recipe)
    shop, parser, loss = held.shop, held.parser, held.loss
    chosen, total = [0, 3, 9], 0.0
    names = [production.name for production in shop.train.shared.productions]
    for number in chosen:
        triggered = shop.domain.agenda("macro").required(shop.train.utterances[number])
        assert triggered
        for actions, chance, right, _ in programs(shop, parser, number, 6, 7, agenda=True):
            missing = triggered - {names[action] for action in actions}
            total += chance * (0.3 * len(missing) + 0.7 * (0 if right else len(triggered)))
    assert loss(parser, chosen).item() == pytest.approx(total / 3, rel=1e-5)


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


def test_partners_can_be_drawn_anew_each_time_as_the_seed_of_the_epoch_says() -> None:
    pairs = [Related(4, partner, (0, 2), (0, 1), phrase) for partner in range(10, 40) for phrase in "pq"]
    pairs += [Related(4, partner, (0, 2), (0, 1), "p", other_fillers=True) for partner in range(40, 50)]
    partners = Partners(pairs, redraw=(2, 1))

    def drawn(seed: int) -> list[int]:
        torch.manual_seed(seed)
        rows, made = partners.batch([4])
        assert made is not None
        return [rows[row] for row in made.related.tolist()]

    assert len(drawn(1)) == 5  # two for each phrase, and one that has it with other fillers
    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(10)}) > 1


def test_partners_are_the_same_in_all_stages_of_a_run_and_differ_between_seeds() -> None:
    utterances = Nlvr().read(embedded_corpus() / "train.jsonl.gz")
    recipe = parse_recipe('name = "r"\nstages = [{ kind = "reward", start = "scratch", consistency = 1 }]')
    stage = recipe.stages[0]
    drawn = [Partners.drawn(stage, Nlvr(), utterances, seed) for seed in (1, 1, 2)]  # type: ignore[arg-type]
    batches = [partners.batch(range(200)) for partners in drawn]
    related = [pairs.related.tolist() for _, pairs in batches if pairs is not None]
    assert related[0] == related[1] != related[2]
    plain = replace(stage, consistency=0.0)
    assert Partners.drawn(plain, Nlvr(), utterances, 1).batch(range(200))[1] is None  # type: ignore[arg-type]


class RelatedTables(Tables):
    """Questions about tables that share the word "have": constants of their own, and a phrase in common."""

    def related(self, utterances: Sequence[Utterance], *_: object, **__: object) -> list[Related]:
        places = [n for n, utterance in enumerate(utterances) if "have" in self.words(utterance.sentence)]
        found = []
        for one, other in zip(places, [*places[1:], places[0]], strict=True):
            spans = [(len(self.words(utterances[it].sentence)) - 2, 99) for it in (one, other)]  # past the end
            found.append(Related(one, other, spans[0], spans[1], "have"))
        return found


def test_a_domain_whose_contexts_bring_constants_can_agree_too(tmp_path: Path) -> None:
    for split, count, seed in (("train", 30, 1), ("dev", 6, 2)):
        (tmp_path / f"{split}.jsonl").write_text("".join(f"{line}\n" for line in questions(count, seed)))
    recipe = """
    name = "tables"
    domain = "tables"
    language = "asking"
    stages = [
      { kind = "search", procedure = "meaning", max_actions = 9 },
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
    run = train(parse_recipe(recipe), tmp_path, tmp_path / "run", domain=RelatedTables())
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
    recipe = replace(recipe, stages=recipe.stages[:3])  # search, mml, reward
    stop = Stop()
    with pytest.raises(Interrupted):
        train(recipe, tiny, tmp_path / "stopped", watcher=AfterFirst(stop), stop=stop)
    for name in ("stopped", "whole"):
        train(recipe, tiny, tmp_path / name)
    files = ("metrics.jsonl", "model.safetensors", "dev.json")
    for file in files:
        assert (tmp_path / "stopped" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
