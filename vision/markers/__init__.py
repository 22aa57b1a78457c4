"""Printed markers: found, read and remembered."""
