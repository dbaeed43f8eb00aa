"""`chorale reproduce`: the results table, every row that exists, from one command."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Option

from chorale.cli.engines import Address, EngineName, Engines, Jobs, engine_of
from chorale.cli.loading import use_one_thread
from chorale.cli.options import NLVR, Changes, Json
from chorale.cli.output import progress, say, say_json
from chorale.cli.sweep import run_all
from chorale.errors import ChoraleError, unknown
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.plumbing.files import check_folder
from chorale.report.published import WTQ, WTQ_NOTE, table_recipes
from chorale.report.results import records, table_jobs, table_rows, with_test, write_results
from chorale.report.tables import TableRow, aligned_text, results_table, steps_of, steps_table, systems_table

Rows = Annotated[
    list[str],
    Option(
        "--rows",
        metavar="ROW",
        help="Train these rows instead of the paper's. May be repeated, or separated by commas.",
    ),
]


def reproduce(
    data: Annotated[
        Path | None,
        Option(
            metavar="DIR", help="A folder with NLVR, or with WikiTableQuestions; default: the corpus inside Chorale."
        ),
    ] = None,
    domain: Annotated[str, Option(metavar="NAME", help="Whose results: nlvr or tables.")] = NLVR,
    seeds: Annotated[int, Option(min=1, help="How many seeds of each row: 0, 1, 2 and so on.")] = 5,
    rows: Rows = [],  # noqa: B006 - typer wants a plain default
    out: Annotated[Path | None, Option(metavar="DIR", help="Where runs and results go. [default: runs/table]")] = None,
    jobs: Jobs = None,
    engine: Engines = EngineName.local,
    address: Address = None,
    quick: Annotated[
        bool | None, Option("--quick/--full", help="Few epochs, short programs. [default: quick without --data]")
    ] = None,
    test: Annotated[bool, Option("--test", help="Also measure on the test split. Every look is noted.")] = False,
    changes: Changes = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Train every row of a results table and print it beside the published figures.

    Without --data it trains on the synthetic corpus that ships with Chorale. The right programs are known there, so the
    share of right meanings is reported as well. The same command resumes.

    With --domain tables, our rows on WikiTableQuestions stand beside published figures. The official test set is not
    looked at.

    Example: chorale reproduce --data nlvr --seeds 5 --rows language --rows consistency --jobs 2
    """
    is_wtq = domain == "tables"
    _check_domain(domain, data, test)
    recipes = table_recipes(chosen(rows), domain)
    quick = data is None if quick is None else quick
    folder = out or Path("runs") / ("wtq" if is_wtq else "table-quick" if quick else "table")
    check_folder(folder)
    where = data or embedded_corpus()
    work = table_jobs(recipes, seeds, folder, quick, changes)
    with engine_of(engine, address, jobs) as chosen_engine:
        run_all(work, where, chosen_engine)
    use_one_thread()
    is_published = data is not None and not is_wtq
    table = table_rows(work, where, published=is_published)
    if test:
        table, noted = with_test(table, work, where, folder, partial(progress, doing="evaluating on test"))
    command = shlex.join(["chorale", *sys.argv[1:]]) if "reproduce" in sys.argv else "chorale reproduce"
    page = write_results(
        folder, table, work, where, published=is_published, quick=quick, command=command, domain=domain
    )
    if as_json:
        say_json(records(table))
        return
    if test:
        say(f"the test split was looked at; noted in {noted}")
    if is_wtq:
        say(aligned_text(systems_table(table, WTQ)))
        say(WTQ_NOTE)
    else:
        print_table(table)
    say(f"\n{page}: the same with plots", "green")


def _check_domain(domain: str, data: Path | None, test: bool) -> None:
    """Refuse a domain without a results table."""
    if domain not in (NLVR, "tables"):
        raise ChoraleError(
            f"--domain {domain:.80}: there is no table of this domain; {unknown(domain, (NLVR, 'tables'))}"
        )
    if domain == "tables" and data is None:
        raise ChoraleError(
            "--domain tables needs --data, the folder with WikiTableQuestions; to get it: chorale download wtq"
        )
    if domain == "tables" and test:
        raise ChoraleError(
            "--test: the official test of WikiTableQuestions is not measured here; to use its own scorer: chorale "
            "predict RUN --data questions.tsv --out predictions.tsv"
        )


def chosen(rows: Sequence[str]) -> list[str]:
    """The names in the values of `--rows`."""
    names = [name.strip() for row in rows for name in row.split(",") if name.strip()]
    if rows and not names:
        raise ChoraleError(f"--rows {rows[0]}: there is no name in it; expected rows such as language,consistency")
    return names


def print_table(table: Sequence[TableRow]) -> None:
    """Print the table and the steps."""
    say(aligned_text(results_table(table)))
    if steps := steps_of(table):
        say("\n" + aligned_text(steps_table(steps)))
