"""Touches: what each can mean, what it does, and what is open on the screen."""
