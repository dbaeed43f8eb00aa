"""Options that several commands share, each documented once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

NLVR = "nlvr"

Json = Annotated[bool, Option("--json", help="Print JSON, for machines.")]
Data = Annotated[Path, Option("--data", metavar="FILE", help="A data file; for NLVR its JSON lines, plain or .gz.")]
Folder = Annotated[Path, Option("--data", metavar="DIR", help="The folder with the splits train and dev.")]
Changes = Annotated[
    list[str],
    Option("--set", metavar="KEY=VALUE", help="Change a key of the recipe, e.g. mml.epochs=5; may be repeated."),
]
Device = Annotated[str, Option("--device", help="Where to compute: cpu, cuda, cuda:1 ...")]
Run = Annotated[
    Path | None,
    Argument(metavar="[RUN]", help="The folder of a complete run, or a model inside Chorale, by its name: best."),
]
DomainName = Annotated[
    str, Option("--domain", metavar="NAME", help="What is spoken of: nlvr, or one of your own, mymodule:Bar.")
]
ModelDomain = Annotated[
    str | None,
    Option("--domain", metavar="NAME", help="The domain of the model, if it is one of your own: mymodule:Bar."),
]
ANSWER_IF = 0.5
AnswerIf = Annotated[
    float,
    Option("--answer-if", min=0, max=1, metavar="CONFIDENCE", help="Answer only if so sure; else it is not known."),
]
Language = Annotated[
    str | None,
    Option(
        "--language",
        metavar="consistent|extended|macro",
        help="The language of programs; default: consistent, or the first one of another domain.",
    ),
]
