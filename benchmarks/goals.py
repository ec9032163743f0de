"""Measure the search for goals of cube3, and practice scrambles, in CPU time and in one thread.

    python benchmarks/goals.py --states 200

Each search is measured with its tables in memory, from a state to checked answers. `all` lists all
shortest answers; the other searches prove one shortest answer. The script also prints the size of
the tables of each goal, and the scrambles per second.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from statistics import fmean, median

from shared import random_states

import puzzlekit
from puzzlekit import SearchOptions
from puzzlekit.search.options import table_keys
from puzzlekit_steps.practice import GoalStates, practice_scramble

SEARCHES = (  # goal, colours, whether all shortest answers are listed
    ("cross", None, False),
    ("cross", "any", True),
    ("xcross", None, False),
    ("xcross", "any", False),
    ("first-block", None, False),
    ("first-block", "any", False),
    ("222", "any", False),
    ("223", None, False),
    ("eo", None, False),
    ("eo-line", None, False),
    ("dr", None, False),
    ("dr", "any", False),
)
LAST_SLOT = "cross solved:DRB,BR,DBL,BL,DLF,FL"
SETS = (("f2l", "oll"), ("oll", "pll"), (LAST_SLOT, "f2l"), ("eo", None))


def main() -> None:
    """Print one line for each search and for each set of scrambles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=200)
    parser.add_argument("--goal", action="append", help="only this goal; may be repeated")
    asked = parser.parse_args()
    solver = puzzlekit.load("cube3")
    states = [solver.positions.from_facelets(each) for each in random_states(solver, asked.states)]
    print(f"{'goal':<14} {'colours':<8} {'answers':<8} {'length':>6} {'mean ms':>8}", end=" ")
    print(f"{'median':>7} {'max':>7} {'tables':>9}")
    for goal, colours, everything in SEARCHES:
        if asked.goal and goal not in asked.goal:
            continue
        solve = solver.shortest if everything else solver.improve
        lengths, spent = [], []
        for state in states[:1] + states:  # the first search loads the tables
            began = time.process_time()
            found = list(solve(state, goal=goal, colours=colours))
            spent.append(1000 * (time.process_time() - began))
            lengths.append(found[-1].cost)
        lengths, spent = lengths[1:], spent[1:]
        choice = solver.choose(SearchOptions(goal=goal, colours=colours))
        size = sum(key.nbytes for key in table_keys(choice)) / 1e6
        print(
            f"{goal:<14} {colours or '':<8} {'all' if everything else 'one':<8} "
            f"{fmean(lengths):6.2f} {fmean(spent):8.2f} {median(spent):7.2f} {max(spent):7.1f} "
            f"{size:6.1f} MB"
        )
    for goal, unwanted in SETS:
        if asked.goal and goal not in asked.goal:
            continue
        other = solver.goal(unwanted) if unwanted else None
        drawn = GoalStates(solver, solver.goal(goal), other)
        rng = Random(1)
        practice_scramble(solver, drawn.draw(rng), rng)
        began = time.process_time()
        for _ in states:
            practice_scramble(solver, drawn.draw(rng), rng)
        rate = len(states) / (time.process_time() - began)
        print(f"scrambles at {goal}, not at {unwanted}: {rate:.0f} a second")


if __name__ == "__main__":
    main()
