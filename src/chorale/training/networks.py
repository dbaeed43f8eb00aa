"""The networks of a run: new ones, those that earlier stages gave, and how a stage trains one. Needs torch."""

from __future__ import annotations

from chorale.domain.parsing import Corpus
from chorale.evaluation.metrics import Score, score_of
from chorale.evaluation.predictions import predict, rights
from chorale.parser.decoding import NetworkParser
from chorale.parser.parser import Parser
from chorale.parser.reranker import Reranker
from chorale.runs.checkpoints import load_weights, read_tensors
from chorale.training.descent import descend, seeded
from chorale.training.stage import ParserStage, Trained, Trainer


def new_parser(trainer: Trainer, index: int) -> Parser:
    """A parser with new weights."""
    seeded(trainer.run.seed, index, 0)
    return Parser(trainer.train.shared, trainer.vocabulary, trainer.sizes, trainer.device)


def last_parser(trainer: Trainer, index: int) -> Parser:
    """The parser of the last stage that gave one."""
    parser = new_parser(trainer, index)
    path, wanted = trainer.run.output("model")
    load_weights(parser, read_tensors(path, wanted), path)
    return parser


def last_reranker(trainer: Trainer, index: int) -> Reranker | None:
    """The reranker, if the stage before an index gave one."""
    seeded(trainer.run.seed, index, 0)
    reranker = trainer.stages[index - 1].new_reranker(trainer)
    if reranker is not None:
        path, wanted = trainer.run.output("reranker")
        load_weights(reranker, read_tensors(path, wanted), path)
    return reranker


def whole_parser(trainer: Trainer, stage: Trained) -> NetworkParser:
    """The parser that a run has after its last stage, with the beam of that stage."""
    end = len(trainer.stages)
    reranker, agenda = last_reranker(trainer, end), trainer.is_given_agenda(end)
    return NetworkParser(last_parser(trainer, end), stage.beam, stage.max_actions, agenda, reranker, trainer.rules)


def train_parser(trainer: Trainer, index: int, stage: ParserStage) -> None:
    """Do the work of a stage that trains a parser."""
    parser = last_parser(trainer, index) if stage.start == "last" else new_parser(trainer, index)
    objective = stage.objective(trainer, index, parser)
    whole = NetworkParser(parser, stage.beam, stage.max_actions, stage.agenda, rules=trainer.rules)
    objective.dev = lambda: dev_score(whole, trainer.dev)
    descend(trainer, index, stage, objective)


def dev_score(parser: NetworkParser, dev: Corpus) -> Score:
    """Accuracy and consistency of the best programs on dev."""
    return score_of(rights(dev, predict(parser, dev)))
