"""Programs that fit the labels, found by meaning; contexts that tell two meanings apart. Knows languages, no domain."""
