"""`chorale recipes`: the recipes that ship."""

from __future__ import annotations

from chorale.cli.options import Json
from chorale.cli.output import say, say_json
from chorale.training.recipes import shipped_recipes, summary


def recipes(as_json: Json = False) -> None:
    """List the recipes that ship with Chorale. `train` and `sweep` take their names.

    Example: chorale recipes
    """
    summaries = {name: summary(path) for name, path in shipped_recipes().items()}
    if as_json:
        say_json(summaries)
        return
    width = max(map(len, summaries), default=0)
    for name, text in summaries.items():
        say(f"{name:{width}}  {text}")
