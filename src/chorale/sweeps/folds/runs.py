"""A recipe trained on folds of train, each a run of its own, and what the runs say about what they have never seen.

    fold-0/                an ordinary run: trained without the kinds of fold 0
    fold-0/held_out.json   what it says about them
    folds.json             the same for all folds that are complete, with figures

How utterances are held out is explained in `folding`; the figures in `held_out`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chorale.domain import Domain, Utterance
from chorale.engines.engine import Engine, Running
from chorale.errors import ChoraleError
from chorale.evaluation.meaning import known_programs
from chorale.model import load
from chorale.plumbing.checking import Checked, checked
from chorale.plumbing.files import hash_of_file, read_json, sha256, write_json
from chorale.runs.models import FORMAT, check_format, hash_of_kind
from chorale.runs.run import circumstances, find_split, read_recipe_table, read_run, recipe_differences
from chorale.sweeps.folds.folding import By, Folding, folding_of
from chorale.sweeps.folds.held_out import HeldOut, figures
from chorale.sweeps.plan import Job
from chorale.sweeps.running import Show, run_jobs
from chorale.training.recipes import Recipe, written_recipe
from chorale.training.splits import Splits

FILE = "folds.json"


class FoldsFile(Checked):
    """What folds.json says: how utterances were held out, and what was said about each."""

    format: int
    recipe: str
    by: By
    folds: int
    """How many there are; some may not be trained yet."""
    seed: int
    figures: dict[str, Any]
    """Of all folds together ("all"), and by the number of each."""
    utterances: dict[str, HeldOut]
    """By identifier."""


@dataclass(frozen=True)
class FoldedCorpus:
    """The train split of a folder, and how it is held out."""

    domain: Domain
    utterances: Sequence[Utterance]
    folding: Folding
    sha256: str
    """The hash of the file."""

    @staticmethod
    def read(domain: Domain, data: Path, by: By = "kind", count: int = 5) -> FoldedCorpus:
        """Read the train split of a folder of data."""
        file = find_split(data, "train")
        utterances = domain.read(file)
        programs = known_programs(file) if by == "structure" else {}
        folding = folding_of(domain, utterances, by, count, programs)
        return FoldedCorpus(domain, utterances, folding, hash_of_file(file))

    def splits(self, number: int) -> Splits:
        """What the run of a fold learns from; what is held out is in neither of the two."""
        fold = self.folding.fold(number)
        train, dev = ([self.utterances[index] for index in part] for part in (fold.train, fold.dev))
        hashes = {name: self._hash(part) for name, part in (("train", train), ("dev", dev))}
        return Splits(hashes, lambda _: (train, dev))

    def _hash(self, part: Iterable[Utterance]) -> str:
        return sha256("\n".join([self.sha256, *(utterance.identifier for utterance in part)]).encode())


@dataclass(frozen=True)
class Folds:
    """The runs of a recipe on the folds of a corpus."""

    recipe: Recipe
    corpus: FoldedCorpus
    out: Path
    seed: int = 0

    def folder(self, number: int) -> Path:
        """Where the run of a fold is."""
        return self.out / f"fold-{number}"

    def check(self) -> None:
        """Refuse runs that were started with other settings, before any work is done."""
        self.recipe.check_domain(self.corpus.domain)
        self.recipe.check_installed()
        for number in range(self.corpus.folding.count):
            folder = self.folder(number)
            if (folder / "run.json").exists():
                changes = recipe_differences(read_recipe_table(folder), tomllib.loads(written_recipe(self.recipe)))
                now = circumstances(self.seed, self.corpus.splits(number).hashes)
                if changes := changes + read_run(folder).differences(now, versions=False):
                    listed = "\n".join(f"  {change}" for change in changes)
                    raise ChoraleError(
                        f"{folder}: this fold was started with other settings; name another folder to start afresh\n"
                        f"{listed}"
                    )

    def ask(self, number: int) -> None:
        """Ask the complete run of a fold about what it has never seen, unless that was done before."""
        path = self.folder(number) / "held_out.json"
        if path.exists():
            return
        model, folding, domain = load(self.folder(number), self.corpus.domain), self.corpus.folding, self.corpus.domain
        chosen = folding.fold(number).held_out
        utterances = [self.corpus.utterances[index] for index in chosen]
        said = {}
        for index, utterance, one in zip(chosen, utterances, model.predict(utterances), strict=True):
            right = list(domain.answers.right(one.answers or (), utterance.answers))
            group = hash_of_kind(folding.groups[index])
            said[utterance.identifier] = HeldOut(fold=number, group=group, program=one.program.text, right=right)
        write_json(path, {name: one.model_dump() for name, one in said.items()})

    def gather(self) -> FoldsFile:
        """All that was said so far, with figures; also written as folds.json."""
        numbers, said = list[int](), dict[str, HeldOut]()
        for number in range(self.corpus.folding.count):
            path = self.folder(number) / "held_out.json"
            if path.exists():
                numbers.append(number)
                said |= {name: checked(HeldOut, one, path) for name, one in read_json(path).items()}
        if not numbers:
            raise ChoraleError(f"{self.out}: no fold is complete yet")
        by_fold: dict[str, Any] = {"all": figures(list(said.values())).to_json()}
        for number in numbers:
            by_fold[str(number)] = figures([one for one in said.values() if one.fold == number]).to_json()
        by, count = self.corpus.folding.by, self.corpus.folding.count
        file = FoldsFile(
            format=FORMAT, recipe=self.recipe.name, by=by, folds=count, seed=self.seed, figures=by_fold, utterances=said
        )
        write_json(self.out / FILE, file.model_dump())
        return file


def read_folds(folder: Path) -> FoldsFile:
    """What `Folds.gather` wrote into a folder."""
    stored = read_json(folder / FILE)
    check_format(folder / FILE, stored.get("format"))
    return checked(FoldsFile, stored, folder / FILE)


def train_folds(
    jobs: Sequence[Job], options: Sequence[object], engine: Engine, show: Show, asked_to_stop: Callable[[], bool]
) -> bool:
    """Train several folds side by side; each is the same command for a single fold, with the options of this one."""

    def start(job: Job) -> Running:
        words = ["folds", job.recipe, "--out", job.folder.parent, "--fold", job.folder.name.removeprefix("fold-")]
        changes = (part for change in job.changes for part in ("--set", change))
        return engine.start([*words, "--seed", job.seed, *changes, *options], job.output)

    return run_jobs(jobs, start, engine.at_once, show, asked_to_stop)
