# SPDX-License-Identifier: Apache-2.0
"""Roles in Python and time: what they know when, how runs end, what a crash does to timers."""

import heapq
import importlib.util
import math
import os
import unittest
import unittest.mock
from pathlib import Path

import posse

EXAMPLES = Path(os.environ["POSSE_SOURCE_DIR"]) / "docs/examples/python"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Note(posse.Message):
    x: float


class Quiet(posse.FreeRole):
    """A server that finishes at once, and hears nothing."""

    def on_start(self):
        self.finish()

    def on_message(self, message, sender, round):
        pass


def algorithm(client, server=Quiet, **members):
    given = {"kind": "test-free", "messages": [Note], "server": server, "client": client}
    return type("Tested", (posse.Algorithm,), given | members)


def star(client, server=Quiet, members=(), **sections):
    given = {
        "population": {"clients": 1},
        "objective": "garland",
        "budget": {"evaluations_per_client": 30},
        "network": {"latency": "5 ms"},
        "compute": {"evaluation": "1 ms"},
    }
    return posse.Scenario(algorithm=algorithm(client, server, **dict(members)), **(given | sections))


def run(*arguments, **sections):
    return star(*arguments, **sections).run(threads=1)


def early(results):
    return results.to_dict()["runs"][0]["early_decisions"]


class Steps(posse.FreeRole):
    """Evaluates one point after the other, and notes when."""

    times: list

    def step(self):
        self.times.append(round_ms(self.now))
        self.pull([0.5], 3)

    def on_start(self):
        type(self).times = []
        self.step()
        self.set_timer(1, 0)

    def on_timer(self, timer):
        self.step()
        if len(self.times) < 4:
            self.set_timer(1, 0.0005)


def round_ms(seconds):
    return round(seconds * 1e3, 6)


class Time(unittest.TestCase):
    def test_a_timer_counts_from_the_end_of_the_evaluations_before_it(self):
        class Timed(Steps):
            pass

        results = run(Timed)
        self.assertEqual(Timed.times, [0, 3, 6.5, 10])
        self.assertEqual(early(results), 0)
        self.assertNotIn("rest on were done", str(results))

    def test_from_now_counts_from_now_and_decisions_that_come_too_early_are_counted_and_told(self):
        class Trapped(Steps):
            def set_timer(self, timer, after):
                super().set_timer(timer, after, from_now=True)

        results = run(Trapped)
        self.assertEqual(Trapped.times, [0, 0, 0.5, 1])
        self.assertEqual(early(results), 3)
        self.assertIn("3 decisions were made before the evaluations that they rest on", str(results))
        meant = run(Trapped, members={"why_timers_decide_early": "it pulls ahead"})
        self.assertEqual((Trapped.times, early(meant)), ([0, 0, 0.5, 1], 0))
        with self.assertRaisesRegex(TypeError, "why_timers_decide_early is 3, not a str"):
            run(Trapped, members={"why_timers_decide_early": 3})

    def test_a_role_hears_what_arrives_while_it_evaluates_before_it_decides_again(self):
        log = []

        class Server(posse.FreeRole):
            def on_start(self):
                self.heard = 0

            def on_message(self, note, sender, round):
                log.append(("server", round_ms(self.now)))
                self.send(sender, Note(0))
                self.heard += 1
                if self.heard == 3:
                    self.finish()

        class Client(posse.FreeRole):
            def on_start(self):
                self.set_timer(1, 0)

            def on_timer(self, timer):
                self.pull([0.5], 1)
                if self.left % 10 == 0:
                    self.send(0, Note(self.now))
                if self.left:
                    self.set_timer(1, 0)
                else:
                    log.append(("last", round_ms(self.now)))
                    self.finish()

            def on_message(self, note, sender, round):
                log.append(("client", round_ms(self.now), self.left))

        results = run(Client, Server)
        # The answer to what was sent at 10 ms comes at 20 ms, with 10 evaluations left to make.
        expected = [("server", 15), ("client", 20, 10), ("server", 25), ("last", 29)]
        expected += [("client", 30, 0), ("server", 35)]  # the server has finished
        self.assertEqual(log, expected)
        self.assertEqual((results.runs["status"][0], early(results)), ("finished", 0))


class Ends(unittest.TestCase):
    def report(self, client, server, status="stalled", **sections):
        results = run(client, server, **sections)
        self.assertEqual(results.runs["status"][0], status)
        self.assertEqual(math.isnan(results.runs["virtual_s"][0]), status == "stalled")
        self.assertEqual(results.exit_code, {"stalled": 7, "finished": 0}[status])
        return results.runs["report"][0]

    class Sends(posse.FreeRole):
        def on_start(self):
            self.pull([0.5], 2)
            self.send(0, Note(1))
            self.finish()

    class WaitsForAll(posse.FreeRole):
        """Doesn't say so."""

        def on_message(self, message, sender, round):
            self.heard = getattr(self, "heard", 0) + 1
            if self.heard == self.clients:
                self.finish()

    LOST = {"latency": "5 ms", "drop": [{"from": "client-1"}]}

    def test_a_server_that_waits_for_a_lost_message_stalls_and_is_named(self):
        three = {"population": {"clients": 3}}
        self.report(self.Sends, self.WaitsForAll, "finished", **three)
        report = self.report(self.Sends, self.WaitsForAll, network=self.LOST, **three)
        self.assertIn(
            "server has not finished, and does not say what it waits for; it last received Note of "
            "round 1 from client-0 at 0.007 s, and sent nothing\n"
            "    lost: Note of round 1 from client-1 to server, sent at 0.002 s (loss)\n",
            report,
        )
        for threads in (2, 3):
            again = star(self.Sends, self.WaitsForAll, network=self.LOST, **three).run(threads=threads)
            self.assertEqual(again.runs["report"][0], report)

    def test_a_role_says_what_it_waits_for(self):
        def server(given):
            return type("Says", (self.WaitsForAll,), {"waiting": lambda self: given})

        def report(given):
            return self.report(
                self.Sends, server(given), population={"clients": 3}, network=self.LOST
            )

        lost = "\n    lost: Note of round 1 from client-1 to server, sent at 0.002 s (loss)\n"
        self.assertIn("server has waited for all since 0.007 s\n", report("all"))
        given = posse.Waiting("the notes", Note, [1, 3, 2])
        self.assertIn(
            "server has waited for the notes from client-0, client-1, client-2 since 0.007 s" + lost,
            report(given),
        )
        self.assertIn(lost, report(posse.Waiting("it", nodes=[2], round=1)))
        self.assertNotIn("lost:", report(posse.Waiting("it", nodes=[2], round=2)))
        self.assertIn("does not say", report(None))
        for wrong, text in ((3, "3 is not a text or a posse.Waiting"), (posse.Waiting("it", nodes=[9]), "no node 9")):
            told = report(wrong)
            self.assertIn("server has waited for something, but its waiting", told)
            self.assertIn(text, told)

    def test_every_player_has_to_finish(self):
        class Player(posse.FreeRole):
            def on_start(self):
                if self.node != 1:
                    self.finish()

        mesh = type("Mesh", (posse.Algorithm,), {"kind": "test-mesh-end", "player": Player})
        results = posse.Scenario(
            algorithm=mesh,
            population={"clients": 3},
            objective="garland",
            budget={"evaluations_per_client": 5},
            network={"latency": "5 ms"},
        ).run()
        self.assertEqual(results.exit_code, 7)
        self.assertIn("player-1 has not finished", results.runs["report"][0])

    def test_a_client_that_waits_when_the_server_has_finished_is_cut_off(self):
        class Waits(posse.FreeRole):
            def waiting(self):
                return "ever"

        self.report(Waits, Quiet, "finished")


class Crashes(unittest.TestCase):
    CRASH = {"kind": "crash", "nodes": ["client-0"], "at": "5 ms", "for": "3 ms"}

    def fired(self, **members):
        fired = []

        class Timers(posse.FreeRole):
            def on_start(self):
                for timer, after in ((1, 0.002), (2, 0.006), (3, 0.02)):
                    self.set_timer(timer, after)

            def on_timer(self, timer):
                fired.append((timer, round_ms(self.now)))

        client = type("Client", (Timers,), members)
        results = run(client, fault=self.CRASH, members={"clients_can_lose_state": True})
        self.assertEqual(results.runs["status"][0], "finished")
        return fired

    def test_timers_go_on_after_a_crash_for_the_time_that_was_left_of_them(self):
        self.assertEqual(self.fired(), [(1, 2), (2, 9), (3, 23)])

    def test_a_role_with_an_on_restart_of_its_own_sets_its_timers_by_itself(self):
        self.assertEqual(self.fired(on_restart=lambda self: self.set_timer(7, 0)), [(1, 2), (7, 8)])

        def both(self):
            posse.FreeRole.on_restart(self)
            self.set_timer(7, 0.0005)

        self.assertEqual(self.fired(on_restart=both), [(1, 2), (7, 8.5), (2, 9), (3, 23)])

    def test_a_role_that_lost_its_state_has_no_timers(self):
        lost = self.CRASH | {"state": "lost"}
        with unittest.mock.patch.object(self, "CRASH", lost):
            self.assertEqual(self.fired(), [(1, 2)])


def garland(x):
    return x * (1 - x) * (4 - math.sqrt(abs(math.sin(60 * x))))


GARLAND_MAXIMUM = 0.997772391161144535


def event_ucb_without_posse(latencies, arms, pulls, growth, evaluation):
    """The regret and the number of messages of docs/examples/python/event_ucb.py without noise and
    loss, by a loop over events: times in nanoseconds, latencies by client."""
    value = [garland((k + 0.5) / arms) for k in range(arms)]
    clients = range(len(latencies))
    known = [[0] * arms for _ in clients]
    new = [[0] * arms for _ in clients]
    left, asking = [pulls for _ in clients], [False for _ in clients]
    total = [0] * arms
    events = [(0, client, "play", None) for client in clients]
    regret = messages = 0

    def index(client, k):
        n, all_pulls = known[client][k], sum(known[client]) + 1
        return value[k] + 0.5 * math.sqrt(math.log(all_pulls) / n) if n else math.inf

    while events:
        now, client, what, counts = heapq.heappop(events)
        if what == "play":
            k = max(range(arms), key=lambda k: index(client, k))
            regret += GARLAND_MAXIMUM - value[k]
            known[client][k] += 1
            new[client][k] += 1
            left[client] -= 1
            done = now + evaluation
            grown = math.prod((1 + n) / (1 + n - m) for n, m in zip(known[client], new[client]))
            if left[client] == 0 or (not asking[client] and grown > growth):
                messages += 1
                asking[client] = True
                arrival = done + latencies[client]
                heapq.heappush(events, (arrival, client, "tell", new[client]))
                new[client] = [0] * arms
            if left[client] > 0:
                heapq.heappush(events, (done, client, "play", None))
            else:
                asking[client] = None  # it has finished
        elif what == "tell":
            total = [a + b for a, b in zip(total, counts)]
            last = asking[client] is None and not any(
                other[1:3] == (client, "tell") for other in events
            )
            if not last:
                messages += 1
                heapq.heappush(events, (now + latencies[client], client, "hear", total))
        elif asking[client]:
            asking[client] = False
            known[client] = [a + b for a, b in zip(counts, new[client])]
    return regret / len(latencies), messages


class EventTriggered(unittest.TestCase):
    CLIENTS, ARMS, PULLS = 10, 10, 500

    def results(self, algorithm, **sections):
        links = [
            {"from": a, "to": b, "latency": f"{5 + 0.07 * i} ms"}
            for i in range(self.CLIENTS)
            for a, b in ((f"client-{i}", "server"), ("server", f"client-{i}"))
        ]
        given = {
            "population": {"clients": self.CLIENTS},
            "objective": {"kind": "garland", "noise": {"kind": "none"}},
            "budget": {"evaluations_per_client": self.PULLS},
            "network": {"link": links},
            "compute": {"evaluation": "1 ms"},
            "seed": 1,
        }
        return posse.Scenario(algorithm=algorithm, **(given | sections)).run()

    def test_the_example_does_what_a_loop_without_posse_does(self):
        event_ucb = example("event_ucb").EventUcb
        for growth in (1.7, 3.7, 30.3):
            with self.subTest(growth=growth):
                results = self.results({"kind": event_ucb, "growth": growth})
                latencies = [5_000_000 + 70_000 * i for i in range(self.CLIENTS)]
                regret, messages = event_ucb_without_posse(
                    latencies, self.ARMS, self.PULLS, growth, 1_000_000
                )
                self.assertEqual(results.exit_code, 0, results)
                self.assertEqual(results.runs["messages"][0], messages)
                self.assertAlmostEqual(results.runs["cumulative_regret"][0], regret, places=6)
                self.assertEqual(early(results), 0)

    def test_with_timers_that_count_from_now_its_clients_learn_alone_and_the_run_says_so(self):
        event_ucb = example("event_ucb").EventUcb

        class Client(event_ucb.client):
            def set_timer(self, timer, after):
                super().set_timer(timer, after, from_now=True)

        trapped = type("Trapped", (event_ucb,), {"kind": "event-ucb-trapped", "client": Client})
        good, bad = self.results(event_ucb), self.results(trapped)
        # Every step but the first, of all clients.
        self.assertEqual(early(bad), self.CLIENTS * (self.PULLS - 1))
        self.assertIn("4990 decisions were made before", str(bad))
        self.assertGreater(bad.runs["cumulative_regret"][0], good.runs["cumulative_regret"][0] + 5)

    def test_the_gossip_of_the_examples_is_not_in_the_trap_when_evaluations_take_longer(self):
        gossip = example("gossip").scenario
        results = posse.run(gossip, set={"compute.evaluation": "20 ms", "repeat": 1})
        self.assertEqual((results.exit_code, early(results)), (0, 0))


if __name__ == "__main__":
    unittest.main()
