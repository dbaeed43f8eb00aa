"""Options of the commands that use a trained parser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Run = Annotated[
    Path | None,
    typer.Argument(metavar="[RUN]", help="The folder of a complete run; without it, the model inside Chorale."),
]
Device = Annotated[str, typer.Option("--device", help="Where to compute: cpu, cuda, cuda:1 ...")]
Changes = Annotated[
    list[str],
    typer.Option("--set", metavar="KEY=VALUE", help="Change a key of the recipe, e.g. mml.epochs=5; may be repeated."),
]
Threads = Annotated[int, typer.Option("--threads", min=1, help="Threads; their number decides the last digits.")]


def check_device(device: str) -> None:
    """Complain about a device that is not there, before any work is done."""
    import torch  # noqa: PLC0415

    from chorale.errors import ChoraleError  # noqa: PLC0415

    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ChoraleError(f"--device {device}: {str(error).splitlines()[0]}") from None
