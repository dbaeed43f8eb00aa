"""Machines that die, disks that fill up, folders that cannot be written: nothing is lost, and the weights are equal."""
