"""What each command of the terminal does; imported when it is called, never before."""
