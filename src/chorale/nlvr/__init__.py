"""Natural language visual reasoning: boxes of coloured shapes, and three languages to talk about them."""

from chorale.nlvr.consistent import Consistent
from chorale.nlvr.extended import Extended
from chorale.nlvr.macro import Macro

__all__ = ["Consistent", "Extended", "Macro"]
