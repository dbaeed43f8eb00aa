"""What a recipe can say: one class per kind of stage, every field explained where it stands.

The text behind a field is its only documentation; `described` collects it for help and documents. A field's bounds are
part of its type. What a stage needs from those before it and gives to those behind it are the words in `needs` and
`gives`: a recipe whose stages do not fit together is refused before any work is done.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass, field
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
class MarginalLikelihood:
    """Train on candidates: maximise the summed probability of each utterance's candidates."""

    kind: ClassVar[str] = "mml"
    needs: ClassVar[frozenset[str]] = frozenset({"candidates"})
    gives: ClassVar[frozenset[str]] = frozenset({"model"})
    agenda: ClassVar[bool] = False

    max_actions: Count = 11
    """The longest program, in actions, when dev is decoded."""
    start: Literal["scratch", "last"] = "scratch"
    """Where the weights come from: new ones, or the model of the last training stage."""
    epochs: Count = 50
    """The most passes over the training utterances."""
    patience: Count = 10
    """How many epochs without a better dev consistency end the stage."""
    learning_rate: Rate = 0.005
    """Step size of Adam."""
    batch: Count = 4
    """Utterances per step."""
    clip: Annotated[float, Range(least=0)] = 0.0
    """Largest norm of a step's gradient; 0 leaves it as it is."""
    beam: Count = 10
    """Width of the beam when dev is decoded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedReward:
    """Train on labels: maximise the expected reward of the programs in the beam."""

    kind: ClassVar[str] = "reward"
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"model"})
    agenda: ClassVar[bool] = False

    max_actions: Count = 13
    """The longest program, in actions."""
    start: Literal["scratch", "last"] = "last"
    """Where the weights come from: new ones, or the model of the last training stage."""
    epochs: Count = 50
    """The most passes over the training utterances."""
    patience: Count = 15
    """How many epochs without a better dev consistency end the stage."""
    learning_rate: Rate = 0.0005
    """Step size of Adam."""
    batch: Count = 4
    """Utterances per step."""
    clip: Annotated[float, Range(least=0)] = 0.0
    """Largest norm of a step's gradient; 0 leaves it as it is."""
    beam: Count = 10
    """Width of the beam, in training and when dev is decoded."""
    consistency: Annotated[float, Range(least=0)] = 0.0
    """How much agreement with related utterances counts beside being right; 1 in the paper, 0 leaves it out. The keys
    below it matter only then. Partners are drawn once per run, from its seed, so all its stages have the same."""
    phrases: str = "run"
    """The phrases that relate utterances: a set that ships with the domain, or a file. NLVR has those that were
    really run, "run", and those the paper prints, "printed"."""
    matching: Literal["tokens", "reference"] = "tokens"
    """How phrases are found: by lower-cased tokens, or as the reference does, with its bugs."""
    partners: Count = 1
    """Related utterances per utterance and phrase; their rewards are averaged."""
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
class Coverage:
    """Train on labels and words: programs should be right and use what the sentence triggers. Needs parser.coverage."""

    kind: ClassVar[str] = "coverage"
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"model"})
    agenda: ClassVar[bool] = True

    max_actions: Count = 11
    """The longest program, in actions."""
    start: Literal["scratch", "last"] = "last"
    """Where the weights come from: new ones, or the model of the last training stage."""
    epochs: Count = 50
    """The most passes over the training utterances."""
    patience: Count = 10
    """How many epochs without a better dev consistency end the stage."""
    learning_rate: Rate = 0.001
    """Step size of Adam."""
    batch: Count = 4
    """Utterances per step."""
    clip: Annotated[float, Range(least=0)] = 0.0
    """Largest norm of a step's gradient; 0 leaves it as it is."""
    beam: Count = 10
    """Width of the beam, in training and when dev is decoded."""
    weight: Annotated[float, Range(least=0, most=1)] = 0.4
    """How much a missing action costs; what is left of 1 is what being wrong costs per triggered action."""


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


Fitted = MarginalLikelihood | ExpectedReward | Coverage
"""Stages that train a model. `agenda` says whether the parser is told what the sentence triggers."""
Stage = Search | Fitted | Collect
KINDS: dict[str, type[Stage]] = {
    kind.kind: kind for kind in (Search, MarginalLikelihood, ExpectedReward, Coverage, Collect)
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
    """The text behind each field of a class."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    texts: dict[str, str] = {}
    for statement, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            match after:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    texts[statement.target.id] = " ".join(text.split())
    return texts
