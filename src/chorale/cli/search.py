"""`chorale search`: programs that fit the labels, for a whole data file or for one sentence."""

from __future__ import annotations

import hashlib
import io
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorale.cli.options import NLVR, Data, DomainName, Json, Language, find
from chorale.cli.output import complain, counted, progress, say, say_json
from chorale.errors import ChoraleError, nearest
from chorale.plumbing.files import STANDARD, write

if TYPE_CHECKING:
    from chorale.domain import Domain, Grounding, Hints
    from chorale.nlvr.pictures.scenes import Scene
    from chorale.search.candidates import Candidate, Group, Procedure, Settings
    from chorale.search.corpus import Summary

RATERS = "raters"


class ProcedureName(StrEnum):
    """The value of `--procedure`."""

    meaning = "meaning"
    reference = "reference"


def search(
    data: Data,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where the JSON lines go.")] = None,
    sentence: Annotated[
        str | None,
        typer.Option("--sentence", help="Search for one sentence of the data alone, and show what is found."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", metavar="PNG", help="With --sentence: draw where the best two meanings differ."),
    ] = None,
    language: Language = None,
    max_actions: Annotated[
        int | None,
        typer.Option("--max-actions", min=1, help="The longest program. Default: 20; reference: 11, macro 9."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Keep only programs that are right on all images.")] = False,
    noise: Annotated[
        str | None,
        typer.Option("--noise", metavar="P", help="How likely a label is wrong (0.05), or `raters`: from each rater."),
    ] = None,
    keep: Annotated[int, typer.Option("--keep", min=1, help="Candidates per utterance.")] = 20,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 is one per core.")] = 0,
    pool: Annotated[bool, typer.Option("--pool/--no-pool", help="Pool the images of equal sentences.")] = True,
    procedure: Annotated[
        ProcedureName, typer.Option("--procedure", help="Search by meaning, or as the reference does.")
    ] = ProcedureName.meaning,
    domain_name: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Find the programs that fit each utterance's labels, best first.

    A search that is stopped goes on where it was when the same command is given again.

    Example: chorale search --data train.json --out candidates.jsonl --strict --max-actions 11

    Example: chorale search --data train.json --sentence "There is a box with a black item." --picture differ.png
    """
    from chorale.domain import Unlabelled, needed  # noqa: PLC0415
    from chorale.search.candidates import NOISE, Settings  # noqa: PLC0415

    if out == STANDARD:
        raise typer.BadParameter("name a file: it is what a stopped search goes on from", param_hint="--out")
    if (out is None) == (sentence is None):
        raise typer.BadParameter("give either --out FILE or --sentence TEXT", param_hint="--out")
    if picture is not None and sentence is None:
        raise typer.BadParameter("goes with --sentence TEXT", param_hint="--picture")
    domain, spoken = find(domain_name, language)
    as_reference = procedure is ProcedureName.reference
    if max_actions is None:
        max_actions = (9 if spoken == "macro" else 11) if as_reference else 20
    rate = _rate(noise, strict, NOISE)
    settings = Settings(max_actions=max_actions, noise=rate or 0.0, keep=keep, pool=pool and not as_reference)
    if rate is None:
        settings = Settings(max_actions=max_actions, keep=keep, pool=pool)
    if as_reference and noise is not None:
        raise typer.BadParameter("the reference knows no noise", param_hint="--noise")

    grounding = domain.ground(spoken, domain.read(data))
    lexicon = needed(domain.lexicon(spoken), domain, f"lexicon for {spoken}", "search by meaning")

    def hints(sentence: str) -> Hints:
        return lexicon.hints(Unlabelled(sentence))

    job = _Job(domain, grounding, hints, settings, spoken)
    if as_reference:
        job.as_reference()
    elif rate is None:
        job.weigh_raters()
    if sentence is not None:
        _one(job, data, sentence, picture, as_json)
    elif out is not None:
        _all(job, data, out, jobs or _cores(), as_json)


class _Job:
    """What is searched, and how."""

    def __init__(
        self,
        domain: Domain,
        grounding: Grounding,
        hints: Callable[[str], Hints],
        settings: Settings,
        language: str,
    ) -> None:
        from chorale.search.candidates import Searcher, groups_of  # noqa: PLC0415

        self.domain, self.grounding, self.hints, self.language = domain, grounding, hints, language
        self.settings, self.rates = settings, dict[str, float]()
        self.searcher = Searcher(grounding, hints, settings)
        self.procedure: Procedure = self.searcher
        self.groups = groups_of(grounding, settings.pool)

    def as_reference(self) -> None:
        """Search as the reference does."""
        from chorale.domain import Unlabelled, needed  # noqa: PLC0415
        from chorale.search.reference import Reference  # noqa: PLC0415

        found = self.domain.agenda(self.language)
        agenda = needed(found, self.domain, f"agenda for {self.language}", "the reference's search")
        settings = self.settings
        self.procedure = Reference(
            self.grounding,
            lambda sentence: agenda.required(Unlabelled(sentence)),
            max_actions=settings.max_actions,
            keep=settings.keep,
        )

    def weigh_raters(self) -> None:
        """Estimate how often each rater is wrong, and search with that."""
        from chorale.domain import needed  # noqa: PLC0415
        from chorale.search.candidates import Searcher  # noqa: PLC0415
        from chorale.search.raters import rater_rates, rates_of_labels  # noqa: PLC0415

        who = needed(self.domain.raters, self.domain, "raters", "--noise raters")
        raters = [who(utterance) for utterance in self.grounding.utterances]
        watch = partial(progress, doing="raters")
        self.rates = rater_rates(self.searcher, self.groups, raters, watch)
        if not self.rates:
            complain("the data does not say who gave a label; all labels count the same", "note")
            return
        rates = rates_of_labels(self.rates, raters, self.settings.doubt)
        self.procedure = Searcher(self.grounding, self.hints, self.settings, rates)

    def mark(self, data: Path) -> str:
        """A fingerprint of everything that the result depends on."""
        import chorale  # noqa: PLC0415
        from chorale.search.records import fingerprint  # noqa: PLC0415

        sentences = {utterance.sentence for utterance in self.grounding.utterances}
        known = [(sentence, self.hints(sentence)) for sentence in sorted(sentences)]
        asked = [[text, sorted(it.allowed), [[w, sorted(t)] for w, t in it.explains]] for text, it in known]
        return fingerprint(
            {
                "version": chorale.__version__,
                "data": hashlib.sha256(data.read_bytes()).hexdigest(),
                "grammar": self.domain.languages[self.language].grammar.fingerprint,
                "procedure": type(self.procedure).__name__,
                "settings": asdict(self.settings),
                "rates": self.rates,
                "hints": asked,
            }
        )


def _rate(noise: str | None, strict: bool, default: float) -> float | None:
    """The probability that a label is wrong, 0 in strict mode, None if it is estimated for each rater."""
    if strict:
        if noise is not None:
            raise typer.BadParameter("--strict means that no label is wrong; leave one of the two out")
        return 0.0
    if noise is None or noise == RATERS:
        return default if noise is None else None
    try:
        rate = float(noise)
    except ValueError:
        rate = -1.0
    if not 0 <= rate < 0.5:
        raise typer.BadParameter(
            f"expected a probability from 0 to below 0.5, or {RATERS!r}, found {noise!r}", param_hint="--noise"
        )
    return rate


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# -- a whole file ------------------------------------------------------------------------------------------------------


def _all(job: _Job, data: Path, out: Path, jobs: int, as_json: bool) -> None:
    from chorale.search.corpus import search_corpus  # noqa: PLC0415

    try:
        with _watching(len(job.grounding.utterances)) as watch:
            summary = search_corpus(job.procedure, job.groups, job.hints, out, job.mark(data), jobs=jobs, watch=watch)
    except KeyboardInterrupt:
        complain("stopped; what was found is kept. To go on, give the same command again", "note")
        raise typer.Exit(128 + signal.SIGINT) from None
    if as_json:
        rates = {name: round(rate, 4) for name, rate in job.rates.items()}
        say_json({"out": str(out), **summary.to_json(), **({"rates": rates} if rates else {})})
    else:
        _tell(summary, out, job.settings.is_strict)


@contextmanager
def _watching(total: int) -> Iterator[Callable[[Summary], None]]:
    """A bar on standard error if that is a terminal."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("searching", total=total, state="")

        def watch(summary: Summary) -> None:
            speed = bar.tasks[0].speed or 0.0
            bar.update(task, completed=summary.utterances, state=f"{speed:.0f}/s, {summary.coverage:.1%} covered")

        yield watch


def _tell(summary: Summary, out: Path, strict: bool) -> None:
    total = max(1, summary.utterances)
    say(f"{out}: {counted(summary.utterances, 'utterance')} in {summary.seconds:.0f} s")
    rows = [("with a candidate", summary.covered)]
    if not strict:
        rows.append(("... right on all images", summary.right))
    rows += [
        ("best one explains all words", summary.explained),
        ("all labels equal", summary.uniform),
        ("no known word", summary.wordless),
    ]
    for name, count in rows:
        say(f"{name:<28}{count / total:7.1%}  ({count:,})")
    say(f"{'candidates per utterance':<28}{summary.candidates / total:7.1f}")
    say(f"{'peak memory':<28}{summary.peak_memory / 2**20:7.0f} MiB")


# -- one sentence ------------------------------------------------------------------------------------------------------


def _one(job: _Job, data: Path, sentence: str, picture: Path | None, as_json: bool) -> None:
    from chorale.search.candidates import Group  # noqa: PLC0415
    from chorale.search.records import candidate_record  # noqa: PLC0415

    group = Group(sentence, _members(job, data, sentence))
    utterances = [job.grounding.utterances[member] for member in group.members]
    candidates = _ranked(job, group)
    differ, scene = _difference(job, candidates)
    if picture is not None and scene is not None and differ is not None:
        write(picture, _drawn(scene, differ))
    if as_json:
        say_json(
            {
                "sentence": sentence,
                "identifiers": [utterance.identifier for utterance in utterances],
                "candidates": [candidate_record(candidate) for candidate in candidates],
                "differ": differ,
                "picture": None if picture is None or scene is None else str(picture),
            }
        )
        return
    images = sum(len(utterance.answers) for utterance in utterances)
    say(f"{counted(len(utterances), 'utterance')}, {counted(images, 'image')}: {counted(len(candidates), 'candidate')}")
    for candidate in candidates:
        notes = [f"wrong on {candidate.wrong}"] if candidate.wrong else []
        notes += [f"does not say: {', '.join(candidate.prior.unexplained)}"] if candidate.prior.unexplained else []
        say(f"{candidate.score:8.2f}  {candidate.program}" + (f"  ({'; '.join(notes)})" if notes else ""))
    if differ is not None:
        say(differ["text"])
    if picture is not None:
        say(f"{picture}: where the best two differ" if scene is not None else "no picture tells the best two apart")


def _members(job: _Job, data: Path, sentence: str) -> tuple[int, ...]:
    """The utterances that say the sentence."""
    from chorale.search.candidates import plain  # noqa: PLC0415

    says = {place: plain(utterance.sentence) for place, utterance in enumerate(job.grounding.utterances)}
    members = tuple(place for place, said in says.items() if said == plain(sentence))
    if not members:
        close = nearest(plain(sentence), says.values())
        raise ChoraleError(f"{data}: nobody says {sentence!r}{f'; did you mean {close!r}?' if close else ''}")
    return members


def _ranked(job: _Job, group: Group) -> list[Candidate]:
    """The candidates of all utterances that say the sentence, best first; `wrong` counts over all of them."""
    found: dict[Any, Candidate] = {}
    for result in job.procedure.search(group):
        for candidate in result.candidates:
            found.setdefault(candidate.program, candidate)

    def wrong(candidate: Candidate) -> int:
        pairs = (
            zip(job.grounding.answers(candidate.program, member), job.grounding.utterances[member].answers, strict=True)
            for member in group.members
        )
        return sum(label is not None and said != label for labels in pairs for said, label in labels)

    candidates = [replace(candidate, wrong=wrong(candidate)) for candidate in found.values()]
    return sorted(candidates, key=lambda candidate: -candidate.score)[: job.settings.keep]


def _difference(job: _Job, candidates: Sequence[Candidate]) -> tuple[dict[str, Any] | None, Scene | None]:
    """Where the best two differ, for machines and people, and the scene."""
    from chorale.evaluation.predictions import answer_text  # noqa: PLC0415
    from chorale.search.distinguish import distinguish, generated  # noqa: PLC0415

    if len(candidates) < 2:
        return None, None
    one, other = candidates[0].program, candidates[1].program
    language = job.grounding.language(range(len(job.grounding.utterances)))
    found = distinguish(one, other, language, generated(job.domain, job.language))
    if found.answers is None:
        return {"image": None, "answers": None, "text": f"the best two: {found}"}, None
    images = [
        (f"{utterance.identifier}-{number}", scene)
        for utterance in job.grounding.utterances
        for number, scene in enumerate(utterance.contexts)
    ]
    name, scene = ("generated", found.context) if found.place is None else images[found.place]
    said = " and ".join(answer_text(answer) for answer in found.answers)
    text = f"the best two differ on image {name}: {said}"
    return {"image": name, "answers": list(found.answers), "text": text}, scene


def _drawn(scene: Scene, differ: dict[str, Any]) -> bytes:
    from chorale.evaluation.predictions import answer_text  # noqa: PLC0415
    from chorale.nlvr.pictures.drawing import to_png  # noqa: PLC0415

    buffer = io.BytesIO()
    first, second = map(answer_text, differ["answers"])
    to_png(scene, scale=2, caption=f"the best meaning: {first}, the second best: {second}").save(buffer, format="PNG")
    return buffer.getvalue()
