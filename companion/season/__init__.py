"""What many matches come to: who wins how often, how sure that is, and how players are rated."""
