"""The faces of the companion: the touch app, with Kivy kept thin, and the terminal."""
