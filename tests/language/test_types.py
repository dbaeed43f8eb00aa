"""Which annotations are types, and what they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import pytest

from chorale.language.types import type_of_annotation


class Bottle: ...


@pytest.mark.parametrize(
    ("annotation", "name"),
    [
        (bool, "bool"),
        (Bottle, "Bottle"),
        (set[Bottle], "set[Bottle]"),
        (frozenset[Bottle], "frozenset[Bottle]"),
        (list[list[int]], "list[list[int]]"),
        (tuple[int, ...], "tuple[int,...]"),
        (tuple[int, Annotated[str, "Name"]], "tuple[int,Name]"),
        (Annotated[set[Bottle], "Bottles"], "Bottles"),
        (Callable[[set[Bottle], int], bool], "<set[Bottle],int:bool>"),
    ],
)
def test_a_type_is_named_after_its_class_and_parameters_or_as_it_says(annotation: Any, name: str) -> None:
    assert str(type_of_annotation(annotation)) == name


@pytest.mark.parametrize("annotation", [int | None, list[int | None], "Bottle"])
def test_what_is_no_class_needs_a_name(annotation: Any) -> None:
    with pytest.raises(TypeError, match=r"not a type for a language: use a class, Annotated\[..., 'name'\]"):
        type_of_annotation(annotation)
