# SPDX-License-Identifier: Apache-2.0
"""The objectives, each in the module of its name."""

from .Ackley import Ackley, Ackley_Normalized
from .DifficultFunc import DifficultFunc
from .DoubleSine import DoubleSine
from .Garland import Garland
from .Himmelblau import Himmelblau, Himmelblau_Normalized
from .Objective import Objective
from .Rastrigin import Rastrigin, Rastrigin_Normalized

__all__ = [
    "Ackley",
    "Ackley_Normalized",
    "DifficultFunc",
    "DoubleSine",
    "Garland",
    "Himmelblau",
    "Himmelblau_Normalized",
    "Objective",
    "Rastrigin",
    "Rastrigin_Normalized",
]
