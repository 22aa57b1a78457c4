"""The signal process, which sounds on time whatever the app does, and the app's side of it."""
