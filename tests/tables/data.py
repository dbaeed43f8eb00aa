"""A tiny made-up data set of questions and tables, in files."""

import csv
import random
from pathlib import Path

_PLACES = ["Alba", "Berg", "Calm", "Dorn", "Elm", "Fenn", "Gorse", "Hythe", "Ilm", "Jura", "Kell", "Lund"]
_LANDS = ["Norland", "Sudland", "Westreich"]


def write_data(folder: Path, tables: int = 4, dev: int = 1) -> Path:
    """Write train.tsv, dev.tsv and the tables that they name; gives back the folder."""
    rng = random.Random(0)
    (folder / "csv").mkdir(parents=True)
    lines: dict[str, list[str]] = {"train": [], "dev": []}
    for number in range(tables + dev):
        cities, lands = rng.sample(_PLACES, 5), ["Norland", *rng.choices(_LANDS, k=4)]
        people = rng.sample(range(100, 999), 5)
        with (folder / "csv" / f"{number}.csv").open("w", newline="") as stream:
            rows = zip(cities, lands, people, strict=True)
            csv.writer(stream).writerows([("City", "Country", "People"), *rows])
        asked = [
            ("how many cities are in norland?", str(lands.count("Norland"))),
            ("which city has the most people?", cities[people.index(max(people))]),
            (f"how many people are in {cities[1].lower()}?", str(people[1])),
            (f"which country is {cities[2].lower()} in?", lands[2]),
        ]
        lines["train" if number < tables else "dev"] += [
            f"{number}-{place}\t{sentence}\tcsv/{number}.csv\t{answer}"
            for place, (sentence, answer) in enumerate(asked)
        ]
    for split, some in lines.items():
        (folder / f"{split}.tsv").write_text("\n".join(["id\tutterance\tcontext\ttargetValue", *some]) + "\n")
    return folder
