"""Checkpoints: weights as safetensors, and beside them JSON that says what they belong to. Nothing is ever unpickled.

The JSON is written last and names the weights with their hash, so a checkpoint is there as a whole or not at all, and a
file that was cut short or changed is noticed before it is used. Shapes are compared before a network is built: what the
JSON says of sizes takes no memory until the weights bear it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from chorale.domain.parsing import SentenceParser
from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.parser.decoding import Learner, NetworkParser
from chorale.parser.network import Network
from chorale.parser.parser import Parser
from chorale.parser.reranker import RankNetwork, Reranker
from chorale.parser.vocabulary import Vocabulary
from chorale.plumbing.arrays import checked_tensors
from chorale.plumbing.files import sha256, write
from chorale.runs.beside import RERANKER, WEIGHTS, Beside
from chorale.runs.models import FORMAT, MODEL_FORMAT, FileEntry, NetworkFile

RERANKER_FORMAT = 2
"""Of models with a reranker, which an older Chorale would leave out without a word."""

LARGEST = 1e4
"""The largest weight that a file may hold: beyond it sums may not be finite. Those that are learned are below 100."""

Tensors = dict[str, Tensor]


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> str:
    """Write tensors; returns the hash of the file."""
    content = save_tensors({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    write(path, content)
    return sha256(content)


def read_tensors(path: Path, wanted: str) -> Tensors:
    """Read tensors, and make sure that they are those that were written."""
    try:
        loaded: Tensors = load_tensors(checked_tensors(path, wanted, "safetensors"))
    except (SafetensorError, KeyError, ValueError) as error:
        raise ChoraleError(f"{path}: not safetensors: {error}") from None
    return loaded


def network_entries(parser: SentenceParser, about: Mapping[str, Any], beside: Beside) -> dict[str, Any]:
    """What the JSON of a network says, whose weights are written; `about` is what else is worth knowing."""
    assert isinstance(parser, NetworkParser)
    network, reranker = parser.network, parser.reranker
    is_new = bool(parser.rules) or network.network.sizes.lexicon
    entries = {
        "format": MODEL_FORMAT if is_new else FORMAT if reranker is None else RERANKER_FORMAT,
        "kind": "network",
        **about,
        "beam": parser.beam,
        "max_actions": parser.max_actions,
        "agenda": parser.agenda,
        **({"decoding": parser.rules.model_dump()} if parser.rules else {}),
        "grammar": network.grammar.fingerprint,
        "sizes": network.network.sizes.model_dump(),
        "weights": beside.entry(WEIGHTS, partial(_write_learner, learner=network)),
    }
    if reranker is not None:
        weights = beside.entry(RERANKER, partial(_write_learner, learner=reranker))
        sizes = reranker.network.sizes.model_dump()
        entries["reranker"] = {"weight": reranker.weight, "sizes": sizes, "weights": weights}
    return {**entries, "vocabulary": network.vocabulary.tokens}


def _write_learner(path: Path, learner: Learner) -> str:
    return write_tensors(path, learner.network.state_dict())


def read_network(path: Path, about: NetworkFile, grammar: Grammar, device: str | torch.device = "cpu") -> NetworkParser:
    """The network of a model whose JSON was read."""
    words, entry = Vocabulary(about.vocabulary), about.reranker
    tensors = _read_beside(path, about.weights)
    with torch.device("meta"):  # shapes without memory
        _check_fit(Network(len(words), len(grammar), about.sizes), tensors, path)
    parser = Parser(grammar, words, about.sizes, device)
    load_weights(parser, tensors, path)
    reranker = None
    if entry is not None:
        tensors = _read_beside(path, entry.weights)
        with torch.device("meta"):
            _check_fit(RankNetwork(len(words), len(grammar), entry.sizes), tensors, path)
        reranker = Reranker(grammar, words, entry.sizes, device, entry.weight)
        load_weights(reranker, tensors, path)
    return NetworkParser(parser, about.beam, about.max_actions, about.agenda, reranker, about.decoding)


def _read_beside(path: Path, weights: FileEntry) -> Tensors:
    """The tensors that a checkpoint names; they stand beside it, wherever its text says they are."""
    return read_tensors(weights.beside(path), weights.sha256)


def load_weights(learner: Learner, tensors: Tensors, path: Path) -> None:
    """Put weights into a network whose shape they must have."""
    _check_fit(learner.network, tensors, path)
    learner.network.load_state_dict(tensors)


def _check_fit(network: nn.Module, tensors: Tensors, path: Path) -> None:
    wanted = {name: _shape(tensor) for name, tensor in network.state_dict().items()}
    shapes = {name: _shape(tensor) for name, tensor in tensors.items()}
    for name in [*wanted, *shapes]:
        if wanted.get(name) != shapes.get(name):
            raise ChoraleError(
                f"{path}: the weights do not fit the network: {name:.60} is {shapes.get(name, 'missing')}, "
                f"expected {wanted.get(name, 'missing')}"
            )
    for name, tensor in tensors.items():
        if not bool((tensor.abs() <= LARGEST).all()):
            raise ChoraleError(
                f"{path}: the weights are damaged: {name} holds numbers that are not finite, or larger than {LARGEST:g}"
            )


def _shape(tensor: Tensor) -> str:
    return f"{tuple(tensor.shape)} of {str(tensor.dtype).removeprefix('torch.')}"


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
            _, key, parameter = (*name.split(".", 2), "", "")[:3]
            if parameter not in parameters or (tensor.dim() and tensor.shape != parameters[parameter].shape):
                raise ChoraleError(f"{path}: the optimizer's memory does not fit the network: {name:.80}")
            optimizer.state[parameters[parameter]][key] = tensor.to(learner.device, copy=True)
