"""Collect: new candidates are the programs in a wide beam of the last model that are right, the most probable first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from chorale.domain import Reading
from chorale.plumbing.checking import Count
from chorale.runs.models import Beam, MaxActions
from chorale.search.groups import CandidateLists
from chorale.training.stage import Stage, Trainer

BATCH = 16
"""Utterances decoded at once."""


class Collect(Stage):
    """Decode the training utterances with the last model and keep the programs that are right: new candidates."""

    kind = "collect"
    needs = frozenset({"model"})
    gives = "candidates"
    is_network = True
    quick: ClassVar[Mapping[str, Any]] = {"beam": 40}

    max_actions: MaxActions = 13
    """The longest program, in actions."""
    beam: Beam = 100
    """Width of the beam."""
    keep: Count = 20
    """The most candidates kept per utterance."""

    def run_in(self, trainer: Trainer, index: int) -> None:
        from chorale.parser.decoding import batches, by_length, encode, evaluating  # noqa: PLC0415 - torch
        from chorale.training.networks import last_parser  # noqa: PLC0415 - torch
        from chorale.training.rewards import short  # noqa: PLC0415 - torch

        trainer.watcher.stage(index, self, 0)
        parser, agenda = last_parser(trainer, index), trainer.is_given_agenda(index)
        candidates: CandidateLists = {}
        with evaluating(parser):
            for chosen in batches(by_length(trainer.train), BATCH):
                trainer.stop.check()
                encoding = encode(parser, trainer.train, chosen, agenda=agenda)
                beam = parser.search(encoding, self.beam, self.max_actions)
                for number, listed in zip(chosen, short(beam.actions), strict=True):
                    candidates[number] = []
                    for row in listed:
                        actions = row[row >= 0]
                        if (
                            len(candidates[number]) < self.keep
                            and len(actions)
                            and trainer.rewards.is_right(number, actions)
                        ):
                            program = trainer.rewards.program(number, actions)
                            candidates[number].append(Reading(program))
                trainer.watcher.step(len(candidates), len(trainer.train))
        trainer.give_candidates(index, candidates)
