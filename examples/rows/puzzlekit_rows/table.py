"""A kind of pruning table with a layout of its own."""

import attrs

from puzzlekit import DeclarationError, PruningTable
from puzzlekit.engine.inputs import TableInput
from puzzlekit.tables.pruning_table import TableText


@attrs.frozen
class Rows(PruningTable):
    """For each value of the first coordinate the least distance, and 2 bits for each excess."""

    coordinates: str
    bits = 0  # a layout of its own

    def check(self, graph):
        if len(graph.coordinates) != 2 or graph.is_reduced:
            raise DeclarationError("a table by rows is over two plain coordinates")

    def stride(self, graph):
        return 1 + -(-graph.coordinates[1].size // 4)

    def entries_in(self, graph):
        return graph.coordinates[0].size * self.stride(graph)

    def text(self, graph):
        return TableText(f"rows {graph.metric}", f"rows 1 {graph.identity}", "distances by rows")

    def build(self, graph, store, tell):
        import numpy as np

        from puzzlekit.tables.product_distances import distances

        found = distances(graph, store, tell).reshape(graph.coordinates[0].size, -1)
        least = found.min(axis=1, keepdims=True)
        above = np.pad(np.minimum(found - least, 3), ((0, 0), (0, -found.shape[1] % 4)))
        packed = above[:, ::4] | above[:, 1::4] << 2 | above[:, 2::4] << 4 | above[:, 3::4] << 6
        return np.hstack([least, packed]).ravel()

    def lookup(self, graph, data, values):
        at, column = values[0] * self.stride(graph), values[1]
        return data[at] + (data[at + 1 + column // 4] >> column % 4 * 2 & 3)


@attrs.frozen
class CompiledRows(Rows):
    """The same table, looked up by a compiled module."""

    def engine_input(self, graph, store, numbers, data):
        from puzzlekit_rows.engine.lookup import RowLookup

        return TableInput(numbers, 0, data, lookup=RowLookup(data, self.stride(graph)))
