"""Checkpoints: weights as safetensors, and beside them JSON that says what they belong to. Nothing is ever unpickled.

The JSON is written last and names the weights with their fingerprint, so a checkpoint is there as a whole or not at
all, and a file that was cut short or changed is noticed before it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.parser import Parser, Sizes, Vocabulary
from chorale.training.files import read_json, sha256, write_atomically, write_json

FORMAT = 1
"""Raised whenever an older Chorale could not read what is written."""

Tensors = dict[str, Tensor]


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> str:
    """Write tensors; gives back the fingerprint of the file."""
    content = save_tensors({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    write_atomically(path, content)
    return sha256(content)


def read_tensors(path: Path, fingerprint: str) -> Tensors:
    """Read tensors, and make sure that they are those that were written."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ChoraleError(f"{path}: missing; the JSON beside it speaks of it") from None
    if sha256(content) != fingerprint:
        raise ChoraleError(
            f"{path}: damaged or changed: its fingerprint is not the one that was noted; restore the file"
        )
    try:
        loaded: Tensors = load_tensors(content)
    except SafetensorError as error:
        raise ChoraleError(f"{path}: not safetensors: {error}") from None
    return loaded


def check_format(path: Path, found: Any, newest: int = FORMAT) -> None:
    """Refuse files of a newer Chorale."""
    if not isinstance(found, int) or found < 1:
        raise ChoraleError(f"{path}: damaged, its format is {found!r}; expected a number such as {newest}")
    if found > newest:
        raise ChoraleError(
            f"{path}: written by a newer Chorale (format {found}, this one reads up to {newest}); upgrade"
        )


def write_model(path: Path, parser: Parser, about: Mapping[str, Any]) -> None:
    """Write a parser as `path` (JSON) and the weights beside it; `about` is what else is worth knowing."""
    weights = path.with_suffix(".safetensors")
    fingerprint = write_tensors(weights, parser.network.state_dict())
    write_json(
        path,
        {
            "format": FORMAT,
            **about,
            "grammar": parser.grammar.fingerprint,
            "sizes": asdict(parser.network.sizes),
            "weights": {"file": weights.name, "sha256": fingerprint},
            "vocabulary": parser.vocabulary.tokens,
        },
    )


def read_about(path: Path) -> dict[str, Any]:
    """What the JSON of a model says."""
    about = read_json(path)
    check_format(path, about.get("format"))
    wanted = {"grammar": str, "sizes": dict, "weights": dict, "vocabulary": list, "domain": str, "language": str}
    for name, kind in wanted.items():
        if not isinstance(about.get(name), kind):
            raise ChoraleError(f"{path}: {name}: damaged, it is {about.get(name)!r}")
    return about


def read_model(path: Path, grammar: Grammar, device: str | torch.device = "cpu") -> Parser:
    """The parser in a checkpoint; the grammar must be the one it was trained with."""
    about = read_about(path)
    if about["grammar"] != grammar.fingerprint:
        raise ChoraleError(
            f"{path}: the model was trained with another grammar ({about['grammar']}) than the one that "
            f"{grammar.name} has now ({grammar.fingerprint}); use the Chorale it was trained with, or train again"
        )
    tensors = read_tensors(
        path.parent / Path(str(about["weights"].get("file"))).name, str(about["weights"].get("sha256"))
    )
    try:
        parser = Parser(grammar, Vocabulary(about["vocabulary"]), Sizes(**about["sizes"]), device)
    except TypeError as error:
        raise ChoraleError(f"{path}: sizes: damaged: {error}") from None
    load_weights(parser, tensors, path)
    return parser


def load_weights(parser: Parser, tensors: Tensors, path: Path) -> None:
    """Put weights into a parser whose shape they must have."""
    try:
        parser.network.load_state_dict(tensors)
    except RuntimeError as error:
        raise ChoraleError(f"{path}: the weights do not fit the network: {' '.join(str(error).split())}") from None


def optimizer_tensors(parser: Parser, optimizer: torch.optim.Optimizer) -> Tensors:
    """Weights and the optimizer's memory of them, as one table of tensors."""
    tensors = {f"weights.{name}": tensor for name, tensor in parser.network.state_dict().items()}
    for name, parameter in parser.network.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer.{key}.{name}"] = torch.as_tensor(value)
    return tensors


def restore_optimizer(parser: Parser, optimizer: torch.optim.Optimizer, tensors: Tensors, path: Path) -> None:
    """Undo `optimizer_tensors`."""
    weights = {name.removeprefix("weights."): it for name, it in tensors.items() if name.startswith("weights.")}
    load_weights(parser, weights, path)
    parameters = dict(parser.network.named_parameters())
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, key, parameter = name.split(".", 2)
            optimizer.state[parameters[parameter]][key] = tensor.to(parser.device, copy=True)
