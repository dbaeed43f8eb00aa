"""`make demo`: the main job on what ships with the package, in a few minutes and without any download.

It reads a program, trains the three rows of the paper's table on the synthetic corpus inside the package, says how many
of the programs they find are truly right, and draws what a few of them see.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from chorale.cli import reproduce
from chorale.cli.models import Changes
from chorale.cli.output import say, told, word
from chorale.cli.recipes import rows_of_the_table
from chorale.cli.sweep import run_all
from chorale.evaluation.meaning import known_programs, truly_right
from chorale.language import run
from chorale.nlvr import Consistent
from chorale.nlvr.pictures.drawing import to_png, trace_png, trace_svg
from chorale.nlvr.pictures.random_scenes import random_scene, random_towers
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.nlvr.pictures.trace import trace
from chorale.nlvr.pictures.worlds import Worlds
from chorale.nlvr.reader import Utterance, read
from chorale.plumbing.files import write

if TYPE_CHECKING:
    from PIL.Image import Image

    from chorale.model import Model

T = TypeVar("T")

SCENES = 3_000
ROUNDS = 200
PROGRAM = "box_count_equals(1, box_filter(all_boxes, object_count_greater_equals(2)(yellow(square))))"
SENTENCES = (
    "There is a tower with a black block at the top.",
    "There are exactly two towers with a blue block at the base.",
    "There is a yellow block above a black block.",
)
PICTURES = 4
ROWS = ("iterative_search", "language", "consistency")


def main(
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where runs and pictures go.")] = Path("demo"),
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="A synthetic corpus; without it, the one inside.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Runs at a time; each has one thread.")] = 2,
    changes: Changes = [],  # noqa: B006 - typer wants a plain default
) -> None:
    """Walk through a program's life, from a sentence to what it sees."""
    began = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    _show_a_program(folder)
    _parse_with_shipped_model(folder)
    corpus = data or embedded_corpus()
    _title("Training three parsers from true/false answers alone, on the synthetic corpus inside the package")
    for utterance in read(corpus / "train.jsonl.gz").utterances[:3]:
        _tell(utterance)
    say("The rows of the paper's table, in a quick form; a run that is complete is not trained again.")
    recipes = rows_of_the_table(ROWS)
    work = reproduce.table_jobs(recipes, 1, folder / f"runs-{_mark(recipes)}", quick=True, changes=changes)
    run_all(work, corpus, jobs)

    _title("What they learned")
    table = reproduce.rows_of(work, corpus, published=False)
    reproduce.tell(table)
    page = reproduce.write_page(folder, table, None, quick=True)
    say("Truly right: the program means what the sentence means, on thousands of scenes it was never asked about.")
    say("Consistent, but not truly right: a spurious program, right on four images by accident.")
    _draw_parses(folder, work[-1].folder, corpus)

    _title("Now you")
    say(f"open {page}")
    say(f'.venv/bin/chorale parse {work[-1].folder} "{SENTENCES[0]}" --image {folder / "scene.png"}')
    say(".venv/bin/chorale reproduce --seeds 5                # the same with more seeds, and significance")
    say(".venv/bin/chorale download nlvr --out nlvr           # the real corpus")
    say(".venv/bin/chorale reproduce --data nlvr --seeds 5    # the paper's table; takes hours")
    say(f"That took {time.perf_counter() - began:.0f} s.")


def _show_a_program(folder: Path) -> None:
    program = Consistent.parse(PROGRAM)
    _title("A program: there is one box with at least two yellow squares")
    say(f"{program.text}\nis built by {len(program.actions)} actions; the first is {program.actions[0]}")
    scenes = [random_scene(Random(number)) for number in range(SCENES)]
    language = Consistent(Worlds(scenes))
    seconds, _ = _timed(lambda: [run(program, language) for _ in range(ROUNDS)])
    share = float(run(program, language).mean())
    say(f"It is true of {share:.0%} of {SCENES:,} random scenes; one core runs it on")
    say(f"{SCENES * ROUNDS / seconds / 1e6:.1f} million pictures per second, all of them at once.")
    write(folder / "program.svg", program.to_svg().encode())
    say(f"{folder / 'program.svg'}: the program as a tree")


def _parse_with_shipped_model(folder: Path) -> None:
    from chorale.model import load, shipped  # noqa: PLC0415 - brings torch along

    scene = random_towers(Random(7))
    write(folder / "scene.png", _png(to_png(scene)))
    if shipped() is None:
        return
    model = load(None)
    _title(f"The model inside the package, about {folder / 'scene.png'}")
    for sentence in SENTENCES:
        best = model.parse(sentence, [scene])[0]
        assert best.denotations is not None
        say(f"  {sentence}\n    {word(bool(best.denotations[0]))}: {best.program}")


def _draw_parses(folder: Path, run_folder: Path, corpus: Path) -> None:
    """Pictures of what programs of the last row see, some truly right and, if there is one, a spurious one."""
    from chorale.model import load  # noqa: PLC0415

    model: Model = load(run_folder)
    known = known_programs(corpus / "dev.jsonl.gz")
    utterances = read(corpus / "dev.jsonl.gz").utterances
    kinds: dict[str, list[tuple[Utterance, str]]] = {"truly right": [], "spurious": []}
    for utterance, prediction in zip(utterances, model.predict(utterances), strict=True):
        if prediction.denotations == tuple(utterance.answers):
            meant = truly_right([prediction], model.language, known)
            kinds["truly right" if meant else "spurious"].append((utterance, prediction.program))
    chosen = [(kind, *one) for kind in kinds for one in kinds[kind][: PICTURES - 1 if kind == "truly right" else 1]]
    _title("What programs see: sentences it was not trained on")
    language = model.domain.languages[model.language]
    for number, (kind, utterance, text) in enumerate(chosen, 1):
        scene: Scene = (
            utterance.contexts[utterance.answers.index(True)] if True in utterance.answers else utterance.contexts[0]
        )
        steps = trace(language.parse(text), scene, Consistent)
        write(folder / f"parse-{number}.svg", trace_svg(steps).encode())
        write(folder / f"parse-{number}.png", _png(trace_png(steps)))
        say(f"{folder / f'parse-{number}.png'}  {kind}: {utterance.sentence}\n    {text}")


def _mark(recipes: Mapping[str, Path]) -> str:
    """Changes when the recipes or the language do, so that runs of an older Chorale are not gone on with."""
    from chorale.plumbing.files import sha256  # noqa: PLC0415

    texts = [path.read_text(encoding="utf-8") for path in recipes.values()]
    return sha256(repr((texts, reproduce.QUICK, Consistent.grammar.fingerprint)).encode())[:8]


def _title(text: str) -> None:
    say(f"\n{text}", "bold")


def _tell(utterance: Utterance) -> None:
    answers = ", ".join(word(bool(label)) for label in utterance.answers)
    say(f"  {utterance.sentence}  [{answers}]")


def _png(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    typer.run(told(main))
