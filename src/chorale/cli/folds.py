"""`chorale folds`: how good is a recipe on kinds of sentence that it has never seen?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from chorale.cli.domains import with_domain
from chorale.cli.engines import CORES
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
    out: Annotated[Path, Option(metavar="DIR", help="Where the runs go, a folder for each fold; made if missing.")],
    count: Annotated[int, Option("--folds", min=2, help="How many folds; by length, the longest of so many.")] = 5,
    numbers: Annotated[
        list[int], Option("--fold", metavar="K", help="Only this fold, counted from 0; may be repeated.")
    ] = [],  # noqa: B006 - typer wants a plain default
    held_out: Annotated[
        By | None,
        Option(
            "--by",
            help="What is held out: kinds of sentence, topics such as tables, long sentences, or structures of "
            "programs. [default: topic for tables, else kind]",
        ),
    ] = None,
    seed: Annotated[int, Option(help="The seed of the trainings; the folds do not depend on it.")] = 0,
    domain: OtherDomain = None,
    changes: Changes = [],  # noqa: B006
    threads: Annotated[int, Option(min=1, help="Threads of each run; their number decides the last digits.")] = 1,
    jobs: Annotated[int, Option("--jobs", min=1, help="Runs at a time.")] = CORES,
    as_json: Json = False,
) -> None:
    """Train a recipe on folds of train, and give accuracy and consistency on what each fold has held out.

    Kinds are sentences up to words that vary, such as colours and numbers. Each goes to a fold by a hash. A run never
    sees the kinds of its fold: it learns from seven eighths of the other kinds, and chooses its epochs on the last
    eighth. Topics are what questions are about, such as tables. Structures are known programs up to what their
    sentences fill in, and only synthetic corpora have them.

    The same command goes on where it stopped. Two recipes are compared by chorale compare.

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
        corpus.folding.fold(number)  # complains about a fold that is not there, or too small
    work.check()
    runs = {number: Job(path, tuple(changes), seed, work.folder(number)) for number in chosen}
    missing = {number: job for number, job in runs.items() if not job.is_done}
    if len(missing) == 1:
        [number] = missing
        train_watched(read, corpus.splits(number), work.folder(number), seed=seed, threads=threads)
    elif missing:
        options = ["--data", data, "--folds", count, "--by", by, "--threads", threads]
        watch_all(list(missing.values()), partial(train_folds, list(missing.values()), options, Local(jobs)), jobs)
    for number in chosen:
        work.ask(number)
    found = work.gather()
    if as_json:
        say_json(found.model_dump(exclude={"utterances"}))
        return
    say(f"{found.recipe}, seed {seed}, held out by {by}: {len(found.figures) - 1} of {counted(found.folds, 'fold')}")
    say(aligned_text(folds_table(found)))
    groups = GROUPS[by]
    say(f"± is the standard error over {groups}; epochs were chosen on an eighth of the {groups} that were kept, which")
    say(f"nothing was trained on. {out / FILE} has what was said about each utterance.")
