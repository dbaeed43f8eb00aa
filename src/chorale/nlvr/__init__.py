"""Natural language visual reasoning: boxes of coloured shapes, and three languages to talk about them."""

from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.extended import Extended
from chorale.nlvr.languages.macro import Macro

__all__ = ["Consistent", "Extended", "Macro"]
