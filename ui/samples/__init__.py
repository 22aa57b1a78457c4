"""Sample states of every screen: for pictures, tests and a look by hand."""
