"""The report of a comparison: tables, plots and sentences."""
