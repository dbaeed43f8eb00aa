"""`chorale recipes`: the recipes that ship."""

from __future__ import annotations

from chorale.cli.options import Json
from chorale.cli.output import say, say_json
from chorale.training.recipes import shipped_recipes, summary


def recipes(as_json: Json = False) -> None:
    """List the recipes that ship with Chorale. `train` and `sweep` take their names.

    Example: chorale recipes
    """
    found = {name: summary(path) for name, path in shipped_recipes().items()}
    if as_json:
        say_json(found)
        return
    width = max(map(len, found), default=0)
    for name, text in found.items():
        say(f"{name:{width}}  {text}")
