# SPDX-License-Identifier: Apache-2.0
"""The partition BinaryPartition."""

from ._partition import Partition


class BinaryPartition(Partition):
    """Every cell is halved along a dimension that is drawn for it."""

    _kind = "random-dim"
