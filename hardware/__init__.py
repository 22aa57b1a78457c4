"""Buzzer, lamps and buttons, and the process that sounds on time; knows no game."""
