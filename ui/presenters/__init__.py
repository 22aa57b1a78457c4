"""What each screen shows, as frozen dataclasses: no Kivy in here, tested without a window."""
