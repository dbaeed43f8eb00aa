"""Options that several commands share, each documented once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

NLVR = "nlvr"

Json = Annotated[bool, Option("--json", help="Print JSON instead of text.")]
Data = Annotated[Path, Option("--data", metavar="FILE", help="A data file; for nlvr JSON lines, plain or .gz.")]
Folder = Annotated[Path, Option("--data", metavar="DIR", help="A folder with the splits train and dev.")]
Changes = Annotated[
    list[str],
    Option("--set", metavar="KEY=VALUE", help="Change a key of the recipe, such as mml.epochs=5. May be repeated."),
]
Device = Annotated[str, Option("--device", help="Where to compute: cpu, cuda, cuda:1 and so on.")]
Run = Annotated[
    Path | None,
    Argument(metavar="[MODEL]", help="The folder of a trained model, or the name of one that ships; default: best."),
]
ModelName = Annotated[Path | None, Option("--model", metavar="MODEL", help="The same as the argument [MODEL].")]
Context = Annotated[
    Path | None,
    Option(
        "--context", metavar="FILE", help="What to ask about: JSON, or a file such as a picture or a table; - is stdin."
    ),
]
DomainName = Annotated[
    str, Option("--domain", metavar="NAME", help="nlvr, tables, or a domain of your own: mymodule:Bar.")
]
OtherDomain = Annotated[
    str | None,
    Option("--domain", metavar="NAME", help="Use another domain than the recipe's, such as your own: mymodule:Bar."),
]
ModelDomain = Annotated[
    str | None,
    Option("--domain", metavar="NAME", help="The model's domain, if it is your own: mymodule:Bar."),
]
ANSWER_IF = 0.5
AnswerIf = Annotated[
    float,
    Option(
        "--answer-if",
        min=0,
        max=1,
        metavar="CONFIDENCE",
        help='Answer only if the confidence is at least this; else "not known".',
    ),
]
Language = Annotated[
    str | None,
    Option(
        "--language",
        metavar="NAME",
        help="The language of programs; default: the first one of the domain. nlvr has consistent, macro and extended.",
    ),
]
