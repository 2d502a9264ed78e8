"""One writer per output form."""
