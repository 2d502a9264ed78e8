"""Error parity of regression models: errors, moments, Anderson-Darling and permutation tests on arrays."""
