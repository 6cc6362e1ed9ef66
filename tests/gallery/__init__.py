"""The gallery: every format answered on every surface in a real browser, with pictures: `python -m tests.gallery`."""
