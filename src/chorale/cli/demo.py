"""`chorale demo`: the main job on what ships with the package, in a few minutes and without any download.

It reads a program, trains three rows of the paper's table and the ranker on the synthetic corpus inside the package,
says how many of the programs they find have the right meaning, and draws what a few of them see.
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Annotated

from typer import Option

from chorale.cli.engines import EngineName, Jobs, engine_of
from chorale.cli.loading import use_one_thread
from chorale.cli.options import Changes
from chorale.cli.output import say
from chorale.cli.reproduce import Rows, chosen, print_table
from chorale.cli.sweep import run_all
from chorale.domain import needed
from chorale.evaluation.meaning import known_programs, right_meaning
from chorale.language import run
from chorale.model import Model, load, shipped
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_towers
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.plumbing.files import check_folder, sha256, write
from chorale.report.published import table_recipes
from chorale.report.results import table_jobs, table_rows, write_results
from chorale.runs.run import find_split
from chorale.training.recipes import read_recipe, written_recipe

SCENES = 3_000
ROUNDS = 200
PROGRAM = "box_count_equals(1, box_filter(all_boxes, object_count_greater_equals(2)(yellow(square))))"
SENTENCES = (
    "There is a tower with a black block at the top.",
    "There are exactly two towers with a blue block at the base.",
    "There is a yellow block above a black block.",
)
PICTURES = {"right meaning": 3, "spurious": 1}
ROWS = ("iterative_search", "language", "consistency", "ranker")


def demo(
    out: Annotated[Path, Option(metavar="DIR", help="Where runs and pictures go.")] = Path("demo"),
    data: Annotated[Path | None, Option(metavar="DIR", help="A synthetic corpus; without it, the one inside.")] = None,
    rows: Rows = [*ROWS],  # noqa: B006 - typer wants a plain default
    jobs: Jobs = 2,
    changes: Changes = [],  # noqa: B006
) -> None:
    """Walk through a program's life, from a sentence to what it sees.

    Example: chorale demo --out demo
    """
    check_folder(out)
    began = time.perf_counter()
    use_one_thread()
    corpus = data or embedded_corpus()
    for split in ("train", "dev"):
        find_split(corpus, split)
    out.mkdir(parents=True, exist_ok=True)
    _show_a_program(out)
    _parse_with_shipped_model(out)
    _title("Training parsers from true/false answers alone, on the synthetic corpus inside the package")
    for utterance in Nlvr().read(find_split(corpus, "train"))[:3]:
        say(f"  {utterance.sentence}  [{', '.join(map(Nlvr.answers.text, utterance.answers))}]")
    say("Rows of the paper's table, in a quick form, and the ranker; a run that is complete is not trained again.")
    recipes = table_recipes(chosen(rows))
    # Another folder when the recipes change, so that runs of an older Chorale are not gone on with.
    used = sha256(repr([written_recipe(read_recipe(path, quick=True)) for path in recipes.values()]).encode())[:8]
    work = table_jobs(recipes, 1, out / f"runs-{used}", quick=True, changes=changes)
    run_all(work, corpus, engine_of(EngineName.local, None, jobs))

    _title("What they learned")
    table = table_rows(work, corpus, published=False)
    print_table(table)
    page = write_results(out, table, work, corpus, published=False, quick=True, command="chorale reproduce")
    say("Right meaning: the program means what the sentence means, on thousands of scenes it was never asked about.")
    say("Consistent, but not the right meaning: a spurious program, right on four images by accident.")
    _draw_parses(out, load(work[-1].folder), find_split(corpus, "dev"))

    _title("Now you")
    say(f"open {page}")
    say(".venv/bin/chorale serve                              # the playground: your sentences, your pictures")
    say(f'.venv/bin/chorale parse {work[-1].folder} "{SENTENCES[0]}" --image {out / "scene.png"}')
    say(".venv/bin/chorale reproduce --seeds 5                # the same with more seeds, and significance")
    say(".venv/bin/chorale download nlvr --out nlvr           # the real corpus")
    say(".venv/bin/chorale reproduce --data nlvr --seeds 5    # the paper's table; takes hours")
    say(f"That took {time.perf_counter() - began:.0f} s.")


def _show_a_program(folder: Path) -> None:
    program = Nlvr.languages["consistent"].parse(PROGRAM)
    _title("A program: there is one box with at least two yellow squares")
    say(f"{program.text}\nis built by {len(program.actions)} actions; the first is {program.actions[0]}")
    language = Nlvr().bind("consistent", None, Nlvr().variants(None, SCENES, 0))
    start = time.perf_counter()
    for _ in range(ROUNDS):
        said = run(program, language)
    speed = SCENES * ROUNDS / (time.perf_counter() - start)
    say(f"It is true of {float(said.mean()):.0%} of {SCENES:,} random scenes; one core runs it on")
    say(f"{speed / 1e6:.1f} million pictures per second, all of them at once.")
    write(folder / "program.svg", program.to_svg().encode())
    say(f"{folder / 'program.svg'}: the program as a tree")


def _parse_with_shipped_model(folder: Path) -> None:
    scene = random_towers(Random(7))
    write(folder / "scene.png", Nlvr.drawing.draw(scene, "png"))
    if not shipped():
        return
    model = load(None)
    _title(f"The model inside the package, about {folder / 'scene.png'}")
    for sentence in SENTENCES:
        best = model.parse(sentence, [scene])[0]
        say(f"  {sentence}\n    {best.said}: {best.program}")


def _draw_parses(folder: Path, model: Model, file: Path) -> None:
    """Pictures of what programs see, some with the right meaning and, if there is one, a spurious one."""
    domain, language, known = model.domain, model.language, known_programs(file)
    drawing = needed(domain.drawing, domain, "drawing", "chorale demo")
    left, number = dict(PICTURES), 0
    _title("What programs see: sentences it was not trained on")
    utterances = domain.read(file)
    for utterance, prediction in zip(utterances, model.predict(utterances), strict=True):
        if not any(left.values()) or prediction.answers != tuple(utterance.answers):
            continue
        kind = "right meaning" if right_meaning(domain, language, [prediction], known) else "spurious"
        if not left[kind]:
            continue
        left[kind], number = left[kind] - 1, number + 1
        scene = utterance.contexts[utterance.answers.index(True) if True in utterance.answers else 0]
        steps = domain.tracing.trace(prediction.program, domain.bind(language, utterance, [scene]), scene)
        for form in ("svg", "png"):
            write(folder / f"parse-{number}.{form}", drawing.draw_trace(steps, form))
        say(f"{folder / f'parse-{number}.png'}  {kind}: {utterance.sentence}\n    {prediction.program}")


def _title(text: str) -> None:
    say(f"\n{text}", "bold")
