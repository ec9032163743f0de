"""The reusable IDA* search and its move pruning: arrays in, moves out."""

from puzzlekit.engine.compiled import use_all_or_none

use_all_or_none(__path__[0])
