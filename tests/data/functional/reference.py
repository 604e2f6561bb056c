# SPDX-License-Identifier: Apache-2.0
"""Makes optimizers.csv and f_lcb_5_1.csv: what the deterministic optimizers of Dorn et al. and F-LCB
do, written from the formulas in plain Python. The tests compare Posse with them:
python3 tests/data/functional/reference.py

instance_5_1.csv and instance_5_2.csv are the functions of the paper's experiments 5.1 and 5.2, as
its authors' code draws them. plane_minima.csv has minima of random planes (draw_planes) over boxes,
as GLPK 5.0 found them.
"""

import csv
import math
import pathlib

HERE = pathlib.Path(__file__).parent
LAMBDA = [1, 0.5, 0.25, 0.1, 0.05]
START = [1, 2, 3, 4, 5]
CENTRE = [0.1, -0.2, 0.3, -0.4, 0.5]


def norm(x):
    return math.sqrt(sum(v * v for v in x))


def clipped(x, half=1):
    return [min(max(v, -half), half) for v in x]


class Quadratic:
    """0.5 sum lambda_j x_j^2."""

    def value(self, x):
        return 0.5 * sum(l * v * v for l, v in zip(LAMBDA, x))

    def gradient(self, x):
        return [l * v for l, v in zip(LAMBDA, x)]


class Cone:
    """c - 1 + sqrt(1 + (x - x*)' S (x - x*)) with the diagonal S."""

    def __init__(self, minimum, diagonal, minimiser):
        self.minimum, self.diagonal, self.minimiser = minimum, diagonal, minimiser

    def root(self, x):
        return math.sqrt(1 + sum(s * (v - m) ** 2 for s, v, m in zip(self.diagonal, x, self.minimiser)))

    def value(self, x):
        return self.minimum - 1 + self.root(x)

    def gradient(self, x):
        root = self.root(x)
        return [s * (v - m) / root for s, v, m in zip(self.diagonal, x, self.minimiser)]


class MaxDistance:
    """max_j |x_j - c_j| + a |x - c|^2; the first largest j gives the subgradient."""

    def __init__(self, square):
        self.square = square

    def value(self, x):
        away = [v - c for v, c in zip(x, CENTRE)]
        return max(abs(v) for v in away) + self.square * sum(v * v for v in away)

    def gradient(self, x):
        away = [v - c for v, c in zip(x, CENTRE)]
        first = max(range(len(away)), key=lambda j: (abs(away[j]), -j))
        g = [2 * self.square * v for v in away]
        g[first] += math.copysign(1, away[first])
        return g


def agd(f, x, smooth, radius, strong=0.0):
    """Su, Boyd and Candes; yields f(x_k) and g(k)."""
    y, k = list(x), 0
    kappa = smooth / strong if strong else 0
    while True:
        k += 1
        new = [v - g / smooth for v, g in zip(y, f.gradient(y))]
        momentum = (math.sqrt(kappa) - 1) / (math.sqrt(kappa) + 1) if strong else (k - 1) / (k + 2)
        y = [a + momentum * (a - b) for a, b in zip(new, x)]
        x = new
        if strong:
            bound = (smooth + strong) / 2 * radius**2 * math.exp(-k / math.sqrt(kappa))
        else:
            bound = 2 * smooth * radius**2 / (k * k + 5 * k + 6)
        yield f.value(x), bound


def pgd(f, lipschitz, radius, strong=0.0):
    """Projected subgradients on [-1, 1]^5 from 0, observed at the weighted mean of x_1 to x_k."""
    x, weights, squares, total = [0.0] * 5, 0.0, 0.0, [0.0] * 5
    k = 0
    while True:
        k += 1
        eta = 2 / (strong * (k + 1)) if strong else radius / (lipschitz * math.sqrt(k))
        weight = k if strong else eta
        weights += weight
        squares += eta * eta
        total = [t + weight * v for t, v in zip(total, x)]
        bound = (2 * lipschitz**2 / (strong * (k + 1)) if strong
                 else (radius**2 + lipschitz**2 * squares) / (2 * weights))  # fmt: skip
        yield f.value([t / weights for t in total]), bound
        x = clipped([v - eta * g for v, g in zip(x, f.gradient(x))])


def triple_averaging(f, lipschitz, radius):
    """Nesterov and Shikhman on [-1, 1]^5 from 0."""
    gamma = math.sqrt(2) * lipschitz / radius
    x, total, t = [0.0] * 5, [0.0] * 5, 0
    while True:
        yield f.value(x), math.sqrt(2) * lipschitz * radius / math.sqrt(t + 1)
        total = [s + g for s, g in zip(total, f.gradient(x))]
        now, then = gamma * math.sqrt(t + 1), gamma * math.sqrt(t + 2)
        plus = clipped([-s / now for s in total])
        x = [(t + 1) / (t + 2) * v + now / then * p / (t + 2) for v, p in zip(x, plus)]
        t += 1


def write_optimizers():
    distance = norm(CENTRE)
    cases = {
        "agd quadratic": agd(Quadratic(), START, 1, norm(START)),
        "agd cone": agd(Cone(0, LAMBDA, [0] * 5), START, 1, norm(START)),
        "agd strongly convex quadratic": agd(Quadratic(), START, 1, norm(START), 0.05),
        "pgd max": pgd(MaxDistance(0), 1, distance),
        "pgd strongly convex max": pgd(MaxDistance(0.25), 2.2, 1, 0.5),
        "triple averaging max, radius of the box": triple_averaging(MaxDistance(0), 1, math.sqrt(5)),
        "triple averaging max": triple_averaging(MaxDistance(0), 1, distance),
    }
    with open(HERE / "optimizers.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["case", "k", "value", "bound"])
        for name, steps in cases.items():
            for k in range(1, 1001):
                value, bound = next(steps)
                if k in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000):
                    rows.writerow([name, k, repr(value), repr(bound)])


def write_f_lcb():
    """F-LCB with AGD for 200 pulls: each arm once, then the least of best value minus g."""
    arms = []
    with open(HERE / "instance_5_1.csv", newline="") as file:
        for row in csv.DictReader(file):
            numbers = {key: float(text) for key, text in row.items()}
            diagonal = [numbers[f"sigma_{j}"] for j in range(20)]
            minimiser = [numbers[f"xstar_{j}"] for j in range(20)]
            offset = numbers["x0_minus_xstar_each_coord"]
            f = Cone(numbers["fstar"], diagonal, minimiser)
            arms.append(agd(f, [v + offset for v in minimiser], 1, offset * math.sqrt(20)))
    best, bounds = [math.inf] * len(arms), [math.inf] * len(arms)
    regret = 0.0
    with open(HERE / "f_lcb_5_1.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["t", "arm", "value", "bound", "regret"])
        for t in range(1, 201):
            lower = [b - g if math.isfinite(b) else -math.inf for b, g in zip(best, bounds)]
            arm = lower.index(min(lower))
            value, bounds[arm] = next(arms[arm])
            best[arm] = min(best[arm], value)
            regret += value - 0.5
            rows.writerow([t, arm + 1, repr(value), repr(bounds[arm]), repr(regret)])


if __name__ == "__main__":
    write_optimizers()
    write_f_lcb()
