# SPDX-License-Identifier: Apache-2.0
# An algorithm without rounds in which events decide who talks: clients share the arms of a bandit,
# play by upper confidence bounds, and tell the server what they have learnt when it has grown by a
# factor. The server answers with what all have told it. The event is that of the agents of Wang, Hu,
# Chen & Wang (2020, "Distributed bandit learning") and of He et al. (2022): the determinant of the
# information matrix, which for separate arms is the product of 1 + n over the arms.
#   python3 event_ucb.py
import math

import posse


class Learnt(posse.Message):
    counts: list[posse.uint32]  # by arm, since the message before
    sums: list[float]
    left: int  # evaluations that this client still makes


class Known(posse.Message):
    counts: list[posse.uint32]  # by arm, of all clients
    sums: list[float]


class Server(posse.FreeRole):
    def on_start(self):
        self.counts = [0] * self.parameters["arms"]
        self.sums = [0.0] * self.parameters["arms"]
        self.searching = set(range(1, self.clients + 1))

    def on_message(self, learnt, sender, round):
        add(self, learnt)
        self.recommend(arm(self, max(range(len(self.counts)), key=lambda k: self.counts[k])))
        if learnt.left > 0:
            return self.send(sender, Known(self.counts, self.sums))
        self.searching.discard(sender)
        if not self.searching:
            self.finish()

    def waiting(self):
        return posse.Waiting("what the clients have learnt", Learnt, sorted(self.searching))


class Client(posse.FreeRole):
    def on_start(self):
        arms = self.parameters["arms"]
        self.counts, self.sums = [0] * arms, [0.0] * arms  # known of all clients, and this one's
        self.new = self.nothing_new()
        self.asking = False  # a message is under way, or the answer to it
        self.play()

    def nothing_new(self):
        arms = self.parameters["arms"]
        return Learnt([0] * arms, [0.0] * arms, self.left)

    def play(self):
        total = sum(self.counts) + 1
        k = max(range(len(self.counts)), key=lambda k: upper_bound(self, k, total))
        reward = self.pull(arm(self, k))
        for kept in (self, self.new):
            kept.counts[k] += 1
            kept.sums[k] += reward
        self.new.left = self.left
        if self.left == 0:
            self.send(0, self.new)
            self.finish()
            return
        if not self.asking and growth(self) > self.parameters["growth"]:
            self.asking = True
            self.send(0, self.new)
            self.new = self.nothing_new()
        self.set_timer(1, 0)  # when the evaluation is done

    def on_timer(self, timer):
        self.play()

    def on_message(self, known, sender, round):
        self.asking = False
        self.counts, self.sums = list(known.counts), list(known.sums)
        add(self, self.new)


def add(role, learnt):
    role.counts = [a + b for a, b in zip(role.counts, learnt.counts)]
    role.sums = [a + b for a, b in zip(role.sums, learnt.sums)]


def arm(role, k):
    return [low + (k + 0.5) / role.parameters["arms"] * (high - low) for low, high in role.domain]


def upper_bound(role, k, total):
    n = role.counts[k]
    return role.sums[k] / n + 0.5 * math.sqrt(math.log(total) / n) if n else math.inf


def growth(client):
    ratios = ((1 + n) / (1 + n - new) for n, new in zip(client.counts, client.new.counts))
    return math.prod(ratios)


class EventUcb(posse.Algorithm):
    """Clients tell the server what they have learnt when it has grown by a factor."""

    kind = "event-ucb"
    source = "the event of Wang et al. 2020 and He et al. 2022, for separate arms"
    parameters = {"arms": 10, "growth": posse.Parameter(4.0, "of the information", min=1)}
    messages = [Learnt, Known]
    server, client = Server, Client


scenario = posse.Scenario(
    algorithm=[EventUcb, {"kind": "fed1-ucb", "arms_per_dimension": 10}],
    population={"clients": 10},
    objective="garland",
    budget={"evaluations_per_client": 1000},
    network={"transport": "reliable", "latency": "5 ms", "loss": 0.01},
    compute={"evaluation": "1 ms"},
    seed=1,
    repeat=5,
)
if __name__ == "__main__":
    print(scenario.run())
