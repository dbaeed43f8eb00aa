"""Checkpoints: weights as safetensors, and beside them JSON that says what they belong to. Nothing is ever unpickled.

The JSON is written last and names the weights with their fingerprint, so a checkpoint is there as a whole or not at
all, and a file that was cut short or changed is noticed before it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.parser import Parser, Reranker, Sizes, Vocabulary
from chorale.plumbing.files import read_json, sha256, write, write_json

FORMAT = 1
"""Raised whenever an older Chorale could not read what is written."""

MODEL_FORMAT = 2
"""The same for models: 2 has a reranker, which an older Chorale would leave out without a word."""

Tensors = dict[str, Tensor]


class Learner(Protocol):
    """What has weights that are trained: a parser or a reranker."""

    @property
    def network(self) -> nn.Module: ...
    @property
    def device(self) -> torch.device: ...


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> str:
    """Write tensors; gives back the fingerprint of the file."""
    content = save_tensors({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    write(path, content)
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


def write_model(path: Path, parser: Parser, about: Mapping[str, Any], reranker: Reranker | None = None) -> None:
    """Write a parser as `path` (JSON) and the weights beside it; `about` is what else is worth knowing."""
    value = {
        "format": FORMAT if reranker is None else MODEL_FORMAT,
        **about,
        "grammar": parser.grammar.fingerprint,
        "sizes": asdict(parser.network.sizes),
        "weights": _written(path.with_suffix(".safetensors"), parser),
    }
    if reranker is not None:
        weights = _written(path.with_suffix(".reranker.safetensors"), reranker)
        sizes = asdict(reranker.network.sizes)
        value["reranker"] = {"weight": reranker.weight, "sizes": sizes, "weights": weights}
    write_json(path, {**value, "vocabulary": parser.vocabulary.tokens})


def _written(path: Path, learner: Learner) -> dict[str, str]:
    return {"file": path.name, "sha256": write_tensors(path, learner.network.state_dict())}


def mark_of(abstraction: str) -> str:
    """What a model keeps of the kinds of sentence it has seen: enough to know them again, but not the sentences."""
    return sha256(abstraction.encode())[:12]


def read_about(path: Path) -> dict[str, Any]:
    """What the JSON of a model says."""
    about = read_json(path)
    check_format(path, about.get("format"), MODEL_FORMAT)
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
    tensors = _read_beside(path, about["weights"])
    try:
        parser = Parser(grammar, Vocabulary(about["vocabulary"]), Sizes(**about["sizes"]), device)
    except TypeError as error:
        raise ChoraleError(f"{path}: sizes: damaged: {error}") from None
    load_weights(parser, tensors, path)
    return parser


def read_reranker(path: Path, parser: Parser) -> Reranker | None:
    """The reranker in a checkpoint whose parser was read, or None if it has none."""
    about = read_about(path).get("reranker")
    if about is None:
        return None
    try:
        weights, sizes, weight = dict(about["weights"]), Sizes(**about["sizes"]), float(about["weight"])
    except (KeyError, TypeError, ValueError) as error:
        raise ChoraleError(f"{path}: reranker: damaged: {error!r}") from None
    tensors = _read_beside(path, weights)
    reranker = Reranker(parser.grammar, parser.vocabulary, sizes, parser.device, weight)
    load_weights(reranker, tensors, path)
    return reranker


def _read_beside(path: Path, weights: Mapping[str, Any]) -> Tensors:
    """The tensors that a checkpoint names; they stand beside it, wherever its text says they are."""
    return read_tensors(path.parent / Path(str(weights.get("file"))).name, str(weights.get("sha256")))


def load_weights(learner: Learner, tensors: Tensors, path: Path) -> None:
    """Put weights into a network whose shape they must have."""
    try:
        learner.network.load_state_dict(tensors)
    except RuntimeError as error:
        raise ChoraleError(f"{path}: the weights do not fit the network: {' '.join(str(error).split())}") from None


def optimizer_tensors(learner: Learner, optimizer: torch.optim.Optimizer) -> Tensors:
    """Weights and the optimizer's memory of them, as one table of tensors."""
    tensors = {f"weights.{name}": tensor for name, tensor in learner.network.state_dict().items()}
    for name, parameter in learner.network.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer.{key}.{name}"] = torch.as_tensor(value)
    return tensors


def restore_optimizer(learner: Learner, optimizer: torch.optim.Optimizer, tensors: Tensors, path: Path) -> None:
    """Undo `optimizer_tensors`."""
    weights = {name.removeprefix("weights."): it for name, it in tensors.items() if name.startswith("weights.")}
    load_weights(learner, weights, path)
    parameters = dict(learner.network.named_parameters())
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, key, parameter = name.split(".", 2)
            optimizer.state[parameters[parameter]][key] = tensor.to(learner.device, copy=True)
