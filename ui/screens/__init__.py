"""Screens, one file each: what it says (`present_...`) and where it stands (`layout`)."""
