"""A command that ends together with the process that started it: `python -m chorale.engines.leash train ...`.

A node of a cluster that is lost does not always take its commands along. One that went on would hold the lock of its
run, while another node is asked to resume the same run. So standard input is a pipe that nobody writes to: when it
ends, the other side is gone.
"""

from __future__ import annotations

import os
import runpy
import threading


def _end_with_input() -> None:
    while os.read(0, 1):  # not sys.stdin, whose lock would be held when the interpreter ends
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_input, daemon=True).start()
    runpy.run_module("chorale", run_name="__main__", alter_sys=True)
