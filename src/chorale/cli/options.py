"""Options that several commands share, each documented once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

NLVR = "nlvr"

Json = Annotated[bool, Option("--json", help="Print JSON, for machines.")]
Data = Annotated[
    Path, Option("--data", metavar="FILE", help="A data file of the domain; of nlvr JSON lines, plain or .gz.")
]
Folder = Annotated[Path, Option("--data", metavar="DIR", help="The folder with the splits train and dev.")]
Changes = Annotated[
    list[str],
    Option("--set", metavar="KEY=VALUE", help="Change a key of the recipe, e.g. mml.epochs=5; may be repeated."),
]
Device = Annotated[str, Option("--device", help="Where to compute: cpu, cuda, cuda:1 ...")]
Run = Annotated[
    Path | None,
    Argument(metavar="[MODEL]", help="The folder of a complete run, or a model inside Chorale, by its name: best."),
]
ModelName = Annotated[
    Path | None, Option("--model", metavar="MODEL", help="The same as an option; what every command takes.")
]
Context = Annotated[
    Path | None,
    Option("--context", metavar="FILE", help="What is asked about: JSON, or a file that the domain reads; - is stdin."),
]
DomainName = Annotated[
    str, Option("--domain", metavar="NAME", help="What is spoken of: nlvr, or one of your own, mymodule:Bar.")
]
OtherDomain = Annotated[
    str | None,
    Option("--domain", metavar="NAME", help="Another domain than the recipe's, such as one of your own: mymodule:Bar."),
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
        metavar="NAME",
        help="The language of programs; default: the domain's first, consistent for nlvr, which has macro and "
        "extended too.",
    ),
]
