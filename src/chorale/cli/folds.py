"""`chorale folds`: how good is a recipe on sentence templates that it has never seen?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from chorale.cli.domains import with_domain
from chorale.cli.engines import CORES, Jobs
from chorale.cli.options import Changes, Json, OtherDomain
from chorale.cli.output import counted, say, say_json
from chorale.cli.sweep import watch_all
from chorale.cli.train import train_watched
from chorale.domain.registry import find_domain
from chorale.engines.local import Local
from chorale.plumbing.files import check_folder
from chorale.report.tables import aligned_text
from chorale.sweeps.folds.folding import GROUPS, By
from chorale.sweeps.folds.runs import FILE, FoldedCorpus, Folds, train_folds
from chorale.sweeps.folds.tables import folds_table
from chorale.sweeps.plan import Job
from chorale.training.recipes import find_recipe, read_recipe


def folds(
    recipe: Annotated[str, Argument(metavar="RECIPE", help="A TOML file, or the name of one that ships.")],
    data: Annotated[Path, Option("--data", metavar="DIR", help="The folder with the split train; no other is read.")],
    out: Annotated[Path, Option(metavar="DIR", help="Where the runs go, one folder per fold; created if missing.")],
    count: Annotated[
        int,
        Option("--folds", min=2, help="How many folds; with --by length, the longest of that many parts is held out."),
    ] = 5,
    numbers: Annotated[
        list[int], Option("--fold", metavar="K", help="Only this fold, counted from 0; may be repeated.")
    ] = [],  # noqa: B006 - typer wants a plain default
    held_out: Annotated[
        By | None,
        Option(
            "--by",
            help="What is held out: templates of sentences (kind), topics such as tables, long sentences, or "
            "structures of programs. [default: topic for tables, else kind]",
        ),
    ] = None,
    seed: Annotated[int, Option(help="The seed of training. The folds do not depend on it.")] = 0,
    domain: OtherDomain = None,
    changes: Changes = [],  # noqa: B006
    threads: Annotated[
        int, Option(min=1, help="Threads of each run. Their number changes the last digits of results.")
    ] = 1,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Train a recipe on folds of the training split, and measure it on what each fold holds out.

    A template is a sentence without colours, numbers and shapes. By default a run never sees the templates of its fold.
    It trains on seven eighths of the other templates and chooses its epochs on the last eighth. You can also hold out
    topics (such as tables), the longest sentences, or program structures, which only synthetic corpora have.

    The same command resumes. `chorale compare` compares two recipes.

    Example: chorale folds language --data nlvr --out runs/folds/language --fold 0
    """
    check_folder(out)
    path = find_recipe(recipe)
    changes = with_domain(changes, domain)
    read = read_recipe(path, changes)
    about = find_domain(read.domain)
    read.check_domain(about)
    by = held_out or ("kind" if about.proposing(read.language) is None else "topic")
    corpus = FoldedCorpus.read(about, data, by, count)
    work = Folds(read, corpus, out, seed)
    chosen = sorted(set(numbers)) or list(range(corpus.folding.count))
    for number in chosen:
        corpus.folding.fold(number)  # refuses a fold that does not exist or is too small
    work.check()
    runs = {number: Job(path, tuple(changes), seed, work.folder(number)) for number in chosen}
    missing = {number: job for number, job in runs.items() if not job.is_done}
    if len(missing) == 1:
        [number] = missing
        train_watched(read, corpus.splits(number), work.folder(number), seed=seed, threads=threads)
    elif missing:
        options = ["--data", data, "--folds", count, "--by", by, "--threads", threads]
        folders, at_once = list(missing.values()), jobs or CORES
        watch_all(folders, partial(train_folds, folders, options, Local(at_once)), at_once)
    for number in chosen:
        work.ask(number)
    summary = work.gather()
    if as_json:
        say_json(summary.model_dump(exclude={"utterances"}))
        return
    ready = f"{len(summary.figures) - 1} of {counted(summary.folds, 'fold')}"
    say(f"{summary.recipe}, seed {seed}, held out by {by}: {ready}")
    say(aligned_text(folds_table(summary)))
    groups = GROUPS[by]
    say(f"± is the standard error over {groups}; epochs were chosen on an eighth of the {groups} that were kept, which")
    say(f"nothing was trained on. {out / FILE} has what was said about each utterance.")
