"""NLVR's sentences: words, slots, phrases, abstractions, and the lexicon."""
