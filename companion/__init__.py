"""The games and the match: rules, rulings and the record, free of pixels, pins and clocks."""
