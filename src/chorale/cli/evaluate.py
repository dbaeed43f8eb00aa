"""`chorale evaluate`: how good a trained parser is."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from chorale.cli.loading import load_model
from chorale.cli.options import AnswerIf, Data, Device, Json, ModelDomain, ModelName, Run
from chorale.cli.output import complain, counted, say, say_json
from chorale.evaluation.confidence import trust_of
from chorale.evaluation.evaluate import NOT_SEEN, Evaluation
from chorale.evaluation.meaning import known_programs, right_meaning
from chorale.evaluation.metrics import Score
from chorale.evaluation.probe import Probe
from chorale.evaluation.robustness import Robustness
from chorale.model import shipped
from chorale.plumbing.files import check_file, write
from chorale.report.looks import refuse_test
from chorale.report.mistakes import mistakes_page


def evaluate(
    data: Data,
    run: Run = None,
    probe: Annotated[
        bool,
        Option(
            "--probe",
            help="Measure how often an answer is a toss-up; for tables, how many right answers survive changes.",
        ),
    ] = False,
    answer_if: AnswerIf = 0.0,
    mistakes: Annotated[
        Path | None, Option(metavar="HTML", help="Write a page of its mistakes, with contexts and traces.")
    ] = None,
    named: ModelName = None,
    device: Device = "cpu",
    domain: ModelDomain = None,
    as_json: Json = False,
) -> None:
    """Measure accuracy and consistency of a trained parser on labelled data.

    Accuracy is the share of (utterance, context) pairs that are right. Consistency is the share of utterances that are
    right in all their contexts. Both are also given for sentences whose template (the sentence without colours, numbers
    and shapes) occurs in train and for those whose template does not.

    If the data has the program behind each sentence, as a synthetic corpus does, the share of predictions with the
    right meaning is given as well.

    With --probe, programs in the beam that agree on generated contexts count as one meaning. An utterance is a toss-up
    if its best meaning is less than twice as probable as another one. The toss-up is decisive if the two disagree on
    the utterance's own contexts.

    For questions over tables, --probe asks how many right answers stay right after changes whose effect is known: a
    name is replaced everywhere, columns or rows are reordered or added, cells change that the program does not look at,
    and cells change that it does.

    With --answer-if, the figures are also given for the answers that are at least so sure, with how well confidence
    tells right from wrong.

    Example: chorale evaluate runs/language --data dev.json --probe --mistakes mistakes.html
    """
    if mistakes is not None:
        check_file(mistakes)
        refuse_test(data)
    model = load_model(run, domain, device, named)
    utterances = model.domain.read(data)
    predictions = model.predict(utterances)
    evaluation = model.evaluate(utterances, predictions)
    known = known_programs(data) if model.domain.makes_contexts else {}
    told = [one for one in predictions if one.utterance is not None and one.utterance.identifier in known]
    share = right_meaning(model.domain, model.language, told, known) if told else None
    probed = model.probe(utterances) if probe and model.domain.probes is None else None
    robust = model.robustness(utterances, predictions) if probe and model.domain.probes is not None else None
    trust = trust_of(utterances, predictions, model.domain.answers, answer_if) if answer_if else None
    if mistakes is not None:
        command = shlex.join(["chorale", *sys.argv[1:]]) if "evaluate" in sys.argv else "chorale evaluate"
        page = mistakes_page(model, utterances, predictions, evaluation, known=known, command=command)
        write(mistakes, page.encode())
    is_shipped = (asked := run or named) is None or (str(asked) in shipped() and not asked.exists())
    if is_shipped and model.domain.abstractions is not None:  # where kinds are sentences, most are new
        _note_other_kinds(evaluation, data)
    if as_json:
        more: dict[str, Any] = {} if share is None else {"right_meaning": share}
        trusted = {} if trust is None else {"trust": trust.to_json()}
        if robust is not None:
            more["robustness"] = robust.to_json()
        say_json({**evaluation.to_json(), **more, **({} if probed is None else {"probe": probed.to_json()}), **trusted})
        return
    _print_scores({"all": evaluation.score, **evaluation.parts})
    say(f"always {evaluation.baseline!r} would have accuracy {100 * evaluation.baseline_accuracy:.1f}")
    if share is not None:
        say(f"right meaning: {100 * share:.1f} % of the programs mean what their sentence means")
    if trust is not None:
        say(str(trust))
    if probed is not None:
        _print_probe(probed)
    if robust is not None:
        _print_robustness(robust)
    if mistakes is not None:
        wrong = evaluation.score.groups - evaluation.score.right_groups
        say(f"{mistakes}: {counted(wrong, 'utterance')} with a wrong answer")


def _note_other_kinds(evaluation: Evaluation, data: Path) -> None:
    """Say so where a shipped model is asked about sentences unlike NLVR's, as a newcomer does on a synthetic corpus."""
    other = evaluation.parts.get(NOT_SEEN)
    if other is not None and 2 * other.groups > evaluation.score.groups:
        complain(
            f"{other.groups:,} of {counted(evaluation.score.groups, 'utterance')} have templates that this model "
            "has not seen. To train one on this data: "
            f"chorale train ranker --data {shlex.quote(str(data.parent))} --out runs/ranker",
            "note",
        )


def _print_scores(rows: dict[str, Score]) -> None:
    width, several = max(map(len, rows)), any(len(score.measures) > 1 for score in rows.values())
    say(f"{'':{width}}  accuracy{'  consistency  pairs' if several else ''}  utterances")
    for name, score in rows.items():
        more = f"  {100 * score.consistency:11.1f}  {score.pairs:5}" if several else ""
        say(f"{name:{width}}  {100 * score.accuracy:8.1f}{more}  {score.groups:10}")


def _print_robustness(robustness: Robustness) -> None:
    say(f"\n{counted(robustness.right, 'right answer')} of {robustness.utterances:,}, asked again after changes")
    rows = {**robustness.kinds, "all of these": robustness.every}
    width = max(map(len, rows))
    say(f"{'':{width}}  changed  still right")
    for name, stayed in rows.items():
        share = "" if stayed.share is None else f"{100 * stayed.share:.1f}"
        say(f"{name:{width}}  {stayed.changed:7}  {share:>11}")


def _print_probe(probed: Probe) -> None:
    say(f"\nmeanings, told apart on {probed.contexts:,} generated contexts")
    say(f"toss-up: {100 * probed.toss_ups:.1f} % of the utterances; decisive: {100 * probed.decisive:.1f} %")
    _print_scores(probed.scores())
