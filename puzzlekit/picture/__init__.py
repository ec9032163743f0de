"""Draw a position as SVG or PNG: unfolded, in space, or from above."""
