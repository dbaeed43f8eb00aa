"""What a person looks at to believe or doubt an answer: traces, words, weights, other readings."""

from chorale.explain.explanation import Belief, Explanation, explain

__all__ = ["Belief", "Explanation", "explain"]
