"""Sizes and renders the configuration of a Packhorse cluster. Standard library only."""
