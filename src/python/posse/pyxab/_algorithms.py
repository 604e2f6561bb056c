# SPDX-License-Identifier: Apache-2.0
"""The classes of posse.pyxab.algos.

All take two things beside PyXAB's arguments, by name: `seed`, by default drawn from NumPy's global
generator, so that np.random.seed governs, and the other parameters of their posse.Learner
(recommendation="last", ties="last", depth_slack=1, …). Constants are those that PyXAB takes by
default.
"""

from abc import ABC, abstractmethod

import numpy as np

from ..learners import Learner
from ._partitions import BinaryPartition, PlayedNode, parameters_of

# Of algorithms that don't plan for a number of evaluations.
ANY_TIME = 2**53


class Algorithm(ABC):
    """What an algorithm has: pull() and receive_reward(), and perhaps get_last_point()."""

    @abstractmethod
    def pull(self, time):
        """The point to evaluate at `time`, a list of numbers."""

    @abstractmethod
    def receive_reward(self, time, reward):
        """The reward of that point."""


def _whole(name, value):
    """Also of a float: rounds=1e3."""
    if not float(value).is_integer():
        raise ValueError(f"{name} is {value}, allowed: a whole number")
    return int(value)


class _Posse(Learner, Algorithm):
    """A learner with PyXAB's arguments: see posse.Learner for what else it can do.

    Beyond `rounds` or `n` the search goes on if PyXAB's does. A partition of one's own has its cells in
    Python; the learner sees a tree with as many children per cell.
    """

    _kind: str
    _counts_below = False  # a play counts for all cells that contain it

    def __init__(self, n, domain, partition, seed, more, **parameters):
        if domain is None:
            raise ValueError("the domain is not given")
        if not callable(partition):
            raise ValueError("the partition is not given: a class of posse.pyxab.partition")
        domain = [[float(low), float(high)] for low, high in domain]
        self._tree = partition(domain=domain, node=PlayedNode)
        self._arity = None  # of a partition in Python
        where = parameters_of(self._tree)
        if where is None:
            domain, where = [[0, 1]], self._in_python()
        if seed is None:
            seed = int(np.random.randint(2**31 - 1))
        # The constants are given: those of the theory stay where PyXAB has none.
        given = {name: value for name, value in parameters.items() if value is not None}
        super().__init__(
            self._kind, domain, _whole("n", n), seed=seed, searches_on=True, **(where | given | more)
        )
        if self._arity is None:
            self._tree._bounds = self._native.bounds
        self._plays = {}  # their number and the sum of their rewards, by (depth, index)

    def _in_python(self):
        """The learner's parameters for a partition in Python."""
        root = self._tree.get_root()
        self._tree.make_children(root, newlayer=True)
        self._arity = len(root.get_children())
        return {"partition": "cyclic", "arity": self._arity}

    def _node(self, cell):
        """Of the tree, which grows down to it."""
        depth, index = cell
        k = self._arity or self._tree_arity()
        node = self._tree.get_root()
        for below in range(depth - 1, -1, -1):
            if node.get_children() is None:
                self._tree.make_children(
                    node, newlayer=node.get_depth() >= self._tree.get_depth()
                )
            children = node.get_children()
            if len(children) != k:
                raise ValueError(f"a cell has {len(children)} children, another one {k}")
            node = children[(index - 1) // k**below % k]
        return node

    def _tree_arity(self):
        where = parameters_of(self._tree)
        return 2 ** len(self._tree.domain) if where["partition"] == "dimwise" else where["arity"]

    def _centre(self, cell):
        return list(self._node(cell).get_cpoint())

    def pull(self, time=None):
        """The next point to evaluate, a list of numbers. `time`, its number, is not needed."""
        point = super().pull(time)
        return point if self._arity is None else self._centre(self._native.cell())

    def receive_reward(self, time, reward):
        """The reward of that point, a finite number."""
        reward = float(reward)
        super().receive_reward(time, reward)
        plays = self._plays.setdefault(self._native.cell(), [0, 0.0])
        plays[0] += 1
        plays[1] += reward

    def get_last_point(self):
        """The point that it would recommend now."""
        if self._arity is None:
            return super().get_last_point()
        return self._centre(self._native.recommended_cell())

    def tell(self, reward):
        """As receive_reward, without its number."""
        self.receive_reward(None, reward)

    ask = pull
    recommend = get_last_point

    def run(self, f, n=None, *, batch=None):
        """As posse.Learner.run, n = 1000 by default. These plays aren't counted in `partition`."""
        n = 1000 if n is None else n
        if self._arity is None:
            return super().run(f, n, batch=batch)
        if batch is not None:
            raise ValueError("batch needs a partition of posse.pyxab.partition")
        for t in range(1, n + 1):
            self.receive_reward(t, f(self.pull(t)))
        return self.get_last_point()

    @property
    def partition(self):
        """The tree of cells that were played, and of the cells that contain them."""
        totals = {}
        for cell, (plays, rewards) in self._plays.items():
            node = self._node(cell)
            while node is not None:
                total = totals.setdefault(id(node), [node, 0, 0.0])
                total[1] += plays
                total[2] += rewards
                node = node.get_parent() if self._counts_below else None
        for node, plays, rewards in totals.values():
            node.visited_times, node.mean_reward = plays, rewards / plays
        return self._tree


def _base(algo):
    """The learner's kind in place of PyXAB's class."""
    if algo is None:
        raise ValueError("algo is not given: T_HOO, HCT or VHCT")
    kind = getattr(algo, "_kind", None)
    if kind not in ("t-hoo", "hct", "vhct"):
        raise NotImplementedError("algo is T_HOO, HCT or VHCT")
    return kind


class T_HOO(_Posse):
    """The truncated HOO: Bubeck, Munos, Stoltz & Szepesvári, X-armed bandits (JMLR 2011).

    PyXAB expands one depth more than the paper (depth_slack=1), and answers with its last play
    (recommendation="last"); here the answer is a play drawn uniformly, as the theory needs. Beyond
    `rounds` both keep its logarithm and depth."""

    _kind = "t-hoo"
    _counts_below = True

    def __init__(
        self,
        nu=1,
        rho=0.5,
        rounds=1000,
        domain=None,
        partition=BinaryPartition,
        *,
        seed=None,
        **more,
    ):
        super().__init__(rounds, domain, partition, seed, more, nu1=nu, rho=rho)


class HCT(_Posse):
    """Azar, Lazaric & Brunskill, Online stochastic optimization under correlated bandit feedback (ICML
    2014).

    PyXAB loses the cells below an inner cell that it splits again; here no cell is lost."""

    _kind = "hct"

    def __init__(
        self,
        nu=1,
        rho=0.5,
        c=0.1,
        delta=0.01,
        domain=None,
        partition=BinaryPartition,
        *,
        seed=None,
        **more,
    ):
        super().__init__(
            ANY_TIME, domain, partition, seed, more, nu1=nu, rho=rho, c=c, delta=delta
        )


class VHCT(_Posse):
    """Li, Wang, Cheng & Song, Optimum-statistical collaboration towards general and efficient black-box
    optimization (TMLR 2023).

    PyXAB loses the cells below an inner cell that it splits again; here no cell is lost."""

    _kind = "vhct"

    def __init__(
        self,
        nu=1,
        rho=0.5,
        c=0.1,
        delta=0.01,
        bound=1,
        domain=None,
        partition=BinaryPartition,
        *,
        seed=None,
        **more,
    ):
        super().__init__(
            ANY_TIME,
            domain,
            partition,
            seed,
            more,
            nu1=nu,
            rho=rho,
            c=c,
            delta=delta,
            range=bound,
        )


class POO(_Posse):
    """Grill, Valko & Munos, Black-box optimization of noisy functions with unknown smoothness (NIPS
    2015): instances of `algo` with different smoothness, without an end.

    PyXAB skips instances; here all of the paper's schedule run."""

    _kind = "poo"

    def __init__(
        self,
        numax=1,
        rhomax=0.9,
        rounds=1000,
        domain=None,
        partition=BinaryPartition,
        algo=None,
        *,
        seed=None,
        **more,
    ):
        base = _base(algo)
        delta = None if base == "t-hoo" else 0.01
        super().__init__(
            rounds,
            domain,
            partition,
            seed,
            more,
            nu_max=numax,
            rho_max=rhomax,
            base=base,
            delta=delta,
        )


class PCT(_Posse):
    """GPO over HCT: Shang, Kaufmann & Valko, General parallel optimization without a metric (ALT
    2019).

    PyXAB runs every instance with the same rho, and validates the point that an instance played last
    (recommendation="last"). Here they search over rho, as in the paper, and an instance recommends one
    of its plays, drawn uniformly: the simple regret of such a point is what the paper bounds. Beyond
    `rounds` both evaluate the winner."""

    _kind = "pct"

    def __init__(
        self,
        numax=1,
        rhomax=0.9,
        rounds=1000,
        domain=None,
        partition=BinaryPartition,
        *,
        seed=None,
        **more,
    ):
        super().__init__(rounds, domain, partition, seed, more, nu_max=numax, rho_max=rhomax)


class VPCT(PCT):
    """GPO over VHCT. What PCT says of PyXAB holds here."""

    _kind = "vpct"


class GPO(_Posse):
    """GPO over `algo`. What PCT says of PyXAB holds here."""

    _kind = "gpo"

    def __init__(
        self,
        numax=1,
        rhomax=0.9,
        rounds=1000,
        domain=None,
        partition=BinaryPartition,
        algo=None,
        *,
        seed=None,
        **more,
    ):
        super().__init__(
            rounds,
            domain,
            partition,
            seed,
            more,
            nu_max=numax,
            rho_max=rhomax,
            base=_base(algo),
        )


class StoSOO(_Posse):
    """Valko, Carpentier & Munos, Stochastic simultaneous optimistic optimization (ICML 2013).

    PyXAB starts its sweep over the depths again after every evaluation, answers with the best mean of
    the deepest cells, expanded or not, and has no points beyond n evaluations. Here a sweep goes on, the
    answer is the best of the deepest expanded cells, and the search goes on beyond n with its constants."""

    _kind = "stosoo"

    def __init__(
        self,
        n=100,
        k=None,
        h_max=100,
        delta=None,
        domain=None,
        partition=BinaryPartition,
        *,
        seed=None,
        **more,
    ):
        super().__init__(
            n,
            domain,
            partition,
            seed,
            more,
            pulls=None if k is None else _whole("k", k),
            max_depth=_whole("h_max", h_max),
            delta=delta,
        )


class SOO(_Posse):
    """Munos, Optimistic optimization of a deterministic function without the knowledge of its
    smoothness (NIPS 2011). For functions without noise; `n` is not needed."""

    _kind = "soo"

    def __init__(
        self, n=100, h_max=100, domain=None, partition=BinaryPartition, *, seed=None, **more
    ):
        super().__init__(n, domain, partition, seed, more, max_depth=_whole("h_max", h_max))


class DOO(_Posse):
    """Munos, Optimistic optimization of a deterministic function without the knowledge of its
    smoothness (NIPS 2011). For functions without noise; `n` is not needed.

    `delta` is (nu, rho), or a function of the depth: a cell of depth h has the diameter nu rho^h; by
    default (1, 0.5). PyXAB measures the first coordinate of its cells by default, and fails at the
    first pull if a function is given."""

    _kind = "doo"

    def __init__(
        self, n=100, delta=None, domain=None, partition=BinaryPartition, *, seed=None, **more
    ):
        nu, rho = _geometric((1, 0.5) if delta is None else delta)
        super().__init__(n, domain, partition, seed, more, nu1=nu, rho=rho)


def _geometric(delta):
    if not callable(delta):
        nu, rho = delta
        return nu, rho
    nu = delta(0)
    rho = delta(1) / nu
    if any(abs(delta(h) - nu * rho**h) > 1e-9 * nu * rho**h for h in range(2, 20)):
        raise ValueError("delta is not of the form nu rho^h")
    return nu, rho


class SequOOL(_Posse):
    """Bartlett, Gabillon & Valko, A simple parameter-free and adaptive approach to optimization under a
    minimal local smoothness assumption (ALT 2019). For functions without noise.

    The paper's n counts opened cells, as PyXAB's; here `n` is the number of evaluations, of which an
    opened cell takes as many as it has children (openings=n is PyXAB's). At the end of the schedule
    PyXAB evaluates the root, here the answer is evaluated."""

    _kind = "sequool"

    def __init__(self, n=1000, domain=None, partition=BinaryPartition, *, seed=None, **more):
        super().__init__(n, domain, partition, seed, more)


class StroquOOL(_Posse):
    """Bartlett, Gabillon & Valko, A simple parameter-free and adaptive approach to optimization under a
    minimal local smoothness assumption (ALT 2019).

    At the end of its schedule, which depends on n, it evaluates its answer, as PyXAB's does."""

    _kind = "stroquool"

    def __init__(self, n=1000, domain=None, partition=BinaryPartition, *, seed=None, **more):
        super().__init__(n, domain, partition, seed, more)


class Zooming(_Posse):
    """Kleinberg, Slivkins & Upfal, Multi-armed bandits in metric spaces (STOC 2008).

    PyXAB loses the halves of split cells in which no arm lies; here every cell has an arm. The radius
    of an arm depends on the number of evaluations: PyXAB has phases of 2, 4, 8, … of them; here it is
    `rounds`, which doubles whenever there are more. Takes no partition of one's own."""

    _kind = "zooming"

    def __init__(
        self,
        nu=1,
        rho=0.9,
        domain=None,
        partition=BinaryPartition,
        *,
        rounds=1000,
        seed=None,
        **more,
    ):
        super().__init__(rounds, domain, partition, seed, more, nu1=nu, rho=rho)

    def _in_python(self):
        raise NotImplementedError("Zooming takes no partition of one's own: its arms have places")


class VROOM(_Posse):
    """Bou Ammar, Gabillon, Tutunov & Valko, Derivative-free & order-robust optimisation (AISTATS 2020).

    PyXAB ranks cells by lower confidence bounds of the mean of the plays that chose them or a cell above;
    here they are ranked by the estimates that make up the output (PAPERS.md, vroom-1). Beyond `n` both
    go on with the constants of n. PyXAB draws a point in a cell at the depth h_max; here in one at the
    partition's last depth."""

    _kind = "vroom"

    def __init__(
        self,
        n=100,
        h_max=100,
        b=None,
        f_max=None,
        domain=None,
        partition=BinaryPartition,
        *,
        seed=None,
        **more,
    ):
        if b is None:
            raise ValueError("b, the range of the noise, is not given")
        if f_max is None:
            raise ValueError("f_max, a bound on rewards, is not given")
        h_max = _whole("h_max", h_max)
        super().__init__(
            n,
            domain,
            partition,
            seed,
            more,
            # By default log n, as in PyXAB.
            max_depth=h_max if 2.0**h_max < n else None,
            b=b,
            f_max=f_max,
        )
