# SPDX-License-Identifier: Apache-2.0
"""Posse: distributed bandit algorithms over a simulated, faulty network.

    import posse

    results = posse.run(posse.shipped_scenarios() / "quickstart.toml", set={"network.loss": 0.05})
    print(results)                       # the tables that the program prints
    results.runs["cumulative_regret"]    # a NumPy array
    results.runs.to_pandas()

    learner = posse.Learner("hct", domain=[[0, 1]], n=1000)
    x = learner.pull(1)
    learner.receive_reward(1, f(x))

The same scenario and seed give the same results as the program, bit for bit, on any number of
threads.
"""

from ._posse import FileError, ScenarioError, load_plugin
from ._posse import version as __version__
from .algorithms import (
    Algorithm,
    Client,
    FreeRole,
    Measure,
    Measurement,
    Message,
    Parameter,
    Server,
    Waiting,
    float32,
    uint8,
    uint16,
    uint32,
)
from .definitions import add_algorithm
from .learners import Learner, Objective, learner_kinds
from .results import Results, Table
from .scenario import Scenario, UserObjective, run, shipped_scenarios, sweep
from .sweeps import Comparison, Page, Sweep, compare, serve

__all__ = [
    "Algorithm",
    "Client",
    "Comparison",
    "FileError",
    "FreeRole",
    "Learner",
    "Measure",
    "Measurement",
    "Message",
    "Objective",
    "Page",
    "Parameter",
    "Results",
    "Scenario",
    "ScenarioError",
    "Server",
    "Sweep",
    "Table",
    "UserObjective",
    "Waiting",
    "__version__",
    "add_algorithm",
    "compare",
    "float32",
    "learner_kinds",
    "load_plugin",
    "run",
    "serve",
    "shipped_scenarios",
    "sweep",
    "uint16",
    "uint32",
    "uint8",
]
