"""`chorale search`: programs that fit the labels, for a whole data file or for one sentence."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from chorale.cli.domains import find
from chorale.cli.engines import Address, EngineName, Engines, engine_of
from chorale.cli.options import NLVR, Data, DomainName, Json, Language
from chorale.cli.output import complain, counted, say, say_json
from chorale.domain import Domain, needed
from chorale.plumbing.files import STANDARD, hash_of_file, write
from chorale.search.files import CandidateText
from chorale.search.sentence import SentenceCandidates, search_sentence
from chorale.search.settings import SearchSettings
from chorale.search.to_file import Summary, search_to_file

ProcedureName = StrEnum("ProcedureName", ["meaning", "reference"])


def search(
    data: Data,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where the JSON lines go.")] = None,
    sentence: Annotated[
        str | None,
        typer.Option("--sentence", help="Search for one sentence of the data alone, and show what was found."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", metavar="PNG", help="With --sentence: draw where the best two meanings differ."),
    ] = None,
    domain: DomainName = NLVR,
    language: Language = None,
    max_actions: Annotated[
        int | None,
        typer.Option("--max-actions", min=1, help="The longest program. Default: 20; reference: 11, macro 9."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Keep only programs that are right in all contexts.")
    ] = False,
    noise: Annotated[
        str | None, typer.Option("--noise", metavar="P", help="The probability that a label is wrong; default: 0.05.")
    ] = None,
    keep: Annotated[int, typer.Option("--keep", min=1, help="Candidates per utterance.")] = 20,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 is one per core.")] = 0,
    pool: Annotated[bool, typer.Option("--pool/--no-pool", help="Pool the contexts of equal sentences.")] = True,
    procedure: Annotated[
        ProcedureName, typer.Option("--procedure", help="Search by meaning, or as the reference does.")
    ] = ProcedureName.meaning,
    engine: Engines = EngineName.local,
    address: Address = None,
    as_json: Json = False,
) -> None:
    """Find the programs that fit each utterance's labels, best first.

    If a search is interrupted, the same command resumes it.

    Example: chorale search --data train.json --out candidates.jsonl --strict --max-actions 11

    Example: chorale search --data train.json --sentence "There is a box with a black item." --picture differ.png
    """
    if out == STANDARD:
        raise typer.BadParameter("name a file; a search that was stopped resumes from it", param_hint="--out")
    if (out is None) == (sentence is None):
        raise typer.BadParameter("give either --out FILE or --sentence TEXT", param_hint="--out")
    if picture is not None and sentence is None:
        raise typer.BadParameter("needs --sentence TEXT", param_hint="--picture")
    if procedure is ProcedureName.reference and noise is not None:
        raise typer.BadParameter("the reference's search has no noise", param_hint="--noise")
    about, language = find(domain, language)
    if picture is not None:
        needed(about.drawing, about, "drawing", "--picture")
    if max_actions is None and procedure is ProcedureName.reference and language == "macro":
        max_actions = 9
    given = {"procedure": procedure.value, "keep": keep, "pool": pool}
    given |= {"max_actions": max_actions, "noise": _rate(noise, strict)}
    settings = SearchSettings.model_validate({key: value for key, value in given.items() if value is not None})
    with about.opened(data) as utterances:
        if sentence is not None:
            grounding = about.ground(language, list(utterances))
            result = search_sentence(about, language, grounding, settings, sentence, data)
            if picture is not None and about.drawing is not None and result.difference:
                first, second = map(about.answers.text, result.difference.answers or ())
                caption = f"the best meaning: {first}, the second best: {second}"
                write(picture, about.drawing.draw(result.context, "png", scale=2, caption=caption))
            _show_sentence(result, about, sentence, picture, as_json)
        elif out is not None:
            try:
                with engine_of(engine, address, jobs or None) as chosen, _watching(len(utterances)) as watch:
                    how: dict[str, Any] = {"data": hash_of_file(data), "engine": chosen, "watch": watch}
                    summary = search_to_file(about, language, utterances, settings, out, **how)
            except KeyboardInterrupt:
                complain("stopped; what was found is kept. To resume, give the same command again", "note")
                raise typer.Exit(128 + signal.SIGINT) from None
            if as_json:
                say_json({"out": str(out), **summary.to_json()})
            else:
                _show_summary(summary, out, settings.is_strict)


def _rate(noise: str | None, strict: bool) -> float | None:
    """The probability that a label is wrong, 0 in strict mode, None if it is the usual one."""
    if strict:
        if noise is not None:
            raise typer.BadParameter("--strict means that no label is wrong; leave one of the two out")
        return 0.0
    if noise is None:
        return None
    if noise == "raters":
        message = "rates by rater were removed: they gained 0.001 ± 0.001. Give a probability, such as 0.05"
        raise typer.BadParameter(message, param_hint="--noise")
    with suppress(ValueError):
        if 0 <= float(noise) < 0.5:
            return float(noise)
    message = f"expected a probability from 0 to below 0.5, found {noise!r}"
    raise typer.BadParameter(message, param_hint="--noise")


@contextmanager
def _watching(total: int) -> Iterator[Callable[[Summary], None]]:
    """A bar on standard error if that is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("searching", total=total, state="")

        def watch(summary: Summary) -> None:
            state = f"{bar.tasks[0].speed or 0.0:.0f}/s, {summary.share(summary.covered):.1%} covered"
            bar.update(task, completed=summary.utterances, state=state)

        yield watch


def _show_summary(summary: Summary, out: Path, strict: bool) -> None:
    say(f"{out}: {counted(summary.utterances, 'utterance')} in {summary.seconds:.0f} s")
    for name, count in (
        ("with a candidate", summary.covered),
        *([] if strict else [("... right in all contexts", summary.right)]),
        ("best one explains all words", summary.explained),
        ("all labels equal", summary.uniform),
        ("no known word", summary.wordless),
    ):
        say(f"{name:<28}{summary.share(count):7.1%}  ({count:,})")
    say(f"{'candidates per utterance':<28}{summary.share(summary.candidates):7.1f}")
    say(f"{'peak memory':<28}{summary.peak_memory / 2**20:7.0f} MiB")


def _show_sentence(
    result: SentenceCandidates, domain: Domain, sentence: str, picture: Path | None, as_json: bool
) -> None:
    differ: dict[str, Any] | None = None
    if result.difference is not None:
        answers = result.difference.answers
        said = " and ".join(map(domain.answers.text, answers or ()))
        text = (
            f"the best two differ on {domain.context_word} {result.name}: {said}"
            if answers
            else f"the best two: {result.difference}"
        )
        differ = {
            "image": result.name,
            "answers": answers and [domain.answers.to_json(it) for it in answers],
            "text": text,
        }
    if as_json:
        shown = {
            "sentence": sentence,
            "identifiers": [utterance.identifier for utterance in result.utterances],
            "candidates": [CandidateText.of(one).model_dump() for one in result.readings],
            "differ": differ,
            "picture": None if picture is None or result.name is None else str(picture),
        }
        say_json(shown)
        return
    contexts = sum(len(utterance.answers) for utterance in result.utterances)
    counts = (counted(len(result.utterances), "utterance"), counted(contexts, domain.context_word))
    say(f"{', '.join(counts)}: {counted(len(result.readings), 'candidate')}")
    for one in result.readings:
        notes = [f"wrong on {one.wrong}"] if one.wrong else []
        notes += [f"does not say: {', '.join(one.unexplained)}"] if one.unexplained else []
        say(f"{one.score:8.2f}  {one.program}" + (f"  ({'; '.join(notes)})" if notes else ""))
    if differ is not None:
        say(differ["text"])
    if picture is not None:
        say(
            f"{picture}: where the best two differ"
            if result.name
            else f"no {domain.context_word} tells the best two apart"
        )
