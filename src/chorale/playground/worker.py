"""A worker: a process that holds the model and answers one request at a time.

Parsing is computation in Python, which holds the interpreter's lock: two threads would take turns on one core, and the
server with them. And only a process can be stopped whatever it does.

A request crosses as bytes of JSON, and so does its answer, each with its length before it: nothing that a client sent,
and no exception, is ever pickled. The kernel counts the processor time of a request: whoever has used it up is ended by
SIGPROF, also in the middle of a long call of numpy.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import signal
import socket
import traceback
from collections.abc import Callable, Mapping
from io import BufferedRWPair
from multiprocessing.process import BaseProcess
from typing import Any

from chorale.playground.refusals import Refusal

Answer = Callable[[str, Mapping[str, Any]], Any]
"""What a worker does: a request by its name and its fields gives plain values, or a `Refusal`."""
OUT_OF_TIME = -signal.SIGPROF
"""The exit status of a worker that used up its processor time."""
_LENGTH = 4  # bytes before each message
_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy the locks of the server's threads, held or not


class Worker:
    """A process, seen from the server."""

    def __init__(self, process: BaseProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._process, self._reader, self._writer = process, reader, writer

    @classmethod
    async def started(cls, begin: Callable[[], Answer], seconds: float) -> Worker:
        """A process that has begun; raises `EOFError` if it ends before that."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = _SPAWN.Process(target=_work, args=(theirs, begin, seconds), daemon=True)
            reader, writer = await asyncio.open_connection(sock=ours)
            process.start()
        worker = cls(process, reader, writer)
        try:
            await worker._received()
        except BaseException:
            worker.stop()
            raise
        return worker

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    async def ask(self, request: bytes) -> bytes:
        """The reply; raises `EOFError` or `OSError` if the process ends instead."""
        self._writer.write(_framed(request))
        await self._writer.drain()
        return await self._received()

    async def _received(self) -> bytes:
        length = await self._reader.readexactly(_LENGTH)
        return await self._reader.readexactly(int.from_bytes(length))

    def stop(self) -> int | None:
        """End the process, whatever it does; its exit status."""
        self._writer.close()
        self._process.kill()  # changes nothing if it has ended by itself
        self._process.join(1)
        return self._process.exitcode


def written(what: str, arguments: Mapping[str, Any]) -> bytes:
    """A request as a worker reads it."""
    try:
        return json.dumps([what, arguments]).encode()
    except RecursionError:
        raise Refusal("bad_request", "the request is nested too deep") from None


def read(reply: bytes) -> Any:
    """The answer in a reply; raises `Refusal` if it is one."""
    kind, found = json.loads(reply)
    if kind == "refused":
        raise Refusal(*found)
    return found


def replied(answer: Answer, request: bytes) -> bytes:
    """What a worker replies to a request."""
    try:
        what, arguments = json.loads(request)
        reply = ["answer", answer(what, arguments)]
        return json.dumps(reply).encode()
    except Refusal as refusal:
        reply = ["refused", [refusal.code, refusal.message]]
    except Exception:
        traceback.print_exc()
        reply = ["refused", ["internal", "something went wrong inside"]]
    return json.dumps(reply).encode()


def _work(connection: socket.socket, begin: Callable[[], Answer], seconds: float) -> None:
    """The life of the process; it ends when the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which stops the workers
    stream = connection.makefile("rwb")
    answer = begin()
    _send(stream, b"")
    while head := stream.read(_LENGTH):
        request = stream.read(int.from_bytes(head))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        reply = replied(answer, request)
        signal.setitimer(signal.ITIMER_PROF, 0)
        _send(stream, reply)


def _send(stream: BufferedRWPair, content: bytes) -> None:
    stream.write(_framed(content))
    stream.flush()


def _framed(content: bytes) -> bytes:
    return len(content).to_bytes(_LENGTH) + content
