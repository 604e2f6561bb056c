# SPDX-License-Identifier: Apache-2.0
"""The classes of posse.pyxab.partition: trees of cells. An algorithm takes a class; it runs on the learner's
own cells if that is one of these, or one derived from these with another K. Draws of a partition that
is made by itself come from NumPy's global generator."""

from abc import ABC, abstractmethod

import numpy as np


class P_node:
    """A cell: the index-th of its depth, from 1; `domain` is a list of [low, high] per dimension."""

    def __init__(self, depth, index, parent, domain):
        self.depth = depth
        self.index = index
        self.parent = parent
        self.domain = domain
        self.children = None
        self.c_point = [(low + high) / 2 for low, high in domain]

    def get_depth(self):
        return self.depth

    def get_index(self):
        return self.index

    def get_parent(self):
        return self.parent

    def get_children(self):
        """A list, or None."""
        return self.children

    def update_children(self, children):
        self.children = list(children)  # partitions append to the lists of a depth

    def get_domain(self):
        return self.domain

    def get_cpoint(self):
        """The centre."""
        return self.c_point


class PlayedNode(P_node):
    """A cell of an algorithm's partition."""

    visited_times = 0
    mean_reward = 0

    def get_visited_times(self):
        """How often it was played (T_HOO: it or a cell below it)."""
        return self.visited_times

    def get_mean_reward(self):
        """Of these plays; 0 without any."""
        return self.mean_reward


class Partition(ABC):
    """A tree of cells. A class of one's own defines make_children(), which splits every cell into the
    same number of parts."""

    def __init__(self, domain=None, node=P_node):
        if domain is None:
            raise ValueError("the domain is not given")
        self.domain = domain
        self.node = node
        self.root = node(0, 1, None, domain)
        self.depth = 0
        self.node_list = [[self.root]]

    @abstractmethod
    def make_children(self, parent, newlayer=False):
        """Splits a cell; newlayer: its children are the first ones of their depth."""

    def deepen(self):
        """Splits all cells of the last depth."""
        for number, parent in enumerate(self.node_list[self.depth]):
            self.make_children(parent, newlayer=number == 0)

    def get_root(self):
        return self.root

    def get_depth(self):
        return self.depth

    def get_node_list(self):
        """The cells, a list per depth."""
        return self.node_list

    def get_layer_node_list(self, depth):
        """The cells of a depth."""
        return self.node_list[depth]


class _LearnersOwn(Partition):
    """A partition that learners have themselves."""

    _kind = None  # as in a scenario
    K = 2
    _bounds = None  # of the cell (depth, index), in the tree of an algorithm

    def parts(self, domain):
        """The domains of the children of a cell."""
        raise NotImplementedError

    def make_children(self, parent, newlayer=False):
        depth = parent.get_depth() + 1
        if self._bounds is None:
            domains = self.parts(parent.get_domain())
            first = len(domains) * (parent.get_index() - 1) + 1
        else:
            k = 2 ** len(self.domain) if self._kind == "dimwise" else self.K
            first = k * (parent.get_index() - 1) + 1
            domains = [self._bounds((depth, first + c)) for c in range(k)]
        nodes = [
            self.node(depth, first + c, parent, domain) for c, domain in enumerate(domains)
        ]
        parent.update_children(nodes)
        if newlayer:
            self.node_list.append(nodes)
            self.depth += 1
        else:
            self.node_list[depth].extend(nodes)


def _cut(domain, ends_of):
    """Cuts along a drawn dimension; ends_of(low, high) are the ends of the parts, low first."""
    j = np.random.randint(len(domain))
    ends = ends_of(*domain[j])
    return [
        [*domain[:j], [low, high], *domain[j + 1 :]]
        for low, high in zip(ends, ends[1:], strict=False)
    ]


class BinaryPartition(_LearnersOwn):
    """Every cell is halved along a dimension that is drawn for it."""

    _kind = "random-dim"

    def parts(self, domain):
        return _cut(domain, lambda low, high: [low, (low + high) / 2, high])


class DimensionBinaryPartition(_LearnersOwn):
    """Every cell is halved along all dimensions, into 2^d parts; the first dimension changes fastest."""

    _kind = "dimwise"

    def parts(self, domain):
        corners = [[]]
        for low, high in reversed(domain):
            middle = (low + high) / 2
            halves = [[low, middle], [middle, high]]
            corners = [[half, *corner] for corner in corners for half in halves]
        return corners


class RandomBinaryPartition(_LearnersOwn):
    """Every cell is cut into two parts at a random place, along a dimension that is drawn for it."""

    _kind = "random-cut"

    def parts(self, domain):
        return _cut(domain, lambda low, high: [low, np.random.uniform(low, high), high])


class _Kary(_LearnersOwn):
    K = 3

    def __init__(self, domain=None, K=None, node=P_node):
        super().__init__(domain, node)
        if K is not None:
            self.K = K
        if self.K < 2:
            raise ValueError(f"K is {self.K}, allowed: at least 2")


class KaryPartition(_Kary):
    """Every cell is cut into K equal parts along a dimension that is drawn for it."""

    _kind = "random-dim"

    def parts(self, domain):
        return _cut(domain, lambda low, high: np.linspace(low, high, self.K + 1).tolist())


class RandomKaryPartition(_Kary):
    """Every cell is cut into K parts at uniformly drawn places, along a dimension that is drawn for it.
    PyXAB draws each place between the one before and the end, which makes the last parts small."""

    _kind = "random-cut"

    def parts(self, domain):
        return _cut(
            domain,
            lambda low, high: [
                low,
                *sorted(np.random.uniform(low, high, self.K - 1).tolist(), reverse=high < low),
                high,
            ],
        )


def parameters_of(tree):
    """The learner's parameters for this partition, or None if it has cells of its own."""
    kind = type(tree)
    own = isinstance(tree, _LearnersOwn) and kind.make_children is _LearnersOwn.make_children
    if not own or not any(
        kind.parts is known.parts
        for known in (
            BinaryPartition,
            DimensionBinaryPartition,
            KaryPartition,
            RandomBinaryPartition,
            RandomKaryPartition,
        )
    ):
        return None
    return {"partition": tree._kind, "arity": tree.K}
