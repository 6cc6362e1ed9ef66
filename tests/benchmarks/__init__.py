"""How fast it is: the service against a bare route that does one insert, side by side on one machine.

`python -m tests.benchmarks` prints a table; ratios are what can be compared between machines. No test waits on a time.
"""
