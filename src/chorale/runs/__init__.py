"""What is on disk: run folders, checkpoints, and their reuse."""
