"""Options that several commands share, each documented once, and what they stand for."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, BadParameter, Option

from chorale.plumbing.files import STANDARD

if TYPE_CHECKING:
    from chorale.domain import Domain
    from chorale.domain.drawing import Format
    from chorale.engines.engine import Engine
    from chorale.model import Model

NLVR = "nlvr"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""How many this process may use."""

Json = Annotated[bool, Option("--json", help="Print JSON, for machines.")]
Data = Annotated[Path, Option("--data", metavar="FILE", help="A data file; for NLVR its JSON lines, plain or .gz.")]
Folder = Annotated[Path, Option("--data", metavar="DIR", help="The folder with the splits train and dev.")]
Jobs = Annotated[int | None, Option("--jobs", min=1, help="Runs at a time, each with one thread; default: all cores.")]
EngineName = StrEnum("EngineName", ["local", "ray"])
Engines = Annotated[EngineName, Option("--engine", help="What does the work: this machine, or a Ray cluster.")]
Address = Annotated[
    str | None,
    Option("--address", metavar="HOST:PORT", help="With --engine ray: the head of the cluster; default: the one here."),
]
Changes = Annotated[
    list[str],
    Option("--set", metavar="KEY=VALUE", help="Change a key of the recipe, e.g. mml.epochs=5; may be repeated."),
]
Device = Annotated[str, Option("--device", help="Where to compute: cpu, cuda, cuda:1 ...")]
Run = Annotated[
    Path | None,
    Argument(metavar="[RUN]", help="The folder of a complete run, or a model inside Chorale, by its name: best."),
]
DomainName = Annotated[
    str, Option("--domain", metavar="NAME", help="What is spoken of: nlvr, or one of your own, mymodule:Bar.")
]
ModelDomain = Annotated[
    str | None,
    Option("--domain", metavar="NAME", help="The domain of the model, if it is one of your own: mymodule:Bar."),
]
ANSWER_IF = 0.5
AnswerIf = Annotated[
    float,
    Option("--answer-if", min=0, max=1, metavar="CONFIDENCE", help="Answer only if so sure; else it is not known."),
]
Language = Annotated[
    str | None,
    Option(
        "--language",
        metavar="consistent|extended|macro",
        help="The language of programs; default: consistent, or the first one of another domain.",
    ),
]


def find(domain: str, language: str | None = None) -> tuple[Domain, str]:
    """The domain of a name, and the name of one of its languages: by default the first."""
    from chorale.domain import grammar_of  # noqa: PLC0415
    from chorale.domain.registry import find_domain  # noqa: PLC0415

    found = find_domain(domain)
    language = next(iter(found.languages)) if language is None else language
    grammar_of(found, language)  # complains about a language that is not there
    return found, language


def engine_of(name: EngineName, address: str | None, jobs: int | None) -> Engine:
    """What does the work of a command; with no number of jobs, on all cores."""
    if name is EngineName.ray:
        from chorale.engines.cluster import Cluster  # noqa: PLC0415

        return Cluster(address, jobs)
    if address is not None:
        raise BadParameter("goes with --engine ray", param_hint="--address")
    from chorale.engines.local import Local  # noqa: PLC0415

    return Local(jobs or CORES)


def load_model(run: Path | None, domain: str | None, device: str) -> Model:
    """A trained parser; one thread is quickest for a sentence or two, and gives the same digits everywhere."""
    from chorale.domain.registry import find_domain  # noqa: PLC0415
    from chorale.model import load  # noqa: PLC0415

    check_device(device)
    model = load(run, find_domain(domain) if domain else None, device)
    if "torch" in sys.modules:  # not every parser needs it, and it is slow to import
        use_one_thread()
    return model


def asked_context(
    domain: Domain, image: Path | None, scene: Path | None = None, data: tuple[Path, str] | None = None
) -> Any:
    """What is asked about, of the one option that was given; None if none was."""
    from chorale.domain import needed  # noqa: PLC0415
    from chorale.domain.drawing import read_context  # noqa: PLC0415

    given = [name for name, it in (("--image", image), ("--scene", scene), ("--data", data)) if it is not None]
    if len(given) > 1:
        raise BadParameter(f"give {' or '.join(given)}, not both", param_hint=given[-1])
    if data is not None:
        return find_example(domain, *data)
    if image is None and scene is None:
        return None
    drawing = needed(domain.drawing, domain, "drawing", f"{given[0]}")
    return drawing.see(image) if image is not None else read_context(drawing, scene or STANDARD)


def find_example(domain: Domain, path: Path, identifier: str) -> Any:
    """The context of this name in a data file."""
    from chorale.domain import pairs_of  # noqa: PLC0415
    from chorale.errors import ChoraleError, nearest  # noqa: PLC0415

    contexts = {
        name: context
        for utterance in domain.read(path, labels_required=False)
        for (_, name), context in zip(pairs_of(utterance), utterance.contexts, strict=True)
    }
    if identifier not in contexts:
        close = nearest(identifier, contexts)
        some = f"did you mean {close!r}?" if close else f"they are called {next(iter(contexts), '')!r} and so on"
        raise ChoraleError(f"{path}: no example {identifier!r}; {some}")
    return contexts[identifier]


def picture_format(path: Path, option: str) -> Format:
    """What kind of picture a name stands for."""
    forms: dict[str, Format] = {".png": "png", ".svg": "svg"}
    if (form := forms.get(path.suffix.lower())) is None:
        raise BadParameter(f"expected a name that ends in .png or .svg, found {str(path)!r}", param_hint=option)
    return form


def use_one_thread() -> None:
    """Let torch compute with one thread, if it is installed."""
    with suppress(ModuleNotFoundError):
        import torch  # noqa: PLC0415

        torch.set_num_threads(1)


def check_device(device: str) -> None:
    """Complain about a device that is not there, before any work is done."""
    from chorale.errors import ChoraleError  # noqa: PLC0415
    from chorale.parser import need_torch  # noqa: PLC0415

    if device == "cpu":
        return
    need_torch()
    import torch  # noqa: PLC0415

    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ChoraleError(f"--device {device}: {str(error).splitlines()[0]}") from None
