"""A stage of a training: settings that can be run. Each kind has a file of its own in `stages`.

A stage reads what those before it gave (`Trainer.run.output`), works, and commits what it gives. Where randomness comes
in it is drawn from (seed, stage, epoch) alone, so a stage that is begun again at any epoch draws the same. What a stage
needs from those before it and what it gives are the words in `needs` and `gives`: a recipe whose stages do not fit
together is refused before any work is done.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from chorale.domain import Domain, Reading
from chorale.domain.parsing import Corpus, SentenceParser
from chorale.errors import ChoraleError
from chorale.parser.rules import Rules
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary
from chorale.plumbing.checking import Checked, Count
from chorale.plumbing.files import checked
from chorale.runs.models import Beam, MaxActions
from chorale.runs.run import Run
from chorale.runs.watching import Stop, Watcher
from chorale.search.files import read_candidates, write_candidates
from chorale.search.groups import CandidateLists

if TYPE_CHECKING:
    from chorale.parser.parser import Parser
    from chorale.parser.reranker import Reranker
    from chorale.training.descent import Objective
    from chorale.training.rewards import Rewards

QUICK_ACTIONS = 15
"""The longest programs of a quick form of a recipe, in actions."""


class Stage(Checked, ABC):
    """What all kinds have in common."""

    kind: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[str]
    """What it gives to those after it: "model", "candidates" or "reranker"."""
    is_network: ClassVar[bool] = False
    """Whether it works with a network, and so with torch. What a recipe says is read without it."""
    agenda: ClassVar[bool] = False
    """Whether the parser that it trains is given what an utterance triggers."""
    is_last: ClassVar[bool] = False
    """Whether nothing may come after it."""
    quick: ClassVar[Mapping[str, Any]] = {}
    """What a quick form of a recipe changes in stages of this kind."""
    takes_proposals: ClassVar[bool] = False
    """Whether it works with what a domain proposes (`Domain.proposing`), and with nothing else."""
    is_quick: ClassVar[bool] = False
    """Whether it is quick enough as it is, however long its programs."""

    max_actions: MaxActions
    """The longest program, in actions."""

    @abstractmethod
    def run_in(self, trainer: Trainer, index: int) -> None:
        """Do the work of the stage with this index, and commit it."""

    def check(self, domain: Domain, language: str) -> None:
        """Refuse what does not fit the domain, before a run is begun."""

    def problem(self, sizes: Sizes) -> str | None:
        """Why the stage cannot be run with a parser of these sizes, if so."""
        return None

    def parser(self, trainer: Trainer) -> SentenceParser:
        """The parser that a run has after its last stage, if this is the last one that trains."""
        raise ChoraleError(f"a stage of kind {self.kind} trains no parser")

    def new_reranker(self, trainer: Trainer) -> Reranker | None:
        """The reranker that the stage trains, with new weights, if it trains one."""
        return None


@dataclass
class Trainer:
    """What all stages of a run share."""

    run: Run
    stages: tuple[Stage, ...]
    sizes: Sizes
    domain: Domain
    language: str
    train: Corpus
    dev: Corpus
    vocabulary: Vocabulary
    watcher: Watcher = field(default_factory=Watcher)
    stop: Stop = field(default_factory=Stop)
    device: str = "cpu"
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        self._candidates: CandidateLists | None = None
        self.predicted: tuple[SentenceParser, list[Reading]] | None = None  # the last parser, and what it says of dev

    @cached_property
    def rewards(self) -> Rewards:
        """What programs are worth for the training utterances."""
        from chorale.training.rewards import Rewards  # noqa: PLC0415 - torch

        return Rewards(self.train.grounding)

    def is_given_agenda(self, index: int) -> bool:
        """Whether the last stage before an index that trained a model gave it what utterances trigger."""
        return [stage for stage in self.stages[:index] if stage.gives == "model"][-1].agenda

    def give_candidates(self, index: int, candidates: CandidateLists) -> None:
        """Commit candidates, by the index of their utterance, as what a stage gives."""
        path = self.run.stage_folder(index) / "candidates.jsonl"
        self.run.keep("candidates", path, write_candidates(path, self.train.utterances, candidates))
        self._candidates = candidates
        counts = [len(candidates.get(number, ())) for number in range(len(self.train))]
        covered = sum(count > 0 for count in counts)
        self.finish(index, {"utterances": len(counts), "covered": covered, "candidates": sum(counts)})

    def last_candidates(self) -> CandidateLists:
        """The candidates that the last such stage gave: as this process found them, or as an earlier one wrote them."""
        if self._candidates is None:
            path, wanted = self.run.output("candidates")
            checked(path, wanted)
            self._candidates = read_candidates(path, self.train.grounding)
        return self._candidates

    def finish(self, index: int, line: dict[str, Any]) -> None:
        """Commit the end of a stage."""
        self.run.progress.stages = index + 1
        self.run.progress.state = {}
        line = {"stage": index + 1, "kind": self.stages[index].kind, **line}
        self.run.commit(line)
        self.watcher.line(line)
        self.run.clear_leftovers()


class Trained(Stage):
    """What all stages that descend have in common."""

    is_network = True

    max_actions: MaxActions = 21
    """The longest program, in actions; where programs are given, when dev is decoded."""
    epochs: Count = 50
    """The most passes over the training utterances, or over the examples."""
    patience: Count = 10
    """How many epochs without a better one on dev end the stage."""
    choose: Literal["consistency", "both"] = "consistency"
    """What makes an epoch better on dev: consistency, or the mean of accuracy and consistency."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 0.001
    """Step size of Adam."""
    decay: bool = False
    """Whether the step size falls to 0 in even steps until the last of `epochs`."""
    batch: Count = 4
    """Utterances per step."""
    beam: Beam = 10
    """Width of the beam, when dev is decoded and wherever else programs are searched."""

    def worth(self, dev: Mapping[str, Any]) -> float:
        """What an epoch's figures on dev are worth."""
        if self.choose == "both":
            return float(dev["dev_accuracy"] + dev["dev_consistency"]) / 2
        return float(dev["dev_consistency"])

    def parser(self, trainer: Trainer) -> SentenceParser:
        from chorale.training.networks import whole_parser  # noqa: PLC0415 - torch

        return whole_parser(trainer, self)


class ParserStage(Trained):
    """What all stages that train a parser have in common."""

    gives = "model"

    start: Literal["scratch", "last"] = "last"
    """Where the weights come from: new ones, or the model of the last training stage."""

    @abstractmethod
    def objective(self, trainer: Trainer, index: int, parser: Parser) -> Objective:
        """What the stage minimises."""

    def run_in(self, trainer: Trainer, index: int) -> None:
        from chorale.training.networks import train_parser  # noqa: PLC0415 - torch

        train_parser(trainer, index, self)
