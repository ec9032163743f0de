"""Phases and methods: goals, chaining, limits, solutions."""
