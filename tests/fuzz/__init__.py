"""What comes from strangers, changed at random: everything must end well or in a `ChoraleError`."""
