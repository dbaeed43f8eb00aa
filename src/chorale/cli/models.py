"""`chorale models`: the models that ship."""

from __future__ import annotations

from chorale.cli.options import Json
from chorale.cli.output import say, say_json
from chorale.report.models import shipped_models


def models(as_json: Json = False) -> None:
    """List the models that ship with Chorale; `parse`, `predict` and `evaluate` know them by these names.

    The first one is used when none is named. The figures are accuracy / consistency on NLVR's dev split.

    Example: chorale models
    """
    found = shipped_models()
    if as_json:
        say_json([one.to_json() for one in found])
        return
    for one in found:
        figures = " / ".join(f"{100 * value:.1f}" for value in one.dev.values())
        say(one.name, "bold")
        say(f"  {one.summary}")
        say(f"  A {one.kind} in the {one.language} language, {one.bytes / 1e6:.1f} MB; dev {figures}")
        say(f"  Its card: {one.card}")
