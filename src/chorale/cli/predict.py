"""`chorale predict`: what a trained parser says about a data file."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Annotated, Any

from typer import BadParameter, Exit, Option

from chorale.cli.engines import Address, EngineName, Engines, engine_of
from chorale.cli.loading import load_model
from chorale.cli.options import AnswerIf, Data, Device, ModelDomain, ModelName, Run
from chorale.cli.output import complain, say
from chorale.evaluation.to_file import predict_to_file
from chorale.plumbing.files import STANDARD, check_file, hash_of_file
from chorale.plumbing.version import version


def predict(
    data: Data,
    out: Annotated[
        Path,
        Option(
            "--out",
            "--output",
            metavar="FILE",
            help="Where lines identifier,answer go; with tabs if it ends in .tsv. - is stdout.",
        ),
    ],
    run: Run = None,
    programs: Annotated[Path | None, Option(metavar="FILE", help="Also write the programs, as JSON lines.")] = None,
    answer_if: AnswerIf = 0.0,
    header: Annotated[bool, Option("--header", help="Begin with the header identifier,answer.")] = False,
    named: ModelName = None,
    device: Device = "cpu",
    domain: ModelDomain = None,
    jobs: Annotated[int | None, Option("--jobs", min=1, help="Processes; default: 1, or a cluster's cores.")] = None,
    engine: Engines = EngineName.local,
    address: Address = None,
) -> None:
    """Predict an answer for every context of a data file. Labels are not needed.

    The output is in the order of the data and has no header unless you ask for one, as the data set's own scorer
    expects. With --answer-if, answers that are less sure become `unknown`; the programs are written with their
    confidence and reasons in any case.

    A name that ends in .tsv selects WikiTableQuestions' format: one line per question with its id and its values,
    separated by tabs. A line with the id alone means "not known".

    If the command is interrupted, the same command resumes. The files get their names when they are complete.

    Example: chorale predict runs/language --data test.json --out predictions.csv --programs programs.jsonl
    """
    for path in (out, programs):
        if path is not None:
            check_file(path)
    if device != "cpu" and (engine is EngineName.ray or (jobs or 1) > 1):
        raise BadParameter("several workers can use CPUs only; leave out --jobs and --engine, or this option")
    model = load_model(run, domain, device, named)
    files: dict[str, Any] = {
        "out": out,
        "programs": programs,
        "answer_if": answer_if,
        "header": header,
        "depends_on": None,
    }
    if engine is EngineName.local:
        jobs = jobs or 1
    with model.domain.opened(data, labels_required=False) as utterances:
        if data.is_file():  # what is read from a pipe cannot be read again
            about = {"version": version(), "model": model.about.model_dump(mode="json"), "device": device}
            files["depends_on"] = {**about, "data": hash_of_file(data)}
        try:
            with engine_of(engine, address, jobs) as chosen:
                predict_to_file(model.predict, model.domain, utterances, engine=chosen, **files)
        except KeyboardInterrupt:
            complain("stopped; what was predicted is kept. To resume, give the same command again", "note")
            raise Exit(128 + signal.SIGINT) from None
        if out != STANDARD:
            say(f"{out}: {len(utterances):,} utterances")
