"""What each addition of the extended language is worth; one JSON line per addition.

An addition is left out, and the training sentences whose words ask for it are searched with and without: how many
utterances lose their candidate that is right on all images, and how many lose one that also says every content word.
Of frequent additions a sample is searched and the counts are scaled up.
"""

import argparse
import json
import os
import random
from collections.abc import Sequence
from pathlib import Path

from chorale.domain import Grounding, Hints
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english import lexicon
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.extended import ENTRIES, Extended
from chorale.search.groups import Group, groups_of
from chorale.search.search import search
from chorale.search.settings import SearchSettings

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"
NEAR_WALLS = tuple(f"near_{wall}" for wall in ("top", "bottom", "left", "right", "wall", "corner"))
TOGETHER = (NEAR_WALLS, ("directly_above", "directly_below"))  # additions that make sense only as a whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("CHORALE_NLVR") or BESIDE) / "train.json")
    parser.add_argument("--max-actions", type=int, default=16)
    parser.add_argument("--sentences", type=int, default=170, help="the most that are searched per addition")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these additions; all, if nothing is said")
    options = parser.parse_args()
    domain = Nlvr()
    grounding = domain.ground("extended", domain.read(options.data))
    groups = groups_of(domain, "extended", grounding.utterances, SearchSettings())
    random.Random(11).shuffle(groups)
    for addition in (one for one in additions() if options.only is None or set(one) & set(options.only)):
        line = measured(addition, grounding, groups, options.max_actions, options.sentences)
        print(json.dumps({"figure": "addition", "left_out": list(addition), **line}), flush=True)


def additions() -> list[tuple[str, ...]]:
    added = [name for name in Extended.grammar.signature if name not in Consistent.grammar.signature]
    single = [(name,) for name in added if not any(name in whole for whole in TOGETHER)]
    return [*TOGETHER, *single]


def measured(
    addition: Sequence[str], grounding: Grounding, groups: Sequence[Group], max_actions: int, most: int
) -> dict[str, object]:
    with_it, without_it = Leaving(()), Leaving(addition)
    asking = [group for group in groups if with_it.hints(grounding, group).allowed & set(addition)]
    chosen = asking[:most]
    scale = utterances(asking) / max(1, utterances(chosen))
    settings = SearchSettings(max_actions=max_actions)
    before, after = (fitted(domain, grounding, settings, chosen) for domain in (without_it, with_it))
    return {
        "max_actions": max_actions,
        "utterances": utterances(asking),
        "searched": utterances(chosen),
        "newly_fitted": round((after[0] - before[0]) * scale),
        "newly_explained": round((after[1] - before[1]) * scale),
    }


class Leaving(Nlvr):
    """NLVR, where the lexicon of the extended language leaves something out."""

    def __init__(self, left_out: Sequence[str]) -> None:
        self.table = lexicon.Lexicon(set(Extended.grammar.signature) - set(left_out), ENTRIES)

    def lexicon(self, language: str) -> lexicon.Lexicon:
        return self.table

    def hints(self, grounding: Grounding, group: Group) -> Hints:
        return self.table.hints(grounding.utterances[group[0]])


def fitted(domain: Leaving, grounding: Grounding, settings: SearchSettings, groups: Sequence[Group]) -> tuple[int, int]:
    """Utterances with a candidate right on all images, and with one that also says every content word."""
    right = explained = 0
    for group, found in zip(groups, search(domain, "extended", grounding, settings, groups=groups), strict=True):
        sayable = all(wanted for _, wanted in domain.hints(grounding, group).explains)
        for readings in found.values():
            good = [one for one in readings if one.wrong == 0]
            right += bool(good)
            explained += sayable and any(not one.unexplained for one in good)
    return right, explained


def utterances(groups: Sequence[Group]) -> int:
    return sum(map(len, groups))


if __name__ == "__main__":
    main()
