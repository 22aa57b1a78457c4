"""One match at one table."""
