"""A log-linear ranker over the meanings that a sentence may have: a parser without a network."""
