"""One match at one table: offers, buttons, camera, clock, and the words of its log."""
