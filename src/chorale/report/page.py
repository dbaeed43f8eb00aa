"""One page with the results: tables, plots and the commands behind them. Nothing on it is loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from chorale.report.plots import curves, scores
from chorale.report.tables import TableRow, results_table, steps_table

STYLE = """
body { font-family: sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em; color: #1f2328; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 0.3em 0.8em; border-bottom: 1px solid #ddd; text-align: left; white-space: nowrap; }
.wide { overflow-x: auto; }
svg { max-width: 100%; height: auto; }
pre { background: #f0f2f5; padding: 0.8em; overflow-x: auto; }
"""
WHY = {
    "agreement": "expected agreement with the related utterance",
    "partner_right": "pairs whose partner has a right program",
    "aligned": "programs with an action that looks at the phrase",
    "aligned_actions": "actions of a program that look at the phrase",
}
"""What an epoch with the consistency reward notes; see `chorale.training.consistency`."""


def results_page(title: str, rows: Sequence[TableRow], notes: Sequence[str] = (), command: str = "") -> str:
    """The page; `notes` are sentences that stand above the table, `command` is what makes it."""
    run = [row for row in rows if row.seeds]
    parts = [f"<h1>{escape(title)}</h1>", *(f"<p>{escape(note)}</p>" for note in notes)]
    parts += ["<h2>Results</h2>", _table(results_table(rows))]
    parts.append(
        "<p>Accuracy is the share of pairs that are right, consistency the share of utterances right on all their "
        "images; percent, mean and standard deviation over seeds.</p>"
    )
    if len(run) > 1:
        parts += ["<h2>Steps</h2>", _table(steps_table(rows))]
        parts.append(
            "<p>p: the probability of such a difference by chance when utterances are drawn again (bootstrap). "
            "eps_min: almost stochastic order over seeds at level 0.05; below 0.5 the second row is better.</p>"
        )
    for split in dict.fromkeys(split for row in run for split in row.splits):
        systems = [row.splits[split] for row in run if split in row.splits]
        parts += [f"<h2>Every seed on {escape(split)}</h2>", scores(systems)]
    parts += _learning(run)
    if command:
        parts += ["<h2>The command</h2>", f"<pre>{escape(command)}</pre>"]
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta name="viewport" content="width=device-width"/>\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _learning(rows: Sequence[TableRow]) -> list[str]:
    """Curves of all rows, and those that show why agreement does or does not help."""
    dev = {row.label: [_values(lines, "dev_consistency") for lines in row.metrics] for row in rows}
    if not any(line for group in dev.values() for line in group):
        return []
    right = {row.label: [_values(lines, "right") for lines in row.metrics] for row in rows}
    parts = ["<h2>Learning</h2>", curves("consistency on dev, all stages one after another", dev)]
    parts.append(curves("probability of right programs within the beam, on train", right))
    for row in rows:
        found = {text: [_values(lines, key) for lines in row.metrics] for key, text in WHY.items()}
        if any(line for group in found.values() for line in group):
            *shares, actions = found
            parts += [f"<h2>{escape(row.label)}: does agreement help?</h2>"]
            parts.append(curves("shares, stages with the consistency reward", {name: found[name] for name in shares}))
            parts.append(curves(actions, {actions: found[actions]}))
    return parts


def _values(lines: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    return [float(line[key]) for line in lines if "epoch" in line and key in line]


def _table(table: Sequence[Sequence[str]]) -> str:
    head, *lines = table
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f'<div class="wide"><table>\n<tr>{cells}</tr>\n{body}\n</table></div>'
