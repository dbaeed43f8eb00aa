"""`chorale report`: one page about runs."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from chorale.cli.options import ModelDomain
from chorale.cli.output import progress, say
from chorale.domain.registry import find_domain
from chorale.errors import ChoraleError
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.plumbing.files import check_file, hash_of_file, write
from chorale.report.runs import entries_of, report_page
from chorale.runs.run import find_split, read_run


def report(
    runs: Annotated[list[Path], Argument(metavar="RUN...", help="Runs or folders of runs, finished or not.")],
    data: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="The dev split, or its folder, to show mistakes; not needed for the corpus inside Chorale.",
        ),
    ] = None,
    out: Annotated[Path, Option(metavar="HTML", help="Where the page goes.")] = Path("report.html"),
    domain: ModelDomain = None,
) -> None:
    """Write one page about runs: progress, learning curves, mistakes and the hardest utterances.

    The page is a single file that loads nothing. Runs that differ only by seed stand together.

    Example: chorale report runs/language runs/consistency --data nlvr --out report.html
    """
    check_file(out)
    entries = entries_of(runs)
    if data is None:
        inside = find_split(embedded_corpus(), "dev")
        hashes = {read_run(one.folder).data.get("dev") for one in entries if one.state != "damaged"}
        data = inside if hashes == {hash_of_file(inside)} else None
    elif not data.exists():
        raise ChoraleError(f"{data}: no such file or folder; expected the dev split, or the folder it is in")
    elif data.is_dir():
        data = find_split(data, "dev")
    about = find_domain(domain) if domain else None
    command = shlex.join(["chorale", *sys.argv[1:]]) if "report" in sys.argv else "chorale report"
    page = report_page(entries, data, domain=about, command=command, watch=partial(progress, doing="evaluating"))
    write(out, page.encode())
    say(f"{out}: {len(entries)} runs" if len(entries) > 1 else f"{out}: {entries[0].folder}")
