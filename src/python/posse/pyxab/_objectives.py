# SPDX-License-Identifier: Apache-2.0
"""The objectives of posse.pyxab.synthetic_obj. A point of another dimension, and a parameter out of its
range, raise ValueError."""

import math
from abc import ABC, abstractmethod

import numpy as np

from ..learners import Objective as Native


class Objective(ABC):
    """f(x) at a list or an array of coordinates; fmax, the largest value."""

    fmax = 0.0

    @abstractmethod
    def f(self, x):
        """The value at x."""

    def __call__(self, x):
        return self.f(x)


def _coordinates(x, dimension):
    point = [float(value) for value in x]
    if len(point) != dimension:
        raise ValueError(f"the point has {len(point)} coordinates, the objective {dimension}")
    return point


class _Perturbed(Objective):
    """Another objective plus `perturb`, a standard normal draw of NumPy's global generator."""

    def __init__(self, objective):
        self._objective = objective
        self.perturb = np.random.normal()
        self.fmax = objective.fmax + self.perturb

    def f(self, x):
        return self._objective.f(x) + self.perturb


class Garland(Objective):
    """x (1 - x) (4 - sqrt(|sin(60 x)|)) on [0, 1]: Posse's own, which Learner.run evaluates without
    Python. fmax is its maximum, 0.997772… at pi/6; PyXAB says 1."""

    fmax = 2 * math.pi / 3 * (1 - math.pi / 6)
    _native = Native("garland")._native

    def f(self, x):
        return self._native(_coordinates(x, 1))


class Perturbed_Garland(_Perturbed):
    """Garland, shifted by a random constant."""

    def __init__(self):
        super().__init__(Garland())


class DoubleSine(Objective):
    """s(log2(u) / 2) (u^a - u^b) - u^a on [0, 1] with u = 2 |x - tmax|, s(z) = (1 + sin 2 pi z) / 2,
    a = -log2 rho2, b = -log2 rho1; 0 at tmax."""

    def __init__(self, rho1=0.3, rho2=0.8, tmax=0.5):
        for name, value in (("rho1", rho1), ("rho2", rho2)):
            if not 0 < value <= 1:
                raise ValueError(f"{name} is {value}, allowed: above 0, at most 1")
        if not 0 <= tmax <= 1:
            raise ValueError(f"tmax is {tmax}, allowed: 0 to 1")
        self.ep1 = -math.log2(rho1)
        self.ep2 = -math.log2(rho2)
        self.tmax = tmax

    def f(self, x):
        (z,) = _coordinates(x, 1)
        u = 2 * abs(z - self.tmax)
        if u == 0:
            return 0.0
        upper = -(u**self.ep1)
        lower = -(u**self.ep2)
        share = (1 + math.sin(math.pi * math.log2(u))) / 2
        return lower + share * (upper - lower)


class Perturbed_DoubleSine(_Perturbed):
    """DoubleSine, shifted by a random constant, at tmax too; PyXAB's is not."""

    def __init__(self, rho1=0.3, rho2=0.8, tmax=0.5):
        super().__init__(DoubleSine(rho1, rho2, tmax))


class DifficultFunc(Objective):
    """On [0, 1], with y = |x - 1/2|: -y^2 where ln y is in the upper half of its unit interval, else
    -sqrt(y); 0 at 1/2. From Grill, Valko & Munos 2015."""

    def f(self, x):
        (z,) = _coordinates(x, 1)
        y = abs(z - 0.5)
        if y == 0:
            return 0.0
        log = math.log(y)
        return -(y**2) if log - math.floor(log) >= 0.5 else -math.sqrt(y)


class Cexample(Objective):
    """1 + 1 / ln x on [0, 1/e]: no algorithm's smoothness assumption holds at its maximum 1 at 0."""

    fmax = 1.0

    def f(self, x):
        (z,) = _coordinates(x, 1)
        if not 0 <= z < 1:
            raise ValueError(f"the point is {z}, allowed: at least 0, below 1")
        return 1 + 1 / math.log(z) if z > 0 else 1.0


class Ackley(Objective):
    """The negative of Ackley's function on [-1, 1]^2; 0 at the origin."""

    def f(self, x):
        x, y = _coordinates(x, 2)
        radius = math.sqrt((x**2 + y**2) / 2)
        waves = (math.cos(2 * math.pi * x) + math.cos(2 * math.pi * y)) / 2
        return 20 * math.exp(-0.2 * radius) + math.exp(waves) - math.e - 20


class Ackley_Normalized(Ackley):
    """Ackley, divided by a bound on its size: values in [-1, 0]."""

    _size = 20 + math.e - 20 * math.exp(-0.2 * math.sqrt(0.5)) - math.exp(-1)

    def f(self, x):
        return super().f(x) / self._size


class Himmelblau(Objective):
    """The negative of Himmelblau's function on [-5, 5]^2; 0 at four points."""

    def f(self, x):
        x, y = _coordinates(x, 2)
        return -((x**2 + y - 11) ** 2) - (x + y**2 - 7) ** 2


class Himmelblau_Normalized(Himmelblau):
    """Himmelblau, divided by 890: values in [-1, 0]."""

    def f(self, x):
        return super().f(x) / 890


class Rastrigin(Objective):
    """The negative of Rastrigin's function on [-1, 1]^p; 0 at the origin."""

    def f(self, x):
        return -sum(10 + z**2 - 10 * math.cos(2 * math.pi * z) for z in _coordinates(x, len(x)))


class Rastrigin_Normalized(Rastrigin):
    """Rastrigin, divided by k p: values in [-1.0126, 0] for k = 20."""

    def __init__(self, k=20):
        if not k > 0:
            raise ValueError(f"k is {k}, allowed: above 0")
        self.k = k

    def f(self, x):
        return super().f(x) / (self.k * len(x))
