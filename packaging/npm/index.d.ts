export interface Options {
  /** Where the directory `site` of this package is; by default, beside this file. */
  site?: string | URL;
  /** Options of `loadPyodide`, such as `indexURL`. */
  pyodide?: Record<string, unknown>;
}

/** The object of `puzzlekit solve --json`; docs/cli.md of puzzlekit has all fields. */
export interface Solution {
  puzzle: string;
  method: string;
  metric: string;
  solution: string;
  moves: string[];
  length: number;
  optimal: boolean;
  verified: boolean;
  [field: string]: unknown;
}

export interface Check {
  possible: boolean;
  solved: boolean;
  faults: string[];
  repairs: string[];
}

export interface Kit {
  /** The names of the puzzles whose tables this package has. */
  puzzles: string[];
  solve(
    puzzle: string,
    position: string,
    options?: { metric?: string; max_length?: number; timeout?: number },
  ): Promise<Solution>;
  check(puzzle: string, position: string): Promise<Check>;
  scramble(puzzle: string, seed?: number): Promise<string>;
}

export function puzzlekit(options?: Options): Promise<Kit>;
