"""Read puzzles from definition files. A definition is data and is never executed."""
