"""What screens are made of: parts that draw themselves, on a sheet that takes touches."""

from ui.window.kivy_setup import prepare

prepare()  # before any module here imports Kivy
