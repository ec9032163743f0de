"""What an author states: phases, and the methods that chain them."""
