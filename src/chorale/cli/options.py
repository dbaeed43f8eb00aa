"""Options that several commands share, each documented once."""

from pathlib import Path
from typing import Annotated

import typer

from chorale.cli.languages import LanguageName

Language = Annotated[LanguageName, typer.Option("--language", help="The language the program is written in.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
Data = Annotated[Path, typer.Option("--data", metavar="FILE", help="NLVR JSON lines, plain or .gz.")]
