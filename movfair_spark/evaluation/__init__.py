"""How well an audit finds what was planted: power, sensitivity and PPV (paper section 5.3)."""
