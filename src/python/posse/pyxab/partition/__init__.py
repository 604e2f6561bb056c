# SPDX-License-Identifier: Apache-2.0
"""The partitions, each in the module of its name."""

from .BinaryPartition import BinaryPartition
from .DimensionBinaryPartition import DimensionBinaryPartition
from .KaryPartition import KaryPartition
from .RandomBinaryPartition import RandomBinaryPartition
from .RandomKaryPartition import RandomKaryPartition

__all__ = [
    "BinaryPartition",
    "DimensionBinaryPartition",
    "KaryPartition",
    "RandomBinaryPartition",
    "RandomKaryPartition",
]
