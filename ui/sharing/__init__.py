"""What people take from a match: a page, a protocol on paper, a score sheet."""
