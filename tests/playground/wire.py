"""A transport that keeps what was written to it."""

from __future__ import annotations

from typing import Any


class Wire:
    """What was written, and how it ended."""

    def __init__(self, address: str) -> None:
        self.address, self.written, self.ended = address, b"", ""

    def get_extra_info(self, name: str) -> Any:
        return (self.address, 1) if name == "peername" else None

    def write(self, content: bytes) -> None:
        self.written += content

    def is_closing(self) -> bool:
        return bool(self.ended)

    def close(self) -> None:
        self.ended = self.ended or "closed"

    def abort(self) -> None:
        self.ended = "aborted"

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0
