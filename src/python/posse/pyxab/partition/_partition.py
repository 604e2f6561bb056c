# SPDX-License-Identifier: Apache-2.0
"""What the classes of posse.pyxab.partition have in common."""


class Partition:
    """How cells are split: given to an algorithm as a class."""

    # As in a scenario.
    _kind = "cyclic"
    K = 2

    @classmethod
    def _parameters(cls):
        return {"partition": cls._kind, "arity": cls.K}
