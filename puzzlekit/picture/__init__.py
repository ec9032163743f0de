"""Pictures: a position as SVG or PNG, by its net, in space, or from above."""
