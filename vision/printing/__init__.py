"""How sheets are drawn: a pen in millimetres, what lies on a page, and which pages there are."""
