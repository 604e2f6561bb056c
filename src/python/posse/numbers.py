# SPDX-License-Identifier: Apache-2.0
"""Numbers as users give them, checked: errors name what is wrong."""

from __future__ import annotations

import operator
from typing import Any

MOST = 2**32 - 1


def as_whole(value: Any, what: str, least: int = 0, most: int = 2**64 - 1) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is {value!r}, not a whole number") from None
    if not least <= number <= most:
        raise ValueError(f"{what} is {number}, allowed: {least} to {most}")
    return number


def as_number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what} is {value!r}, not a number") from None


def as_numbers(values: Any, what: str) -> list[float]:
    if isinstance(values, (str, bytes, dict, set)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what} is {values!r}, not a list of numbers")
    return [as_number(value, what) for value in values]


def as_node(value: Any) -> int:
    return as_whole(value, "the node", most=MOST)


def as_round(value: Any) -> int:
    return as_whole(value, "round", most=MOST)


def as_timer(value: Any) -> int:
    return as_whole(value, "the timer", most=MOST)
