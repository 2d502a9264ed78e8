"""The user's questions, each a readable list of steps."""
