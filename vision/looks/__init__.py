"""Tokens known by their looks: taught once, found again."""
