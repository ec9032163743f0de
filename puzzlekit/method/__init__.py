"""Methods as an author states them: phases in order, and how they are chained."""
