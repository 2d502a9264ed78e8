"""Name, columns and version of every table that passes between steps."""
