"""What a recipe can say: one class per kind of stage, every field explained where it stands.

The text behind a field is its only documentation; `described` collects it for help and documents. What several kinds
have in common stands in a class they are derived from. A field's bounds are part of its type. What a stage needs from
those before it and gives to those behind it are the words in `needs` and `gives`: a recipe whose stages do not fit
together is refused before any work is done.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass, field, is_dataclass
from typing import Annotated, ClassVar, Literal

from chorale.parser.sizes import Sizes


@dataclass(frozen=True, slots=True)
class Range:
    """The values a number may have, both ends included."""

    least: float | None = None
    most: float | None = None
    above: float | None = None

    def problem(self, value: float) -> str | None:
        """What is wrong with a value, or None."""
        if self.least is not None and value < self.least:
            return f"must be at least {self.least:g}, found {value}"
        if self.most is not None and value > self.most:
            return f"must be at most {self.most:g}, found {value}"
        if self.above is not None and value <= self.above:
            return f"must be above {self.above:g}, found {value}"
        return None


Count = Annotated[int, Range(least=1)]
Rate = Annotated[float, Range(above=0, most=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Find programs that fit the labels of each training utterance, without a model."""

    kind: ClassVar[str] = "search"
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"candidates"})

    procedure: Literal["reference", "meaning"] = "reference"
    """How: as the reference does, shortest programs that use all that the sentence triggers, or by meaning."""
    max_actions: Count = 11
    """The longest program, in actions."""
    keep: Count = 20
    """The most candidates kept per utterance."""
    looked_at: Count = 200
    """reference: how many derivations per utterance are run, shortest first."""
    noise: Annotated[float, Range(least=0, most=0.5)] = 0.0
    """meaning: the probability that a label is wrong; 0 keeps only programs that are right in all contexts."""
    pool: bool = False
    """meaning: whether the contexts of utterances with the same words are pooled."""
    probes: Annotated[int, Range(least=0)] = 12
    """meaning: how many further utterances lend their contexts to tell meanings apart."""
    most: Count = 400
    """meaning: how many meanings are kept per kind of sub-program and length."""
    file: str = ""
    """Candidates found earlier, as JSON lines, to be used instead of a search; empty means: search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """What all stages that train weights have in common; where one has another default, it says so."""

    max_actions: Count = 21
    """The longest program, in actions; where programs are given, when dev is decoded."""
    epochs: Count = 50
    """The most passes over the training utterances, or over the examples."""
    patience: Count = 10
    """How many epochs without a better one on dev end the stage."""
    choose: Literal["consistency", "both"] = "consistency"
    """What makes an epoch better on dev: consistency, or the mean of accuracy and consistency."""
    learning_rate: Rate = 0.001
    """Step size of Adam."""
    batch: Count = 4
    """Utterances per step."""
    clip: Annotated[float, Range(least=0)] = 0.0
    """Largest norm of a step's gradient; 0 leaves it as it is."""
    beam: Count = 10
    """Width of the beam, when dev is decoded and wherever else programs are searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting(Descent):
    """What all stages that train a parser have in common."""

    start: Literal["scratch", "last"] = "last"
    """Where the weights come from: new ones, or the model of the last training stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginalLikelihood(Fitting):
    """Train on candidates: maximise the summed probability of each utterance's candidates."""

    kind: ClassVar[str] = "mml"
    needs: ClassVar[frozenset[str]] = frozenset({"candidates"})
    gives: ClassVar[frozenset[str]] = frozenset({"model"})
    agenda: ClassVar[bool] = False

    max_actions: Count = 11
    start: Literal["scratch", "last"] = "scratch"
    learning_rate: Rate = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedReward(Fitting):
    """Train on labels: maximise the expected reward of the programs in the beam."""

    kind: ClassVar[str] = "reward"
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"model"})
    agenda: ClassVar[bool] = False

    max_actions: Count = 13
    patience: Count = 15
    learning_rate: Rate = 0.0005
    finished: Annotated[int, Range(least=0)] = 0
    """Over how many programs the reward is expected: 0 means as many as the beam is wide. The reference takes all that
    were finished on the way."""
    consistency: Annotated[float, Range(least=0)] = 0.0
    """How much agreement with related utterances counts beside being right; 1 in the paper, 0 leaves it out. The keys
    below it matter only then. Partners are drawn once per run, from its seed, so all its stages have the same, unless
    `redraw` says otherwise."""
    phrases: str = "run"
    """The phrases that relate utterances: a set that ships with the domain, or a file. NLVR has those that were
    really run, "run", and those the paper prints, "printed"."""
    matching: Literal["tokens", "reference"] = "tokens"
    """How phrases are found: by lower-cased tokens, or as the reference does, with its bugs."""
    partners: Count = 1
    """Related utterances per utterance and phrase; their rewards are averaged."""
    other_fillers: Annotated[int, Range(least=0)] = 0
    """As many more, which have the phrase with other fillers, such as another colour. What says the fillers does not
    count there. The reference did so in its last runs."""
    only_right: bool = False
    """Whether agreement counts for right programs alone. In the paper wrong ones that agree earn something, too."""
    redraw: bool = False
    """Whether partners are drawn anew each time an utterance is met, so that one odd partner does no lasting harm."""
    threshold: Annotated[float, Range(least=0, most=1)] = 0.6
    """The attention on the phrase from which on an action belongs to it; 0.7 in the reference."""
    strict: bool = False
    """Whether the attention must be above the threshold, as in the reference, rather than at least equal."""
    multisets: bool = False
    """Whether an action that occurs twice counts twice, as in the reference."""
    empty_is_best: bool = False
    """Whether a program of which no action belongs to the phrase gets the best score, as in the reference, or 0."""
    right_only: bool = False
    """Whether related programs are weighed among the right ones, as in the reference, or among the whole beam."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage(Fitting):
    """Train on labels and words: programs should be right and use what the sentence triggers. Needs parser.coverage."""

    kind: ClassVar[str] = "coverage"
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"model"})
    agenda: ClassVar[bool] = True

    max_actions: Count = 11
    weight: Annotated[float, Range(least=0, most=1)] = 0.4
    """How much a missing action costs; what is left of 1 is what being wrong costs per triggered action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervised(Fitting):
    """Train on examples: sentences with programs, made by filling the slots of the domain's abstract examples."""

    kind: ClassVar[str] = "supervised"
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"model"})
    agenda: ClassVar[bool] = False

    max_actions: Count = 21
    """The longest program, in actions; examples with longer ones are left out."""
    examples: Count = 5600
    """About how many examples are made, frequent abstract utterances more often; drawn once, from the run's seed."""
    augmentation: bool = True
    """Whether slots are filled at random. If not, only as the training utterances fill them, once for each of these."""
    file: str = ""
    """A file of abstract examples to be used instead of the domain's own; empty means: its own."""
    start: Literal["scratch", "last"] = "scratch"
    learning_rate: Rate = 0.002
    batch: Count = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class TiedReward(Fitting):
    """Train on labels: raise the programs that fit them for all utterances of the same abstraction."""

    kind: ClassVar[str] = "tied"
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"model"})
    agenda: ClassVar[bool] = False

    batch: Count = 16
    beam: Count = 40
    power: Annotated[float, Range(least=0)] = 0.5
    """How much better programs are preferred: 1 weighs them by reward and probability, 0 weighs all rewarded ones
    alike."""
    cache: bool = True
    """Whether abstract programs are remembered, judged by all utterances of the same abstraction, and offered to the
    beam. If not, a program is worth 1 if it is right in all contexts of its own utterance. The keys below matter only
    with it."""
    counted: Literal["images", "utterances"] = "utterances"
    """What an abstract program is right or wrong about: single contexts, or all contexts of an utterance at once."""
    ratio: Annotated[float, Range(least=0)] = 3.0
    """How many times it must be right for each time that it is wrong; others are worth nothing."""
    offered: Annotated[int, Range(least=0)] = 10
    """How many of the best abstract programs of its abstraction an utterance is offered beside its beam."""
    file: str = ""
    """A file of abstract examples to begin with instead of the domain's own; empty means: its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect:
    """Decode the training utterances with the last model and keep the programs that are right: new candidates."""

    kind: ClassVar[str] = "collect"
    needs: ClassVar[frozenset[str]] = frozenset({"model"})
    gives: ClassVar[frozenset[str]] = frozenset({"candidates"})

    max_actions: Count = 13
    """The longest program, in actions."""
    beam: Count = 100
    """Width of the beam."""
    keep: Count = 20
    """The most candidates kept per utterance."""
    batch: Count = 16
    """Utterances decoded at once."""
    dropout: bool = False
    """Leave dropout on, as the reference does by mistake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerank(Descent):
    """Train a second network on the beams of the last model: which of their programs are right? Always the last stage.

    Its sizes are those of the parser. It learns from beams of train that are searched once, and helps to choose from
    the beam wherever the model is used.
    """

    kind: ClassVar[str] = "rerank"
    needs: ClassVar[frozenset[str]] = frozenset({"model"})
    gives: ClassVar[frozenset[str]] = frozenset({"reranker"})

    weight: Annotated[float, Range(least=0)] = 1.0
    """How much the log-probability of being right counts beside the parser's log-probability of the program."""
    dropout: Annotated[float, Range(least=0, most=0.9)] = 0.3
    """Share of what the network passes on that is dropped, in training only."""
    epochs: Count = 30
    learning_rate: Rate = 0.002
    batch: Count = 16


Fitted = MarginalLikelihood | ExpectedReward | Coverage | Supervised | TiedReward
"""Stages that train a model. `agenda` says whether the parser is told what the sentence triggers."""
Stage = Search | Fitted | Collect | Rerank
KINDS: dict[str, type[Stage]] = {
    kind.kind: kind
    for kind in (Search, MarginalLikelihood, ExpectedReward, Coverage, Supervised, TiedReward, Collect, Rerank)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A whole training: what is trained, and the stages it goes through."""

    name: str
    """What results are listed under."""
    domain: str = "nlvr"
    """What the sentences are about."""
    language: str = "consistent"
    """The language of the programs."""
    min_count: Count = 1
    """How often a word must occur in the training sentences to be known."""
    parser: Sizes = field(default_factory=Sizes)
    """The network; see `Sizes`."""
    stages: tuple[Stage, ...] = ()
    """What is done, in order. The tables `[mml]`, `[reward]` ... hold what all stages of that kind have in common."""


def described(kind: type) -> dict[str, str]:
    """The text behind each field of a class, and of those it is derived from."""
    return {name: text for part in reversed(kind.__mro__) if is_dataclass(part) for name, text in _texts(part).items()}


def _texts(kind: type) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    texts: dict[str, str] = {}
    for statement, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            match after:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    texts[statement.target.id] = " ".join(text.split())
    return texts
