"""Speed and memory as ratios: each benchmark measures both sides on the same data in one run."""
