"""`chorale models`: the models that ship, and their cards."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from chorale.cli.options import Json
from chorale.cli.output import say, say_json
from chorale.errors import ChoraleError, unknown
from chorale.evaluation.metrics import percent
from chorale.report.models import shipped_models


def models(
    name: Annotated[str | None, Argument(metavar="[NAME]", help="Show the card of this model.")] = None,
    as_json: Json = False,
) -> None:
    """List the models that ship with Chorale, or show the card of one.

    The first one is the default. The figures are accuracy and consistency on the dev split of its corpus.

    Example: chorale models best
    """
    available = {one.name: one for one in shipped_models()}
    if name is not None and name not in available:
        raise ChoraleError(f"no model {name!r} ships with Chorale; {unknown(name, available)}")
    chosen = list(available.values()) if name is None else [available[name]]
    if as_json:
        say_json([one.to_json() for one in chosen])
        return
    for one in chosen:
        if name is not None and one.card.exists():
            say(one.card.read_text(encoding="utf-8").rstrip())
            continue
        say(one.name, "bold")
        say(f"  {one.summary}")
        say(f"  A {one.kind} in the {one.language} language, {one.bytes / 1e6:.1f} MB; dev {percent(one.dev)}")
        say(f"  Its card: chorale models {one.name}")
