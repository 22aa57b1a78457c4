"""The touch app: Kivy, kept thin."""
