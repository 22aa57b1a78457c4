"""Screens, one file each: its state, what it says (`present_...`), where parts lie (`layout`)."""
