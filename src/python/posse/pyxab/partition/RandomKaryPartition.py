# SPDX-License-Identifier: Apache-2.0
"""The partition RandomKaryPartition."""

from ._partition import Partition


class RandomKaryPartition(Partition):
    """Every cell is cut into K parts at uniformly drawn places, along a dimension that is drawn for it.
    For another K than 3, derive a class with the member K. PyXAB draws each place between the one
    before and the end, which makes the last parts small."""

    _kind = "random-cut"
    K = 3
