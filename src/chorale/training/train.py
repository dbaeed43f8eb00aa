"""Training: a recipe, a folder of data and a seed become a run.

>>> from pathlib import Path
>>> from tempfile import mkdtemp
>>> from chorale.nlvr.pictures.synthetic import write_corpus
>>> from chorale.model import load
>>> from chorale.training.recipes import parse_recipe
>>> folder = Path(mkdtemp())
>>> files = write_corpus(folder, {"train": 20, "dev": 5})
>>> recipe = parse_recipe('''
... name = "short"
... stages = [{kind = "search", procedure = "meaning", max_actions = 7}, {kind = "mml", epochs = 2}]
... ''')
>>> parser = load(train(recipe, folder, folder / "run"))
>>> best = parser.parse("There is a black square")[0]
>>> str(best.program.type), 0 < best.probability < 1
('bool', True)
"""

from __future__ import annotations

from pathlib import Path

import torch

from chorale.domain import Domain, grammar_of, kind_of
from chorale.domain.registry import find_domain
from chorale.evaluation.evaluate import evaluate
from chorale.parser import Vocabulary
from chorale.plumbing.files import hash_of_file, write_json
from chorale.runs.checkpoints import mark_of, write_model
from chorale.runs.reuse import Heritage
from chorale.runs.run import find_split, open_run
from chorale.runs.watching import Stop, Watcher
from chorale.training.candidates import CandidateSource, candidates_for
from chorale.training.corpora import Corpus
from chorale.training.decoding import decode
from chorale.training.settings import Fitted, Recipe, Rerank
from chorale.training.stages import STAGES, Workshop


def train(
    recipe: Recipe,
    data: Path,
    out: Path,
    *,
    seed: int = 0,
    after: Path | None = None,
    domain: Domain | None = None,
    source: CandidateSource = candidates_for,
    watcher: Watcher | None = None,
    stop: Stop | None = None,
    device: str = "cpu",
    threads: int = 1,
) -> Path:
    """Train, or go on where an earlier process stopped; gives back `out`, the folder of the run.

    `data` is a folder with the splits train and dev. The same recipe, data, seed and number of threads give the same
    run on the same machine, however often it was interrupted. `after` is another run, whose finished stages are taken
    over as far as its recipe is the same; see `after`. It is looked at only before this run has done anything.
    """
    torch.set_num_threads(threads)
    watcher, stop = watcher or Watcher(), stop or Stop()
    domain = domain or find_domain(recipe.domain)
    grammar_of(domain, recipe.language)  # complain about the language before anything is read
    files = {split: find_split(data, split) for split in ("train", "dev")}
    data_marks = {split: hash_of_file(path) for split, path in files.items()}
    is_new = not (out / "progress.json").exists()
    heritage = Heritage.of(after, recipe, seed, data_marks) if after is not None and is_new else None
    with open_run(out, recipe, seed, data_marks) as run:
        for note in run.notes:
            watcher.note(note)
        if heritage is not None and run.progress.metrics == 0:  # nobody else was here meanwhile
            heritage.hand_over(run)
            watcher.note(f"stages 1 to {heritage.stages} of {len(recipe.stages)} are taken over from {after}")
        if run.progress.done:
            watcher.note(f"{out}: this run is complete")
            return out
        told = recipe.parser.coverage
        read = {split: domain.read(path) for split, path in files.items()}
        corpora = {split: Corpus.of(domain, recipe.language, it, agenda=told) for split, it in read.items()}
        words = Vocabulary.of(corpora["train"].words, recipe.min_count)
        shop = Workshop(run, domain, corpora["train"], corpora["dev"], words, source, watcher, stop, device)
        for place in range(run.progress.stages, len(recipe.stages)):
            stop.check()
            stage = recipe.stages[place]
            STAGES[type(stage)](shop, place, stage)
        _finish(shop)
    return out


def _finish(shop: Workshop) -> None:
    """Write the model and what it says about dev."""
    run, recipe = shop.run, shop.run.recipe
    last = [stage for stage in recipe.stages if isinstance(stage, Fitted | Rerank)][-1]
    end = len(recipe.stages)
    parser, reranker, agenda = shop.last_parser(end), shop.last_reranker(end), shop.told_agenda(end)
    predictions = decode(
        parser, shop.dev, shop.dev_rewards, last.beam, last.max_actions, agenda=agenda, reranker=reranker
    )
    # Models know which kinds of sentence were seen, so that evaluation can tell without the training data.
    seen = frozenset(kind_of(shop.domain, utterance.sentence) for utterance in shop.train.utterances)
    report = evaluate(
        shop.dev.utterances,
        predictions,
        abstraction=lambda sentence: kind_of(shop.domain, sentence),
        seen=seen,
        kind=shop.domain.kind,
    )
    right = {name: list(values) for name, values in report.right.items()}
    write_json(run.folder / "dev.json", {**report.to_json(), "right": right})
    about = {
        "domain": shop.domain.name,
        "language": recipe.language,
        "recipe": recipe.name,
        "seed": run.seed,
        "beam": last.beam,
        "max_actions": last.max_actions,
        "agenda": agenda,
        "metrics": {"dev_accuracy": report.score.accuracy, "dev_consistency": report.score.consistency},
        "seen": sorted(map(mark_of, seen)),
    }
    write_model(run.folder / "model.json", parser, about, reranker)
    run.progress.done = True
    run.commit()
