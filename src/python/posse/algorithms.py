# SPDX-License-Identifier: Apache-2.0
"""Distributed algorithms in Python: messages, roles, and the algorithm made of them."""

from __future__ import annotations

import dataclasses
import sys
import typing
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from . import _posse
from .numbers import MOST, as_node, as_number, as_numbers, as_round, as_timer, as_whole

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


_NAMES = {"ClassVar": ClassVar, "_posse": _posse}  # of the annotations of Message itself


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
        """After a crash. The crash dropped the timers; this sets them again, each for the time that
        was left of it at the crash. A role with an on_restart of its own calls
        super().on_restart(), or sets its timers by itself. If the node has lost its state, the role
        is new, and there are no timers."""
        self._node.resume_timers()

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
        point = as_numbers(point, "the point")
        return self._node.pull([point], as_whole(count, "count"))[0]

    def pull_each(self, points: Sequence[Sequence[float]], count: int = 1) -> list[float]:
        """The same for several points, as a list: a batched objective gets them together."""
        points = [as_numbers(point, "a point") for point in points]
        return self._node.pull(points, as_whole(count, "count"))

    def uniform(self, low: float = 0.0, high: float = 1.0) -> float:
        """A random number between low and high, from a stream of this node."""
        return low + (high - low) * self._node.uniform()

    def normal(self, mean: float = 0.0, sd: float = 1.0) -> float:
        """A normal random number, from another stream of this node."""
        return mean + sd * self._node.normal()

    def recommend(self, point: Sequence[float], own: bool = False) -> None:
        """The point that would be the answer if the run ended now; with own=True, this client's
        answer for its own function. Simple regret is that of the latest."""
        self._node.recommend(as_numbers(point, "the point"), bool(own))

    def count(self, quantity: str, value: int) -> None:
        """Reports a whole number; measurements have the largest by name."""
        self._node.count(str(quantity), as_whole(value, "value"))

    def estimate(self, quantity: str, value: float) -> None:
        """Reports a number; measurements have the latest by name."""
        self._node.estimate(str(quantity), as_number(value, "value"))

    def work(self, seconds: float) -> None:
        """Works for this (virtual) time, times the node's slowness."""
        self._node.work(as_number(seconds, "seconds"))

    def finish(self) -> None:
        """This node's part is done. The run ends when the server, or every player, has finished and
        nothing is under way."""
        self._node.finish()


@dataclasses.dataclass
class Waiting:
    """What a role waits for, for the report of a run that stalls.

    text     "the answers of all clients"
    message  the class of the awaited messages
    nodes    the numbers of the nodes that haven't sent one; messages lost between them and this
             node are then part of the report
    round    the round of the awaited messages, if only those of one count
    """

    text: str
    message: type[Message] | None = None
    nodes: Sequence[int] = ()
    round: int | None = None


class FreeRole(Role):
    """A role that sends what and when it likes."""

    def waiting(self) -> Waiting | str | None:
        """What this node waits for: a text or a Waiting, None if for nothing. A run in which nothing
        happens any more is stalled unless its server, or every player, has finished; its report
        then says who waits for what. A client that waits while the server has finished keeps the run
        going as long as a message to it is under way. This method can't act; it may be called at
        any time between the others."""
        return None

    @classmethod
    def _waits(cls) -> bool:
        return cls.waiting is not FreeRole.waiting

    def _waiting(self) -> tuple[str, type[Message] | None, int, list[int]] | None:
        given = self.waiting()
        if given is None:
            return None
        waiting = Waiting(given) if isinstance(given, str) else given
        if not isinstance(waiting, Waiting) or not isinstance(waiting.text, str):
            raise TypeError(f"{given!r} is not a text or a posse.Waiting")
        round = 0 if waiting.round is None else as_round(waiting.round)
        return waiting.text, waiting.message, round, [as_node(node) for node in waiting.nodes]

    @property
    def now(self) -> float:
        """Virtual time in seconds."""
        return self._node.now

    def send(self, to: int, message: Message, round: int = 1) -> None:
        """Sends a message to a node, by its number. `round` is its round, for the accounts."""
        self._node.send(as_node(to), message, as_round(round))

    def broadcast(self, message: Message, round: int = 1) -> None:
        """Sends one message to every node that this one is linked to."""
        self._node.broadcast(message, as_round(round))

    def set_timer(self, timer: int, after: float, from_now: bool = False) -> None:
        """Calls on_timer(timer) after this (virtual) time in seconds, counted from the end of the work
        that the node has declared so far: after pull, set_timer(1, 0) fires when the evaluations are
        done. With from_now=True the time is counted from now, however long the node is busy, as for
        a deadline: a timer that fires while the node evaluates must not evaluate, send or finish,
        since the rewards aren't known yet, nor what arrives meanwhile. A timer that is set again
        begins anew."""
        self._node.set_timer(as_timer(timer), as_number(after, "after"), bool(from_now))

    def cancel_timer(self, timer: int) -> None:
        """The timer doesn't run out."""
        self._node.cancel_timer(as_timer(timer))

    def begin_round(self, round: int) -> None:
        """A round begins at this node: 1, 2, …"""
        self._node.begin_round(as_round(round))

    def end_round(self, round: int, *, steps: int, arrived: int, expected: int) -> None:
        """A round ends at this node, with `steps` evaluations per client up to now, and `arrived` of
        the `expected` answers."""
        self._node.end_round(
            as_round(round),
            as_whole(steps, "steps"),
            as_whole(arrived, "arrived", most=MOST),
            as_whole(expected, "expected", most=MOST),
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
        self._node.ask(request, as_whole(pulls, "pulls"))


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
class Measure:
    """Declares that runs are compared by a measurement of this name, as by regrets and costs: in tables,
    plots, flags and thresholds. better: "less", "more", or "neither", with which no algorithm is called
    the best."""

    help: str = ""
    unit: str = ""
    better: str = "neither"


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
    why_timers_decide_early
                     a sentence, if timers set with from_now=True are meant to evaluate, send or
                     finish while their node evaluates; else runs count and report such decisions
    order_matters    False, if it decides nothing in which order messages reach a FreeRole at one
                     instant; else chance orders them (see network.ties)
    forecast(parameters, clients, budget)
                     the most rounds, messages and bytes, as a dict
    measurements(outcome, parameters, clients)
                     Measurements of a run; outcome: a dict with rounds, messages, bytes, regrets, …
    measures         which of them runs are compared by: {"accuracy": posse.Measure(better="more")}
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
    why_timers_decide_early = ""
    order_matters = True
    forecast: Callable[..., dict[str, float]] | None = None
    measurements: Callable[..., list[Measurement]] | None = None
    measures: dict[str, Measure] = {}
