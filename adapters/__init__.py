"""Providers. Each folder has the same file names; adding one means filling them and passing `tests/contracts`.

`verify` is this really the provider? · `parse` payload to arrivals · `client` the only calls out · `errors` the
provider's errors to ours, as a table · `channel` core's port · `endpoint` what the provider calls, acknowledging fast.
"""
