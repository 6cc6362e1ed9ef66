"""Assembly: the only place that reads the environment, the clock and randomness."""
