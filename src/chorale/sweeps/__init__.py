"""Many runs: what is to be run, and what runs it."""
