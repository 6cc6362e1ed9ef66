"""Pure renderers: an interaction in, native controls of one surface out."""
