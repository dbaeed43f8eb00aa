"""Folds of train: how utterances are held out, the runs that never see them, and what they say about them."""
