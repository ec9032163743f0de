"""The reusable IDA* search and its move pruning: arrays in, moves out."""
