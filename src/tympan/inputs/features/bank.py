"""A mel filterbank, multiplied without its zeros.

Over 97 % of such a matrix is zero: a filter covers a few neighbouring bins. Cut into groups of neighbouring filters,
each group needs one band of bins, and what remains is a small dense product. The order of additions within a filter
stays that of the whole product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

GROUP = 16  # filters multiplied at once: with fewer, calls cost more than the zeros that are saved


@dataclass(frozen=True, slots=True)
class _Band:
    filters: slice
    bins: slice  # counted from the bank's first bin
    weights: NDArray[np.float32]


class BandedBank:
    """A bank given as a matrix [bins, filters]. `bins` is the range in which anything is not zero."""

    def __init__(self, matrix: NDArray[np.float64]) -> None:
        used = np.flatnonzero(matrix.any(axis=1))
        self.bins = slice(int(used[0]), int(used[-1]) + 1)
        self.filters = matrix.shape[1]
        self._bands = [self._band(matrix, first) for first in range(0, self.filters, GROUP)]

    def _band(self, matrix: NDArray[np.float64], first: int) -> _Band:
        filters = slice(first, min(first + GROUP, self.filters))
        used = np.flatnonzero(matrix[:, filters].any(axis=1))
        low, high = int(used[0]), int(used[-1]) + 1
        return _Band(
            filters,
            slice(low - self.bins.start, high - self.bins.start),
            np.ascontiguousarray(matrix[low:high, filters], dtype=np.float32),
        )

    def apply(self, spectrum: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        """Write `spectrum` [frames, bins of the range] times the bank to `out` [frames, filters]."""
        for band in self._bands:
            np.matmul(spectrum[:, band.bins], band.weights, out=out[:, band.filters])
