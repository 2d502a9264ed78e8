"""The command ``movfair`` and what the scripts in ``jobs/`` call."""
