"""Buzzer, lamps and buttons: the plan of pins, what drives them, and the wait for a deadline."""
