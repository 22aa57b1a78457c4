"""Screens of the arbiter: the log, corrections, evidence, and what sight and record tell apart."""
