"""What the outside can ask for: load, decide, record, commit. Each takes a `Context` and owns one transaction."""
