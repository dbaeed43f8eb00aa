"""What every package uses and none owns: files, hashes, SVG. Knows nothing of sentences and programs."""
