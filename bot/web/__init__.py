"""HTTP: the API for programs and the pages for people."""
