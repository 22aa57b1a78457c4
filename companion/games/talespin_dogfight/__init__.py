"""TaleSpin, the box: the dogfight of the card game, with every step and timing window."""
