# SPDX-License-Identifier: Apache-2.0
"""The partition DimensionBinaryPartition."""

from ._partition import Partition


class DimensionBinaryPartition(Partition):
    """Every cell is halved along all dimensions, into 2^d parts."""

    _kind = "dimwise"
