"""Search: programs that fit the labels of each training utterance, found without a model; see `chorale.search`."""

from __future__ import annotations

from pathlib import Path

from chorale.search.files import read_candidates
from chorale.search.groups import CandidateLists
from chorale.search.search import search
from chorale.search.settings import SearchSettings
from chorale.training.stage import Stage, Trainer


class Search(SearchSettings, Stage):
    """Find programs that fit the labels of each training utterance, without a model."""

    kind = "search"
    gives = "candidates"

    file: str = ""
    """Candidates found earlier, as JSON lines, to be used instead of a search; empty means: search."""

    def run_in(self, trainer: Trainer, index: int) -> None:
        trainer.watcher.stage(index, self, 0)
        grounding, candidates = trainer.train.grounding, CandidateLists()
        with trainer.stop.at_once():
            if self.file:
                candidates = {
                    number: some[: self.keep] for number, some in read_candidates(Path(self.file), grounding).items()
                }
            else:
                for group in search(trainer.domain, trainer.language, grounding, self):
                    candidates |= group
                    trainer.watcher.step(len(candidates), len(trainer.train))
        trainer.give_candidates(index, candidates)
