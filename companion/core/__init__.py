"""Plain types that all rooms use: boards, questions, rulings, offers, errors, words, files."""
