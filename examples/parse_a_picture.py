"""Ask the model that ships with Chorale about a picture: python examples/parse_a_picture.py FOLDER

It draws a picture, reads the scene off it as if it came from elsewhere, and asks what three sentences mean for it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import chorale
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_towers

SENTENCES = (
    "There is a tower with a black block at the top.",
    "There are exactly two towers with a blue block at the base.",
    "There is a yellow block above a black block.",
)


def main(folder: Path) -> None:
    """Draw, look, ask; the picture and a trace of each program are written to a folder."""
    drawing = Nlvr.drawing
    picture = folder / "picture.png"
    picture.write_bytes(drawing.draw(random_towers(Random(7)), "png"))
    model = chorale.load()
    for number, sentence in enumerate(SENTENCES):
        best = model.parse(sentence, picture)[0]
        print(f"{sentence}\n  {best.probability:.0%} {best.program}\n  {best.said}")
        (folder / f"trace-{number}.svg").write_bytes(drawing.draw_trace(best.trace(), "svg"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
