# SPDX-License-Identifier: Apache-2.0
# An algorithm without a server and without rounds, in Python: each player evaluates a point, then tells
# a random other player the best one that it knows. Lost messages do no harm. Beside it: HCT at every
# player, without messages.
#   python3 gossip.py
import posse


class BestKnown(posse.Message):
    mean: float
    point: list[float]


class Player(posse.FreeRole):
    def on_start(self):
        self.best = BestKnown(float("-inf"), [(low + high) / 2 for low, high in self.domain])
        self.set_timer(1, 0)

    def on_timer(self, timer):
        # Around the best point, in a box that shrinks as the budget is spent.
        size = self.left / self.budget
        draws = [self.uniform(-0.5, 0.5) * size * (high - low) for low, high in self.domain]
        x = [min(b, max(a, c + u)) for c, u, (a, b) in zip(self.best.point, draws, self.domain)]
        pulls = min(self.parameters["pulls"], self.left)
        self.hear(BestKnown(self.pull(x, pulls) / pulls, x))
        other = int(self.uniform(0, self.clients - 1))
        self.send(other + (other >= self.node), self.best)
        if self.left > 0:
            self.set_timer(1, self.parameters["period"])  # after the evaluations
        else:
            self.finish()

    def on_message(self, message, sender, round):
        self.hear(message)

    def hear(self, known):
        if known.mean > self.best.mean:
            self.best = known
            self.recommend(known.point)


class Gossip(posse.Algorithm):
    """Players tell random others the best point that they know."""

    kind = "gossip-search"
    parameters = {"pulls": 10, "period": posse.Parameter(0.1, "between evaluations", "s", min=0)}
    messages = [BestKnown]
    player = Player


alone = {"kind": "hct", "placement": "local", "recommendation": "most-pulled"}
scenario = posse.Scenario(
    algorithm=[Gossip, alone | {"nu1": 1.4, "rho": 0.7071}],
    population={"clients": 8},
    objective="garland",
    budget={"evaluations_per_client": 500},
    network={"latency": "50 ms", "loss": 0.05},
    seed=1,
    repeat=5,
)
if __name__ == "__main__":
    print(scenario.run())
