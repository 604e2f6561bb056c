# SPDX-License-Identifier: Apache-2.0
"""The partition RandomBinaryPartition."""

from ._partition import Partition


class RandomBinaryPartition(Partition):
    """Every cell is cut into two parts at a random place, along a dimension that is drawn for it."""

    _kind = "random-cut"
