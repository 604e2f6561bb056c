# SPDX-License-Identifier: Apache-2.0
"""The partition KaryPartition."""

from ._partition import Partition


class KaryPartition(Partition):
    """Every cell is cut into K equal parts along a dimension that is drawn for it. For another K
    than 3, derive a class with the member K."""

    _kind = "random-dim"
    K = 3
