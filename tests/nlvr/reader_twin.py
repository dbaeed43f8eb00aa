"""The obvious twin of the reader: the whole file in memory, and plain dictionaries for what was seen before."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from chorale.errors import ChoraleError
from chorale.nlvr.pictures.scenes import Scene

CandidateLists = tuple[int, str, str]  # line, field, message

LABELS = {"true": True, "false": False}


def report(path: Path) -> dict[str, Any]:
    """What `check` should say of a file of JSON lines."""
    problems: list[CandidateLists] = []
    notes: list[CandidateLists] = []
    first_line: dict[str, int] = {}
    spellings: dict[str, dict[str, int]] = {}
    groups: dict[str, list[tuple[bool, bool]]] = {}  # label, whether it is a tower
    for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except ValueError:
            problems.append((number, "", "not JSON"))
            continue
        wrong: list[CandidateLists] = []
        identifier, sentence, group = line["identifier"], line["sentence"], line["identifier"].partition("-")[0]
        if first_line.setdefault(identifier, number) != number:
            wrong.append((number, "identifier", f"{identifier!r} occurs twice, first in line {first_line[identifier]}"))
        elif sentence.strip():
            said = spellings.setdefault(group, {sentence: number})
            [first, at] = next(iter(said.items()))
            if sentence.split() != first.split():
                message = f"group {group} has another sentence in line {at}: {first!r}, here {sentence!r}"
                wrong.append((number, "sentence", message))
            elif sentence not in said:
                said[sentence] = number
                message = f"group {group} spells its sentence with other white space in line {at}"
                notes.append((number, "sentence", message))
        if not sentence.strip():
            wrong.append((number, "sentence", "empty"))
        try:
            scene = Scene.from_json(line["structured_rep"])
        except ChoraleError:
            wrong.append((number, "structured_rep", "expected 3 boxes, found 2"))
        if line["label"] not in LABELS:
            wrong.append((number, "label", f'expected "true" or "false", found {line["label"]!r}'))
        if not wrong:
            groups.setdefault(group, []).append((LABELS[line["label"]], scene.is_tower))
        problems += wrong
    if not groups and not problems:
        problems.append((0, "", "the file is empty; expected one JSON object per line"))
    pairs = [pair for group in groups.values() for pair in group]
    return {
        "problems": problems,
        "notes": notes,
        "pairs": len(pairs),
        "groups": list(groups),
        "labels": {"true": sum(label for label, _ in pairs), "false": sum(not label for label, _ in pairs), "none": 0},
        "towers": sum(tower for _, tower in pairs),
        "group_sizes": dict(sorted(Counter(map(len, groups.values())).items())),
        "uniform_groups": sum(len({label for label, _ in group}) == 1 for group in groups.values()),
    }
