"""`chorale serve`: starts, answers, ends; and says what is missing."""

import importlib.util
import json
import re
import signal
import subprocess
import sys
import urllib.request

from chorale.cli import serve


def test_without_the_extra_it_says_what_to_install(chorale, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(serve, "find_spec", lambda name: None if name == "uvicorn" else real(name))
    called = chorale("serve")
    assert called.status == 2
    assert "needs uvicorn; install the extra: pip install 'chorale[playground]'" in called.err


def test_it_serves_until_it_is_interrupted():
    command = [sys.executable, "-m", "chorale", "serve", "--port", "0", "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line).group()
        with urllib.request.urlopen(f"{address}api/ready", timeout=10) as response:
            assert json.load(response) == {"status": "ready"}
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0
    assert err == ""
