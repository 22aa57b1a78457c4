"""The demonstration and the rehearsal: a drawn table that plays by itself."""
