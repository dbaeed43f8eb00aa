"""Those who watch a training, and those who may stop it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol


class Interrupted(Exception):  # noqa: N818 - not a mistake, but a wish
    """The training was asked to stop, and did so between two steps; only the current epoch is lost."""


class WatchedStage(Protocol):
    """What a watcher needs to know of a stage."""

    @property
    def kind(self) -> str: ...
    @property
    def max_actions(self) -> int: ...


class Watcher:
    """Hears what a training does; this one takes no notice."""

    def stage(self, index: int, stage: WatchedStage, epoch: int) -> None:
        """A stage begins, or resumes after `epoch` epochs."""

    def step(self, done: int, of: int, loss: float | None = None) -> None:
        """This many utterances of an epoch, a collection or a decoding are done."""

    def line(self, values: Mapping[str, Any]) -> None:
        """A line of metrics was written."""

    def note(self, text: str) -> None:
        """Something worth knowing."""


class Stop:
    """Set from a signal handler; looked at between two steps."""

    def __init__(self) -> None:
        self.asked = False
        self._at_once = False

    def ask(self) -> None:
        """Ask for a stop: after the current step, or right now where there are no steps."""
        self.asked = True
        if self._at_once:
            raise Interrupted

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Work that leaves nothing half done, and may be broken off anywhere."""
        self.check()
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False

    def check(self) -> None:
        """Raise `Interrupted` if a stop was asked for."""
        if self.asked:
            raise Interrupted
