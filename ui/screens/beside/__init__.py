"""Screens beside a match: home, a new match, settings, rules, the table's check."""
