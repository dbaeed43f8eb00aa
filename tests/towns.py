"""Questions about small tables of towns, made up: a corpus like WikiTableQuestions that is learned in seconds."""

import random
from pathlib import Path

import chorale
from chorale.training.recipes import parse_recipe

TOWNS = ("Arnau", "Belmont", "Corvara", "Durness", "Elvas", "Fulda", "Gmunden", "Hobro", "Imst", "Jokkmokk")
COUNTRIES = ("Norland", "Sudland", "Ostland")
MAYORS = ("Ada Kern", "Bo Lind", "Cy Moor", "Di Nash", "Ed Orr", "Flo Pike", "Gus Quist", "Hal Rehn", "Ida Sax")
HEADER = ("Town", "Country", "Mayor", "People")
RECIPE = """
name = "towns"
domain = "tables"
language = "tables"
stages = [{ kind = "online" }]
"""

Rows = list[tuple[str, str, str, str]]


def town_rows(seed: int, rows: int = 6) -> Rows:
    """A table's rows; numbers are all different, so that the largest is one."""
    rng = random.Random(seed)
    people = rng.sample(range(100, 9_000), rows)
    mayors, towns = rng.sample(MAYORS, rows), rng.sample(TOWNS, rows)
    return [
        (town, rng.choice(COUNTRIES), mayor, str(number))
        for town, mayor, number in zip(towns, mayors, people, strict=True)
    ]


def asked(rows: Rows, rng: random.Random) -> tuple[str, str]:
    """A question about a table, and its answer."""
    town, country, mayor, people = rng.choice(rows)
    numbers = [int(row[3]) for row in rows]
    return rng.choice(
        [
            (f"who is the mayor of {town}?", mayor),
            (f"how many people live in {town}?", people),
            (f"which country is {town} in?", country),
            ("which town has the most people?", rows[numbers.index(max(numbers))][0]),
            (f"how many towns are in {country}?", str(sum(row[1] == country for row in rows))),
        ]
    )


def write_towns(folder: Path, train: int = 100, dev: int = 20) -> Path:
    """A folder with the splits train and dev, and the tables as CSV."""
    (folder / "csv").mkdir(parents=True)
    for split, count, first in (("train", train, 0), ("dev", dev, 1_000)):
        lines = ["id\tutterance\tcontext\ttargetValue"]
        for number in range(first, first + count):
            rows = town_rows(number // 2)
            content = "\n".join(",".join(row) for row in [HEADER, *rows])
            (folder / "csv" / f"{number // 2}.csv").write_text(f"{content}\n")
            sentence, answer = asked(rows, random.Random(number))
            lines.append(f"q-{number}\t{sentence}\tcsv/{number // 2}.csv\t{answer}")
        (folder / f"random-split-1-{split}.tsv").write_text("\n".join(lines) + "\n")
    return folder


def train_towns(folder: Path) -> Path:
    """The corpus in a folder, and a run beside it that has learned it; gives back the run."""
    chorale.train(parse_recipe(RECIPE), write_towns(folder), folder / "run")
    return folder / "run"
