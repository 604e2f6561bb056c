# SPDX-License-Identifier: Apache-2.0
"""What is checked of an algorithm in Python before the program knows it."""

from __future__ import annotations

import contextlib
import inspect
import math
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

from . import _posse
from .algorithms import Algorithm, Client, FreeRole, Measure, Measurement, Message, Parameter, Server
from .numbers import as_number, as_numbers, as_whole


def _parameter(name: Any, value: Any) -> dict[str, Any]:
    """A parameter with all its members, checked."""
    where = f"the parameter {name!r}"
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", name):
        raise ValueError(f"{where} is to be named by a word of letters, digits, '_' and '-'")
    if name in ("kind", "label", "clients"):
        raise ValueError(f"{where} has a name that every algorithm's section has")
    given = value if isinstance(value, Parameter) else Parameter(value)
    default: Any = given.default
    if not isinstance(default, (bool, str, float)):
        if hasattr(default, "__index__"):
            default = as_whole(default, where, -(2**63), 2**63 - 1)
        else:
            default = as_numbers(default, where)
    for text in (given.help, given.unit):
        if not isinstance(text, str):
            raise TypeError(f"{where}: {text!r} is not a text")
    limits = {
        key: None if limit is None else as_number(limit, f"{key} of {where}")
        for key, limit in (("min", given.min), ("max", given.max))
    }
    if isinstance(given.choices, str) or not all(isinstance(text, str) for text in given.choices):
        raise TypeError(f"{where}: choices is {given.choices!r}, not a list of texts")
    if given.choices and default not in given.choices:
        raise ValueError(f"{where}: the default {default!r} is not one of its choices")
    values = default if isinstance(default, list) else [default]
    for number in values if not isinstance(default, (bool, str)) else []:
        low, high = limits["min"], limits["max"]
        if not (low is None or number >= low) or not (high is None or number <= high):
            raise ValueError(f"{where}: the default {default!r} is not from {low} to {high}")
    return {
        "name": name,
        "default": default,
        "help": given.help,
        "unit": given.unit,
        "choices": list(given.choices),
    } | limits


def _host(role: Any, name: str) -> str:
    for base, host in ((Server, "server"), (Client, "client"), (FreeRole, "role")):
        if inspect.isclass(role) and issubclass(role, base):
            return host
    raise TypeError(f"{name} is {role!r}: it is to be a class made from posse.Server, Client or FreeRole")


_FORECAST = ("evaluations", "rounds", "messages", "bytes")


def _forecast(algorithm: type[Algorithm]) -> Callable[..., list[float]]:
    """What the program calls: the numbers in order, the unknown ones infinite."""

    def call(parameters: dict[str, Any], clients: int, budget: int) -> list[float]:
        assert algorithm.forecast is not None
        given = algorithm.forecast(parameters, clients, budget)
        if not isinstance(given, dict) or not set(given) <= set(_FORECAST):
            raise TypeError(f"forecast returned {given!r}: a dict of {', '.join(_FORECAST)}")
        usual = {"evaluations": float(clients * budget)}
        numbers = [as_number((usual | given).get(key, math.inf), key) for key in _FORECAST]
        if not all(number >= 0 for number in numbers):
            raise ValueError(f"forecast returned {given!r}: numbers from 0")
        return numbers

    return call


def _measures(algorithm: type[Algorithm]) -> list[tuple[str, str, str, str]]:
    """Name, unit, meaning and direction of each, checked."""
    name = algorithm.__name__
    if not isinstance(algorithm.measures, dict):
        raise TypeError(f"{name}.measures is {algorithm.measures!r}, not a dict")
    if algorithm.measures and algorithm.measurements is None:
        raise TypeError(f"{name} has measures, but no function measurements that measures them")
    for key, given in algorithm.measures.items():
        if not isinstance(key, str) or not re.fullmatch(r"[A-Za-z0-9_-]+", key):
            raise ValueError(f"{name}.measures has {key!r}; allowed: letters, digits, '_', '-'")
        if not isinstance(given, Measure):
            raise TypeError(f"{name}.measures has {key!r}: {given!r}, not a posse.Measure")
        if not all(isinstance(text, str) for text in (given.help, given.unit)):
            raise TypeError(f"{given!r}: help and unit are to be texts")
        if given.better not in ("less", "more", "neither"):
            raise ValueError(f"{given!r}: better is to be 'less', 'more' or 'neither'")
    return [(key, given.unit, given.help, given.better) for key, given in algorithm.measures.items()]


def _measurements(algorithm: type[Algorithm]) -> Callable[..., list[tuple[Any, ...]]]:
    """What the program calls."""

    def checked(given: Any) -> tuple[Any, ...]:
        if not isinstance(given, Measurement):
            raise TypeError(f"measurements returned {given!r}: posse.Measurement is needed")
        name, unit, note = given.name, given.unit, given.note
        if name in algorithm.measures:
            declared = algorithm.measures[name].unit
            if unit not in ("", declared):
                raise ValueError(f"{given!r}: its unit in {algorithm.__name__}.measures is {declared!r}")
            unit = declared
        if not all(isinstance(text, str) for text in (name, unit, note)) or not name:
            raise TypeError(f"{given!r}: name, unit and note are to be texts, the name not empty")
        value = as_number(given.value, name)
        bound = None if given.bound is None else as_number(given.bound, f"the bound of {name}")
        if math.isnan(value) or (bound is not None and math.isnan(bound)):
            raise ValueError(f"{given!r} is not a number")
        return name, unit, value, bound, bool(given.always), bool(given.is_lower), note

    def call(outcome: dict[str, Any], parameters: dict[str, Any], clients: int) -> list[Any]:
        assert algorithm.measurements is not None
        return [checked(given) for given in algorithm.measurements(outcome, parameters, clients)]

    return call


def _members(algorithm: Any) -> dict[str, Any]:
    """An algorithm's members, checked."""
    if not (inspect.isclass(algorithm) and issubclass(algorithm, Algorithm)):
        raise TypeError(f"{algorithm!r} is not a class made from posse.Algorithm")
    name = algorithm.__name__
    kind = getattr(algorithm, "kind", None)
    if not isinstance(kind, str):
        raise TypeError(f"{name}.kind is missing: the algorithm's name in scenarios")
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", kind):
        raise ValueError(f"{name}.kind is {kind!r}; allowed: letters, digits, '-', '_', '.'")
    for key, wanted in (
        ("summary", str),
        ("source", str),
        ("clients_can_lose_state", bool),
        ("why_timers_decide_early", str),
        ("order_matters", bool),
    ):
        if not isinstance(getattr(algorithm, key), wanted):
            raise TypeError(f"{name}.{key} is {getattr(algorithm, key)!r}, not a {wanted.__name__}")
    for key in ("forecast", "measurements"):
        if not (getattr(algorithm, key) is None or callable(getattr(algorithm, key))):
            raise TypeError(f"{name}.{key} is {getattr(algorithm, key)!r}, not a function")
    if not isinstance(algorithm.parameters, dict):
        raise TypeError(f"{name}.parameters is {algorithm.parameters!r}, not a dict")
    if not isinstance(algorithm.messages, (list, tuple)):
        raise TypeError(f"{name}.messages is {algorithm.messages!r}, not a list of classes")
    for message in algorithm.messages:
        if not inspect.isclass(message) or not issubclass(message, Message) or message is Message:
            raise TypeError(f"{name}.messages has {message!r}, not a class made from posse.Message")
    if len({message.__name__ for message in algorithm.messages}) < len(algorithm.messages):
        raise ValueError(f"{name}.messages has a name twice")
    star = algorithm.player is None
    if not star and (algorithm.server or algorithm.client):
        raise TypeError(f"{name} has a player beside a server or a client")
    client = algorithm.client if star else algorithm.player
    client_host = _host(client, f"{name}.{'client' if star else 'player'}")
    server_host = _host(algorithm.server, f"{name}.server") if star else "role"
    in_rounds = {server_host, client_host} - {"role"}
    if in_rounds and (server_host, client_host) != ("server", "client"):
        raise TypeError(f"{name}: posse.Server and posse.Client go together; others are FreeRoles")
    if server_host == "server" and getattr(algorithm.server, "answer", None) is None:
        raise TypeError(f"the server of {name} has no answer: the class of clients' answers")
    return {
        "kind": kind,
        "summary": algorithm.summary or (algorithm.__doc__ or "").strip().split("\n")[0],
        "source": algorithm.source or "an algorithm in Python",
        "parameters": [_parameter(*item) for item in algorithm.parameters.items()],
        "messages": list(algorithm.messages),
        "server": algorithm.server,
        "client": client,
        "server_host": server_host,
        "client_host": client_host,
        "clients_can_lose_state": algorithm.clients_can_lose_state,
        "why_timers_decide_early": algorithm.why_timers_decide_early,
        "order_matters": algorithm.order_matters,
        "forecast": algorithm.forecast,
        "measurements": algorithm.measurements,
        "measures": _measures(algorithm),
    }


# Held by who defines algorithms and then reads a scenario.
definitions = threading.RLock()
_added: dict[str, dict[str, Any]] = {}  # by kind, the latest
_sweeping = 0  # sweeps that go on, and look for algorithms by kind


@contextlib.contextmanager
def sweep_goes_on() -> Iterator[None]:
    global _sweeping
    with definitions:
        _sweeping += 1
    try:
        yield
    finally:
        with definitions:
            _sweeping -= 1


def add_algorithm(algorithm: type[Algorithm]) -> type[Algorithm]:
    """Makes an Algorithm known, so that scenario files can name its kind; a Scenario that is given the
    class does so itself, whenever it is run. An earlier one with the same kind is replaced.
    Returns the class."""
    members = _members(algorithm)
    kind = members["kind"]
    with definitions:
        if _added.get(kind) == members:
            return algorithm
        if kind in _added and _sweeping:
            raise RuntimeError(f"{kind} can't be defined anew while a sweep goes on")
        native = dict(members)
        for key, make in (("forecast", _forecast), ("measurements", _measurements)):
            if members[key] is not None:
                native[key] = make(algorithm)
        _posse.add_algorithm(native)
        _added[kind] = members
    return algorithm
