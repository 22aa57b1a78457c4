"""One table: its camera, signals, settings, record and evidence, put together."""
