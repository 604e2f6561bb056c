# SPDX-License-Identifier: Apache-2.0
"""Scenarios: what is run, on which objective, over which network."""

from __future__ import annotations

import contextlib
import copy
import inspect
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _posse
from .algorithms import Algorithm
from .definitions import add_algorithm, definitions, sweep_goes_on
from .progress import Progress
from .results import Results
from .sweeps import Sweep

PathLike = Union[str, "os.PathLike[str]"]
Keys = Union[Mapping[str, Any], None]
Wanted = Union[str, Callable[[int, int, float, float], Any], None]


class UserObjective:
    """A function of Python's as the objective of scenarios.

    f         a function of a list of coordinates; with batched=True, of an array of shape
              (k, dimension), which returns k values. It must depend on its argument alone.
    domain    a list of [low, high] per dimension
    maximum   its largest value, which regrets refer to; None: the best that a short search finds

    Scenario(objective=UserObjective(f, [[0, 1]]), …). Clients may differ from it as from any objective:
    objective={"function": UserObjective(f, [[0, 1]]), "heterogeneity": {"kind": "shift"}}. Every
    point is evaluated once. Run folders name the function by a number: only this program can
    run them again.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        domain: Sequence[Sequence[float]],
        *,
        maximum: float | None = None,
        batched: bool = False,
    ) -> None:
        self.f = f
        self.domain = domain
        self._number = _posse.add_function(f, domain, maximum, batched)

    # The function has one number, in this object alone.
    def __copy__(self) -> UserObjective:
        return self

    def __deepcopy__(self, memo: object) -> UserObjective:
        return self

    def __del__(self):
        if hasattr(self, "_number"):
            _posse.remove_function(self._number)


class Scenario:
    """A scenario from a file, from text, or from keyword arguments.

    Scenario("quickstart.toml")
    Scenario(algorithm=["fed-pne", {"kind": "parallel", "label": "mesh"}],
             population={"clients": 10}, objective="garland",
             budget={"evaluations_per_client": 1000},
             network={"latency": "50 ms", "loss": 0.02}, seed=1, repeat=5)

    Keyword arguments are the sections and keys of a scenario file (docs/scenario.md): a section is
    a dict, a list of sections a list of dicts, and one with nothing but its kind a str. An
    objective may be a UserObjective, an algorithm or its kind an Algorithm of yours.
    Files that a scenario names are looked for beside its file, or in `folder`.
    """

    # Sections of which there may be several: [[algorithm]], …
    _LISTS = ("algorithm", "arm", "fault")

    def __init__(
        self,
        file: PathLike | None = None,
        *,
        toml: str | None = None,
        folder: PathLike = ".",
        **sections: Any,
    ) -> None:
        if (file is not None) + (toml is not None) + bool(sections) != 1:
            raise TypeError("Scenario takes a file, toml=…, or sections as keyword arguments")
        # What it names by a number or a kind, as long as it lives.
        self._functions: list[UserObjective] = []
        self._algorithms: dict[str, type[Algorithm]] = {}
        if file is not None:
            self._experiment = _posse.Experiment.load(os.fspath(file))
        elif toml is not None:
            self._experiment = _posse.Experiment.parse(toml, os.fspath(folder))
        else:
            sections.setdefault("name", "scenario")
            tree = {key: self._section(key, value) for key, value in sections.items()}
            self._experiment = _posse.Experiment.build(tree, os.fspath(folder))

    def _section(self, key, value):
        if key in self._LISTS:
            parts = value if isinstance(value, (list, tuple)) else [value]
            return [self._part(part) for part in parts]
        if key == "objective":
            return self._objective(value)
        return value

    def _part(self, value):
        """A section of several: a dict, a kind, or an Algorithm, alone or as the kind in a dict."""
        part = value if isinstance(value, dict) else {"kind": value}
        kind = part.get("kind")
        if not inspect.isclass(kind):
            return part
        name = add_algorithm(kind).kind
        if self._algorithms.setdefault(name, kind) is not kind:
            raise ValueError(f"two algorithms of the scenario have the kind {name!r}")
        return part | {"kind": name}

    def _define(self):
        """Its algorithms are those that their kinds mean, whoever has used the kinds meanwhile. Call
        it with the lock, and read the scenario before giving it back."""
        for algorithm in self._algorithms.values():
            add_algorithm(algorithm)

    def _objective(self, value):
        if isinstance(value, str):
            return {"kind": value}
        if isinstance(value, UserObjective):
            value = {"function": value}
        function = value.get("function")
        if isinstance(function, UserObjective):
            self._functions.append(function)
            return value | {"kind": "python", "function": function._number}
        return value

    def set(self, key: str, value: Any) -> Scenario:
        """Sets a key, such as "network.loss"; None removes it. Returns the scenario."""
        if key == "algorithm":
            self._algorithms = {}
        if key in self._LISTS or key == "objective":
            value = self._section(key, value) if value is not None else None
        self._experiment.set(key, value)
        return self

    def check(self) -> None:
        """Raises ScenarioError, with all mistakes, if it can't be run."""
        with definitions:
            self._define()
            self._experiment.check()

    def to_toml(self) -> str:
        """The scenario as text."""
        return self._experiment.toml()

    def copy(self) -> Scenario:
        """An independent scenario that is equal now."""
        twin = copy.copy(self)
        twin._experiment = self._experiment.copy()
        twin._functions = list(self._functions)
        twin._algorithms = dict(self._algorithms)
        return twin

    def run(
        self,
        *,
        threads: int = 0,
        trace: str = "none",
        progress: Wanted = "auto",
        serve: bool | str | None = None,
        metrics: bool | str | None = None,
        pace: float = 0,
    ) -> Results:
        """Runs all algorithms and repetitions: see posse.run."""
        page, scrapes = _address(serve, 8470), _address(metrics, 9464)
        threads = _threads(threads)
        if not isinstance(trace, str):
            raise TypeError(f"trace is {trace!r}, allowed: 'none', 'messages', 'all'")
        with definitions:
            self._define()
            prepared = self._experiment.prepare()
        with Progress(progress) as told:
            return Results(prepared.run(threads, trace, told, page, scrapes, pace))

    def sweep(
        self,
        store: PathLike | None = None,
        *,
        threads: int = 0,
        progress: Wanted = "auto",
        serve: bool | str | None = None,
    ) -> Sweep:
        """Runs every setting of the section sweep: see posse.sweep."""
        page, threads = _address(serve, 8470), _threads(threads)
        with contextlib.ExitStack() as stack:
            with definitions:
                self._define()
                prepared = self._experiment.prepare_sweep()
                stack.enter_context(sweep_goes_on())
            told = stack.enter_context(Progress(progress))
            if store is None:
                store = tempfile.mkdtemp(prefix="posse-sweep-")
            os.makedirs(store, exist_ok=True)
            results = prepared.run(os.fspath(store), threads, told, page)
        return Sweep(results)

    def fates(
        self,
        networks: int = 100,
        *,
        seed: int = 0,
        jobs: int = 1,
        out: PathLike | None = None,
        progress: Wanted = "auto",
    ) -> dict[str, Any]:
        """Puts each algorithm into random faulty networks, and checks what must hold in every run.

        networks   how many, for each algorithm; drawn from seed, seed + 1, …
        jobs       networks at a time; algorithms in Python share the interpreter lock
        out        directory of counterexamples (default: a temporary one)

        Returns what `posse fates FILE --random N --json` prints: "violations" is empty if nothing
        was found, else it has the violated properties with small counterexamples; "not_checked" has
        the properties that the algorithms need not have, with the reason.
        """
        for name, value, least, most in (
            ("networks", networks, 1, 2**32 - 1),
            ("seed", seed, 0, 2**63 - 1),
            ("jobs", jobs, 1, 1024),
        ):
            if not isinstance(value, int) or not least <= value <= most:
                raise ValueError(f"{name} is {value!r}, allowed: {least} to {most}")
        with definitions:
            self._define()
            prepared = self._experiment.prepare_fates()
        if out is None:
            out = tempfile.mkdtemp(prefix="posse-fates-")
        with Progress(progress) as told:
            return json.loads(prepared.run(networks, seed, jobs, os.fspath(out), told))

    def __repr__(self):
        return f"<posse.Scenario\n{self.to_toml()}>"


def shipped_scenarios() -> Path:
    """The folder of the scenarios that come with Posse, as a pathlib.Path."""
    return Path(os.environ.get("POSSE_SCENARIOS") or Path(_posse.data_folder(), "scenarios"))


def _address(wanted, port):
    """None or False: no address; True: the usual one."""
    if wanted is None or wanted is False:
        return ""
    if not isinstance(wanted, (bool, str)):
        raise TypeError(f"{wanted!r} is no address; allowed: True, or '127.0.0.1:{port}'")
    return f"127.0.0.1:{port}" if wanted is True else wanted


def _threads(wanted):
    most = 4096
    if not isinstance(wanted, int) or not 0 <= wanted <= most:
        raise ValueError(f"threads is {wanted!r}, allowed: 0 to {most}; 0 is one per core")
    return wanted


def _with(scenario: Scenario | PathLike, set: Keys) -> Scenario:
    if not isinstance(scenario, Scenario):
        scenario = Scenario(scenario)
    if set:
        scenario = scenario.copy()
        for key, value in set.items():
            scenario.set(key, value)
    return scenario


def run(
    scenario: Scenario | PathLike,
    set: Keys = None,
    *,
    threads: int = 0,
    trace: str = "none",
    progress: Wanted = "auto",
    serve: bool | str | None = None,
    metrics: bool | str | None = None,
    pace: float = 0,
) -> Results:
    """Runs a scenario and returns its Results.

    scenario   a Scenario, or the path of a scenario file
    set        keys to change first: {"network.loss": 0.05, "repeat": 20}
    threads    0: one per core; results don't depend on it
    trace      "messages" or "all" keep what the program keeps with --trace
    progress   "auto": a line in notebooks and on terminals; None; or a function of (runs, ended,
               evaluations, expected evaluations), which stops the runs by returning False
    serve      True, or an address such as "127.0.0.1:8470": the live page while the runs go on
    metrics    the same for Prometheus' metrics ("127.0.0.1:9464")
    pace       virtual seconds per second, to watch; 0: as fast as possible

    The interpreter lock is released meanwhile; Ctrl-C stops the runs. Raises ScenarioError, with all
    mistakes, if the scenario is wrong. What happens to a run is in the results.
    """
    return _with(scenario, set).run(
        threads=threads, trace=trace, progress=progress, serve=serve, metrics=metrics, pace=pace
    )


def sweep(
    scenario: Scenario | PathLike,
    set: Keys = None,
    store: PathLike | None = None,
    *,
    threads: int = 0,
    progress: Wanted = "auto",
    serve: bool | str | None = None,
) -> Sweep:
    """Runs every setting of a scenario's section sweep, and returns a Sweep.

    scenario   a Scenario with sweep={"network.loss": [0, 0.05, 0.1]}, or the path of a file
    set        keys to change first
    store      a folder that keeps the runs: those that it has are not made again. None: a new
               temporary folder. With a function or an algorithm in Python it must be new
    threads    0: one per core; results don't depend on it
    progress   as in posse.run; a function gets (runs, ended, 0, 0)
    serve      True, or an address: a page of the sweep while it goes on
    """
    return _with(scenario, set).sweep(store, threads=threads, progress=progress, serve=serve)
