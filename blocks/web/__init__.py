"""Pure renderers of the review page."""
