# SPDX-License-Identifier: Apache-2.0
"""Distributed algorithms in Python: messages, roles, and the algorithm made of them."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import math
import operator
import re
import sys
import threading
import typing
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from . import _posse

float32 = typing.Annotated[float, "f32"]
uint8 = typing.Annotated[int, "u8"]
uint16 = typing.Annotated[int, "u16"]
uint32 = typing.Annotated[int, "u32"]


_TYPES = "float, int, posse.float32, posse.uint8, posse.uint16, posse.uint32"
_CODES = ("f32", "u8", "u16", "u32")


def _code(hint: Any, where: str) -> str:
    """The code of a field's type, for the encoding."""
    element, suffix = hint, ""
    if typing.get_origin(hint) is list:
        (element,) = typing.get_args(hint)
        suffix = "[]"
    if typing.get_origin(element) is typing.Annotated and element.__metadata__[0] in _CODES:
        return element.__metadata__[0] + suffix
    if element in (float, int):
        return ("f64" if element is float else "u64") + suffix
    raise TypeError(
        f"{where} has the type {hint}; allowed: {_TYPES}, and lists of these, such as list[float]"
    )


def _whole(value: Any, what: str, least: int = 0, most: int = 2**64 - 1) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is {value!r}, not a whole number") from None
    if not least <= number <= most:
        raise ValueError(f"{what} is {number}, allowed: {least} to {most}")
    return number


def _number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what} is {value!r}, not a number") from None


def _numbers(values: Any, what: str) -> list[float]:
    if isinstance(values, (str, bytes, dict, set)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what} is {values!r}, not a list of numbers")
    return [_number(value, what) for value in values]


_NAMES = {"ClassVar": ClassVar, "_posse": _posse}  # of the annotations of Message itself
_MOST = 2**32 - 1


def _node(value: Any) -> int:
    return _whole(value, "the node", most=_MOST)


def _round(value: Any) -> int:
    return _whole(value, "round", most=_MOST)


def _timer(value: Any) -> int:
    return _whole(value, "the timer", most=_MOST)


@typing.dataclass_transform()
class Message:
    """A message: a dataclass with numbers and lists of numbers.

        class Found(posse.Message):
            mean: float
            point: list[float]

    float and int (from 0) take 8 bytes on the wire; posse.float32 and posse.uint8, uint16, uint32
    take fewer; a list takes 4 bytes and its elements. The name must be new in Posse.
    """

    _type: ClassVar[_posse.MessageType]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # Names that the fields' types have where the class is defined.
        frame = sys._getframe(1)
        try:
            hints = typing.get_type_hints(
                cls, frame.f_globals, {**_NAMES, **frame.f_locals}, include_extras=True
            )
        except NameError as problem:
            raise TypeError(f"{cls.__name__}: a field has an unknown type: {problem}") from None
        fields = [
            (name, _code(hint, f"{cls.__name__}.{name}"))
            for name, hint in hints.items()
            if typing.get_origin(hint) is not ClassVar and hint is not ClassVar
        ]
        cls._type = _posse.MessageType(cls.__name__, fields)
        dataclasses.dataclass(cls)


class Role:
    """A node. The run calls on_start once, then on_message, on_timer and on_restart; what these do
    through the methods below is all that a role does. A role knows only what it was told: it must
    not read clocks, draw from random or numpy.random, or share objects with other roles.
    __init__ may look at the attributes, but can't act yet.

    Roles that only work in rounds are shorter as Server and Client.
    """

    _node: Any

    def on_start(self) -> None:
        """At the begin of the run."""

    def on_message(self, message: Any, sender: int, round: int) -> None:
        """A message has arrived. Copies, late and unexpected ones must change nothing."""

    def on_timer(self, timer: int) -> None:
        """The timer with this number has run out."""

    def on_restart(self) -> None:
        """After a crash, without the timers; if the node has lost its state, the role is new."""

    # What a node knows.

    @property
    def node(self) -> int:
        """Its number: in a star 0 is the server, 1, 2, … the clients; players are 0, 1, …"""
        return self._node.number

    @property
    def client(self) -> int | None:
        """Its number among the clients or players, from 0; None: the server."""
        return self._node.client

    @property
    def clients(self) -> int:
        """The number of clients or players."""
        return self._node.clients

    @property
    def budget(self) -> int:
        """Evaluations per client."""
        return self._node.budget

    @property
    def left(self) -> int:
        """The evaluations that are left to this client."""
        return self._node.left

    @property
    def domain(self) -> list[list[float]]:
        """[low, high] per dimension."""
        return self._node.domain

    @property
    def parameters(self) -> dict[str, Any]:
        """The algorithm's parameters by name, as the scenario has set them."""
        return self._node.parameters

    # What a node can do.

    def pull(self, point: Sequence[float], count: int = 1) -> float:
        """The sum of `count` noisy values of this client's function at a point. Takes the time that
        the client's computer takes."""
        point = _numbers(point, "the point")
        return self._node.pull([point], _whole(count, "count"))[0]

    def pull_each(self, points: Sequence[Sequence[float]], count: int = 1) -> list[float]:
        """The same for several points, as a list: a batched objective gets them together."""
        points = [_numbers(point, "a point") for point in points]
        return self._node.pull(points, _whole(count, "count"))

    def uniform(self, low: float = 0.0, high: float = 1.0) -> float:
        """A random number between low and high, from a stream of this node."""
        return low + (high - low) * self._node.uniform()

    def normal(self, mean: float = 0.0, sd: float = 1.0) -> float:
        """A normal random number, from another stream of this node."""
        return mean + sd * self._node.normal()

    def recommend(self, point: Sequence[float], own: bool = False) -> None:
        """The point that would be the answer if the run ended now; with own=True, this client's
        answer for its own function. Simple regret is that of the latest."""
        self._node.recommend(_numbers(point, "the point"), bool(own))

    def count(self, quantity: str, value: int) -> None:
        """Reports a whole number; measurements have the largest by name."""
        self._node.count(str(quantity), _whole(value, "value"))

    def estimate(self, quantity: str, value: float) -> None:
        """Reports a number; measurements have the latest by name."""
        self._node.estimate(str(quantity), _number(value, "value"))

    def work(self, seconds: float) -> None:
        """Works for this (virtual) time, times the node's slowness."""
        self._node.work(_number(seconds, "seconds"))

    def finish(self) -> None:
        """This node's part is done. The run ends when the server, or every player, has finished and
        nothing is under way."""
        self._node.finish()


class FreeRole(Role):
    """A role that sends what and when it likes."""

    @property
    def now(self) -> float:
        """Virtual time in seconds."""
        return self._node.now

    def send(self, to: int, message: Message, round: int = 1) -> None:
        """Sends a message to a node, by its number. `round` is its round, for the accounts."""
        self._node.send(_node(to), message, _round(round))

    def broadcast(self, message: Message, round: int = 1) -> None:
        """Sends one message to every node that this one is linked to."""
        self._node.broadcast(message, _round(round))

    def set_timer(self, timer: int, after: float) -> None:
        """Calls on_timer(timer) after this (virtual) time in seconds. A timer that is set again begins
        anew."""
        self._node.set_timer(_timer(timer), _number(after, "after"))

    def cancel_timer(self, timer: int) -> None:
        """The timer doesn't run out."""
        self._node.cancel_timer(_timer(timer))

    def begin_round(self, round: int) -> None:
        """A round begins at this node: 1, 2, …"""
        self._node.begin_round(_round(round))

    def end_round(self, round: int, *, steps: int, arrived: int, expected: int) -> None:
        """A round ends at this node, with `steps` evaluations per client up to now, and `arrived` of
        the `expected` answers."""
        self._node.end_round(
            _round(round),
            _whole(steps, "steps"),
            _whole(arrived, "arrived", most=_MOST),
            _whole(expected, "expected", most=_MOST),
        )


class Server(Role):
    """The server of an algorithm in rounds: it asks all clients, and gets their answers together when
    the scenario's [server] policy closes the round.

        class MyServer(posse.Server):
            answer = Found                  # the class of the clients' answers

            def on_start(self) -> None:
                self.ask(Box(…), pulls=10)

            def on_answers(self, answers):  # {client: Found}, by number, those that arrived
                …
                self.ask(Box(…), pulls=10)  # or self.finish()
    """

    answer: type[Message]

    def on_answers(self, answers: dict[int, Any]) -> None:
        """The answers of the round, by client, those that arrived."""
        raise NotImplementedError("a server needs on_answers(self, answers)")

    def ask(self, request: Message, pulls: int = 0) -> None:
        """Begins a round: sends the request to all clients. `pulls`: the evaluations that each makes
        for it, for the rounds table."""
        self._node.ask(request, _whole(pulls, "pulls"))


class Client(Role):
    """A client of an algorithm in rounds. It finishes when its budget is spent.

        class MyClient(posse.Client):
            def on_request(self, box):
                …
                return Found(mean=self.pull(x, 10) / 10, point=x)
    """

    def on_request(self, request: Any) -> Message | None:
        """Returns the answer, or None."""
        raise NotImplementedError("a client needs on_request(self, request)")


@dataclasses.dataclass
class Parameter:
    """A parameter with a help text and a range; one without is just its default."""

    default: bool | int | float | str | list[float]
    help: str = ""
    unit: str = ""
    min: float | None = None
    max: float | None = None
    choices: tuple[str, ...] = ()


@dataclasses.dataclass
class Measurement:
    """A number that an algorithm measures, beside its bound if there is one: an upper bound, or with
    is_lower a lower one; with always=True the run fails if it is violated."""

    name: str
    value: float
    bound: float | None = None
    note: str = ""
    unit: str = ""
    is_lower: bool = False
    always: bool = False


class Algorithm:
    """A distributed algorithm: its messages and the roles of its nodes.

        class ShrinkingBox(posse.Algorithm):
            kind = "shrinking-box"              # its name in scenarios
            parameters = {"pulls": 10, "shrink": posse.Parameter(0.8, min=0.01, max=1)}
            messages = [Box, Found]
            server, client = MyServer, MyClient

        posse.Scenario(algorithm=[ShrinkingBox, "fed-pne"], …).run()

    server, client   classes of roles: a star (Server and Client, or FreeRole)
    player           a class of roles instead (FreeRole): every node is linked to every other
    summary, source  texts for `describe`
    clients_can_lose_state
                     a client that crashed with its state lost goes on as a new role, with on_restart
    forecast(parameters, clients, budget)
                     the most rounds, messages and bytes, as a dict
    measurements(outcome, parameters, clients)
                     Measurements of a run; outcome: a dict with rounds, messages, bytes, regrets, …
    """

    kind: str
    summary = ""
    source = ""
    parameters: dict[str, Any] = {}
    messages: list[type[Message]] = []
    server: type[Role] | None = None
    client: type[Role] | None = None
    player: type[Role] | None = None
    clients_can_lose_state = False
    forecast: Callable[..., dict[str, float]] | None = None
    measurements: Callable[..., list[Measurement]] | None = None


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
            default = _whole(default, where, -(2**63), 2**63 - 1)
        else:
            default = _numbers(default, where)
    for text in (given.help, given.unit):
        if not isinstance(text, str):
            raise TypeError(f"{where}: {text!r} is not a text")
    limits = {
        key: None if limit is None else _number(limit, f"{key} of {where}")
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
        numbers = [_number((usual | given).get(key, math.inf), key) for key in _FORECAST]
        if not all(number >= 0 for number in numbers):
            raise ValueError(f"forecast returned {given!r}: numbers from 0")
        return numbers

    return call


def _measurements(algorithm: type[Algorithm]) -> Callable[..., list[tuple[Any, ...]]]:
    """What the program calls."""

    def checked(given: Any) -> tuple[Any, ...]:
        if not isinstance(given, Measurement):
            raise TypeError(f"measurements returned {given!r}: posse.Measurement is needed")
        name, unit, note = given.name, given.unit, given.note
        if not all(isinstance(text, str) for text in (name, unit, note)) or not name:
            raise TypeError(f"{given!r}: name, unit and note are to be texts, the name not empty")
        value = _number(given.value, name)
        bound = None if given.bound is None else _number(given.bound, f"the bound of {name}")
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
    for key, wanted in (("summary", str), ("source", str), ("clients_can_lose_state", bool)):
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
        "forecast": algorithm.forecast,
        "measurements": algorithm.measurements,
    }


# Held by who defines algorithms and then reads a scenario.
definitions = threading.RLock()
_added: dict[str, dict[str, Any]] = {}  # by kind, the latest
_sweeping = 0  # sweeps that go on, and look for algorithms by kind


@contextlib.contextmanager
def sweep_goes_on() -> Iterator[None]:
    global _sweeping
    _sweeping += 1
    try:
        yield
    finally:
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
