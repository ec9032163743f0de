"""Plugins: hook specifications, and the manager that finds and loads them."""
