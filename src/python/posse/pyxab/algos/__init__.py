# SPDX-License-Identifier: Apache-2.0
"""The algorithms, each in the module of its name."""

from .DOO import DOO
from .GPO import GPO
from .HCT import HCT
from .HOO import T_HOO
from .PCT import PCT
from .POO import POO
from .SequOOL import SequOOL
from .SOO import SOO
from .StoSOO import StoSOO
from .StroquOOL import StroquOOL
from .VHCT import VHCT
from .VPCT import VPCT
from .VROOM import VROOM
from .Zooming import Zooming

__all__ = [
    "DOO",
    "GPO",
    "HCT",
    "PCT",
    "POO",
    "SOO",
    "SequOOL",
    "StoSOO",
    "StroquOOL",
    "T_HOO",
    "VHCT",
    "VPCT",
    "VROOM",
    "Zooming",
]
