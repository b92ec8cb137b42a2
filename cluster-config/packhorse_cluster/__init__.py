"""Computes sizes and renders configuration files of a Packhorse cluster. Uses the standard library only."""
