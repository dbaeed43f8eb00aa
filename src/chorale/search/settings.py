"""What is searched, and what counts as a fit: one class for a recipe's stage and for the command line."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from chorale.plumbing.checking import Checked, Count

NOISE = 0.05
OUTER = 5
"""How many actions the outer function of a composition may have."""
PROBES = 12
"""How many further utterances lend their contexts to tell meanings apart."""
SEED = 0
"""Chooses them."""


class SearchSettings(Checked):
    """What is searched, and what counts as a fit."""

    procedure: Literal["meaning", "reference"] = "meaning"
    """How: by meaning, or as the reference does, shortest programs that use all that the sentence triggers."""
    max_actions: Count = 20
    """The longest program, in actions; 11 if nothing is said and the procedure is the reference's."""
    keep: Count = 20
    """The most candidates kept per utterance."""
    noise: Annotated[float, Field(ge=0, lt=0.5)] = NOISE
    """meaning: the probability that an answer is wrong; 0 keeps only programs that are right in all contexts."""
    pool: bool = True
    """meaning: whether the contexts of utterances with the same words are pooled."""
    most: Count = 400
    """meaning: how many meanings are kept per kind of sub-program and length."""

    @model_validator(mode="before")
    @classmethod
    def _shorter_for_the_reference(cls, given: Any) -> Any:
        is_reference = isinstance(given, dict) and given.get("procedure") == "reference"
        return {"max_actions": 11, **given} if is_reference else given

    @property
    def is_strict(self) -> bool:
        return self.noise == 0

    @property
    def doubt(self) -> float:
        """The rate at which answers count as evidence. Strict candidates are still ranked by those of others."""
        return self.noise or NOISE
