"""Pictures kept as evidence."""
