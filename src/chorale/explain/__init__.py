"""What a person looks at to believe or doubt an answer: traces, words, weights, other readings."""

from chorale.explain.explanation import Explanation, Trust, explain

__all__ = ["Explanation", "Trust", "explain"]
