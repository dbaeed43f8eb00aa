"""Training: a recipe, a folder of data and a seed become a run.

>>> from pathlib import Path
>>> from tempfile import mkdtemp
>>> from chorale.nlvr.pictures.synthetic import write_corpus
>>> from chorale.training.recipes import parse_recipe
>>> folder = Path(mkdtemp())
>>> files = write_corpus(folder, {"train": 20, "dev": 5})
>>> recipe = parse_recipe('''
... name = "short"
... stages = [{kind = "search", max_actions = 7}, {kind = "mml", epochs = 2}]
... ''')
>>> run = train(recipe, folder, folder / "run")
>>> (run / "model.json").exists()
True
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chorale.domain import Domain, Utterance, grammar_of, kind_of
from chorale.domain.parsing import Corpus
from chorale.domain.registry import find_domain
from chorale.evaluation.doubts import pairs
from chorale.evaluation.evaluate import evaluate
from chorale.evaluation.predictions import predict
from chorale.parser.vocabulary import Vocabulary
from chorale.plumbing.files import write_json
from chorale.runs.models import hash_of_kind, write_model
from chorale.runs.reuse import Reuse
from chorale.runs.run import open_run
from chorale.runs.watching import Stop, Watcher
from chorale.training.recipes import Recipe, written_recipe
from chorale.training.splits import Splits
from chorale.training.stage import Trainer


def train(
    recipe: Recipe,
    data: Path | Splits,
    out: Path,
    *,
    seed: int = 0,
    after: Path | None = None,
    domain: Domain | None = None,
    watcher: Watcher | None = None,
    stop: Stop | None = None,
    device: str = "cpu",
    threads: int = 1,
) -> Path:
    """Train, or resume where an earlier process stopped; returns `out`, the folder of the run.

    `data` is a folder with the splits train and dev, or the splits themselves. The same recipe, data, seed and number
    of threads give the same run on the same machine, however often it was interrupted. `after` is another run, whose
    finished stages are taken over as far as its recipe is the same; see `reuse`. It is looked at only before this run
    has done anything.
    """
    domain = domain or find_domain(recipe.domain)
    grammar_of(domain, recipe.language)  # refuse the language before anything is read
    recipe.check_domain(domain)
    for stage in recipe.stages:
        stage.check(domain, recipe.language)
    recipe.check_installed()
    if recipe.is_network:
        import torch  # noqa: PLC0415 - not every parser needs it

        torch.set_num_threads(threads)
    watcher, stop = watcher or Watcher(), stop or Stop()
    splits = data if isinstance(data, Splits) else Splits.of(data)
    is_new = not (out / "progress.json").exists()
    reuse = Reuse.of(after, recipe.plain, seed, splits.hashes, threads) if after is not None and is_new else None
    with open_run(out, written_recipe(recipe), seed, splits.hashes, threads) as run:
        for note in run.notes:
            watcher.note(note)
        if reuse is not None and run.progress.metrics == 0:  # nobody else was here meanwhile
            reuse.hand_over(run)
            watcher.note(f"stages 1 to {reuse.stages} of {len(recipe.stages)} are taken over from {after}")
        if run.progress.done:
            watcher.note(f"{out}: this run is complete")
            return out
        given = {
            "agenda": recipe.parser.coverage,
            "hints": recipe.parser.lexicon or recipe.decoding.unexplained > 0,
            "sample": recipe.decoding.informative,
        }
        ours, dev = (Corpus.of(domain, recipe.language, it, **given) for it in _read(splits, domain, recipe.mix, seed))
        trainer = Trainer(
            run=run,
            stages=recipe.stages,
            sizes=recipe.parser,
            domain=domain,
            language=recipe.language,
            train=ours,
            dev=dev,
            vocabulary=Vocabulary.of(ours.words, recipe.min_count),
            watcher=watcher,
            stop=stop,
            device=device,
            rules=recipe.decoding,
        )
        for index in range(run.progress.stages, len(recipe.stages)):
            stop.check()
            recipe.stages[index].run_in(trainer, index)
        _finish(trainer, recipe)
    return out


def _read(splits: Splits, domain: Domain, mix: int, seed: int) -> tuple[Sequence[Utterance], Sequence[Utterance]]:
    """Train, with so many utterances that are made up, and dev."""
    train, dev = splits.read(domain)
    if mix and domain.synthesis is not None:
        train = [*train, *domain.synthesis.made(mix, seed)]
    return train, dev


def _finish(trainer: Trainer, recipe: Recipe) -> None:
    """Write the model and what it says about dev."""
    run, domain = trainer.run, trainer.domain
    parser, predictions = trainer.predicted or (None, None)
    if parser is None or predictions is None:
        parser = [stage for stage in recipe.stages if stage.gives != "candidates"][-1].parser(trainer)
        predictions = predict(parser, trainer.dev)
    # Models know which sentence templates were seen, so that evaluation can tell without the training data.
    seen = frozenset(kind_of(domain, utterance.sentence) for utterance in trainer.train.utterances)
    report = evaluate(
        trainer.dev.utterances,
        predictions,
        abstraction=lambda sentence: kind_of(domain, sentence),
        seen=seen,
        kind=domain.kind,
        compared=domain.answers,
    )
    write_json(run.folder / "dev.json", report.to_file())
    about = {
        "domain": domain.name,
        "language": recipe.language,
        "recipe": recipe.name,
        "seed": run.seed,
        "metrics": report.score.to_json("dev_"),
        "seen": sorted(map(hash_of_kind, seen)),
        "familiar": sorted({hash_of_kind(pair) for kind in seen for pair in pairs(kind, trainer.domain.lemma)}),
        "words": sorted({hash_of_kind(word) for some in trainer.train.words for word in some}),
    }
    file = run.folder / "model.json"
    file.unlink(missing_ok=True)  # of a process that was killed before the run was complete
    write_model(file, parser, about)
    run.progress.done = True
    run.commit()
