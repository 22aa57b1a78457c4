"""One module a screen: `layout(state, page)` puts parts where they lie. See `python -m`."""

from ui.window.kivy_setup import prepare

prepare()  # before any module here imports Kivy
