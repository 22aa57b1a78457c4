"""What everybody here speaks: boards, questions, rulings, offers, errors, words, files."""
