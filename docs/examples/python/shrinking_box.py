# SPDX-License-Identifier: Apache-2.0
# An algorithm of one's own in Python, beside Fed-PNE, while a client crashes and 5 % of the messages
# are lost. A server sends all clients a box of the domain; each draws a point of it, evaluates it
# `pulls` times, and answers with the mean; the next box is smaller, around the best point.
#   python3 shrinking_box.py            prints the comparison
#   python3 shrinking_box.py --serve    the same with a live page and metrics, slow enough to watch
import sys

import posse


class BoxToSearch(posse.Message):
    centre: list[float]
    size: float  # of its sides, in those of the domain


class PointFound(posse.Message):
    mean: float
    point: list[float]


class Server(posse.Server):
    answer = PointFound

    def on_start(self):
        self.size = 1.0
        self.rounds_left = self.budget // self.parameters["pulls"]
        self.ask(BoxToSearch([(a + b) / 2 for a, b in self.domain], 1.0), self.parameters["pulls"])

    def on_answers(self, answers):
        best = max(answers.values(), key=lambda found: found.mean)
        self.recommend(best.point)
        self.size *= self.parameters["shrink"]
        self.rounds_left -= 1
        if self.rounds_left > 0:
            self.ask(BoxToSearch(best.point, self.size), self.parameters["pulls"])
        else:
            self.finish()


class Client(posse.Client):
    def on_request(self, box):
        draws = [self.uniform(-0.5, 0.5) * box.size * (high - low) for low, high in self.domain]
        x = [min(b, max(a, c + u)) for c, u, (a, b) in zip(box.centre, draws, self.domain)]
        pulls = self.parameters["pulls"]
        return PointFound(self.pull(x, pulls) / pulls, x)


class ShrinkingBox(posse.Algorithm):
    kind = "shrinking-box"
    parameters = {"pulls": 20, "shrink": posse.Parameter(0.95, "next size", min=0.01, max=1)}
    messages = [BoxToSearch, PointFound]
    server, client = Server, Client


scenario = posse.Scenario(
    algorithm=[ShrinkingBox, "fed-pne"],
    population={"clients": 10},
    objective="garland",
    budget={"evaluations_per_client": 2000},
    network={"transport": "reliable", "latency": "50 ms", "loss": 0.05},
    fault={"kind": "crash", "nodes": ["client-3"], "at": "1 s", "for": "2 s"},
    seed=1,
    repeat=3,
)
if __name__ == "__main__":
    watch = {"serve": True, "metrics": True, "pace": 2} if "--serve" in sys.argv else {}
    print(scenario.run(**watch))
