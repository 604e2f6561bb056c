# SPDX-License-Identifier: Apache-2.0
"""Distributed algorithms in Python: messages, roles, what runs make of them."""

import contextlib
import dataclasses
import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request
from pathlib import Path

import posse

EXAMPLES = Path(os.environ["POSSE_SOURCE_DIR"]) / "docs/examples/python"
EXAMPLE = EXAMPLES / "shrinking_box.py"
LATENCY = 0.05


def example(path=EXAMPLE):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Question(posse.Message):
    number: int


class Reply(posse.Message):
    sum: float
    number: int


class Asker(posse.Server):
    answer = Reply

    def on_start(self):
        self.heard = []
        self.ask(Question(1), self.parameters["pulls"])

    def on_answers(self, answers):
        self.heard.append(sorted(answers))
        self.recommend([0.25])
        if len(self.heard) == self.budget // self.parameters["pulls"]:
            self.count("answers", sum(len(clients) for clients in self.heard))
            self.finish()
        else:
            self.ask(Question(len(self.heard) + 1), self.parameters["pulls"])


class Answerer(posse.Client):
    def on_request(self, question):
        return Reply(self.pull([0.25], self.parameters["pulls"]), question.number)


def algorithm(**members):
    usual = {
        "kind": "test-rounds",
        "messages": [Question, Reply],
        "server": Asker,
        "client": Answerer,
        "parameters": {"pulls": 10},
    }
    return type("Tested", (posse.Algorithm,), usual | members)


def scenario(tested, **sections):
    given = dict(
        algorithm=tested,
        population={"clients": 4},
        objective="garland",
        budget={"evaluations_per_client": 100},
        network={"latency": f"{LATENCY} s"},
        seed=1,
    )
    return posse.Scenario(**(given | sections))


def report_of(tested, **sections):
    results = scenario(tested, **sections).run(progress=None)
    return results.runs["status"][0], results.runs["report"][0]


class Algorithms(unittest.TestCase):
    def test_counts_bytes_time_and_regret_are_those_of_the_formulas(self):
        results = scenario(algorithm()).run()
        run = {name: results.runs[name][0] for name in results.runs}
        rounds, clients = 10, 4
        garland = posse.Objective("garland")
        self.assertEqual(run["status"], "finished")
        self.assertEqual(run["rounds"], rounds)
        self.assertEqual(run["messages"], 2 * rounds * clients)
        self.assertEqual(run["payload_bytes"], rounds * clients * (8 + 16))
        self.assertAlmostEqual(run["virtual_s"], rounds * 2 * LATENCY)
        gap = garland.fmax - garland([0.25])
        self.assertAlmostEqual(run["cumulative_regret"], 100 * gap, places=9)
        self.assertAlmostEqual(run["simple_regret"], gap, places=12)
        self.assertEqual(list(results.rounds["evaluations_per_client"]), list(range(10, 101, 10)))
        self.assertEqual(set(results.rounds["arrived"]), {4.0})

    def test_the_example_gives_the_same_bits_on_any_number_of_threads_under_faults(self):
        shrinking = example().scenario
        one = shrinking.run(threads=1)
        self.assertEqual(one.exit_code, 0)
        self.assertEqual(shrinking.run(threads=5).fingerprint, one.fingerprint)
        faults = one.to_dict()["runs"][0]
        self.assertGreater(sum(account["dropped"]["crash"] for account in faults["ledger"]), 0)

    def test_the_example_has_about_thirty_lines(self):
        text = EXAMPLE.read_text()
        defined = text[text.index("class BoxToSearch") : text.index("scenario = ")]
        self.assertLessEqual(sum(bool(line.strip()) for line in defined.splitlines()), 32)

    def test_page_and_metrics_are_served_while_it_runs(self):
        seen = {}

        def look(*_):
            for name, url in re.findall(r"(page|metrics): (\S+)", said.getvalue()):
                if name not in seen:
                    seen[name] = urllib.request.urlopen(url.split("#")[0]).read().decode()
            return len(seen) < 2

        with contextlib.redirect_stderr(io.StringIO()) as said:
            example().scenario.run(
                progress=look, serve="127.0.0.1:0", metrics="127.0.0.1:0", pace=10
            )
        self.assertIn("<title>", seen["page"])
        self.assertIn('algorithm="shrinking-box"', seen["metrics"])

    def test_a_quorum_goes_on_without_a_client_and_all_waits_for_it(self):
        down = {"kind": "crash", "nodes": ["client-2"], "at": "0.2 s", "for": "1 h"}
        status, report = report_of(algorithm(), fault=down)
        self.assertEqual(status, "stalled")
        self.assertIn("server has waited for Reply of round", report)
        results = scenario(algorithm(), fault=down, server={"policy": "quorum", "quorum": 3}).run()
        self.assertEqual(results.runs["status"][0], "finished")
        self.assertEqual(results.rounds["arrived"][-1], 3)

    def test_the_example_violates_nothing_in_random_networks(self):
        shrinking = example().scenario.copy()
        shrinking.set("budget.evaluations_per_client", 60)
        report = shrinking.fates(12, jobs=2, progress=None)
        self.assertEqual(report["networks"], 2 * 12)  # beside Fed-PNE
        self.assertEqual(report["violations"], [])
        self.assertGreater(report["features"]["dropped by loss"], 0)
        why = {entry["property"]: entry["why"] for entry in report["not_checked"]}
        self.assertIn("shrinking-box", why["faults change no decision"])

    def test_random_networks_find_state_that_runs_share(self):
        answered = []

        class Forgetful(Answerer):
            def on_request(self, question):
                answered.append(question.number)
                reply = super().on_request(question)
                return Reply(reply.sum + 1e-6 * len(answered), reply.number)

        class Average(Asker):
            def on_answers(self, answers):
                sums = [answer.sum for answer in answers.values()]
                self.recommend([min(1, max(0, sum(sums) / len(sums) / 10))])
                super().on_answers(answers)

        tested = scenario(algorithm(kind="test-shared", client=Forgetful, server=Average))
        with tempfile.TemporaryDirectory() as out:
            report = tested.fates(3, seed=4, out=out, progress=None)
            names = {found["property"] for found in report["violations"]}
            self.assertIn("every kernel and number of threads gives the same run", names)
            for found in report["violations"]:
                self.assertIn('kind = "test-shared"', Path(found["counterexample"]).read_text())

    def test_wrong_numbers_of_random_networks_are_refused(self):
        tested = scenario(algorithm())
        for wrong in ({"networks": 0}, {"seed": -1}, {"jobs": 0}, {"jobs": 1.5}):
            name = next(iter(wrong))
            with self.assertRaisesRegex(ValueError, f"^{name} is .*, allowed: "):
                tested.fates(**wrong)

    def test_what_a_role_raises_fails_the_run_with_its_text(self):
        def failing(on_request):
            return algorithm(client=type("Failing", (posse.Client,), {"on_request": on_request}))

        def sends(make):
            return failing(lambda self, question: make())

        class Unlisted(posse.Message):
            x: int

        cases = [
            (failing(lambda self, question: [][1]), "IndexError"),
            (failing(lambda self, question: self.pull([2.0])), "is not in the domain"),
            (failing(lambda self, question: self.pull([0.5], 101)), "101 evaluations"),
            (failing(lambda self, question: self._node.send(3, Question(1), 1)), "no link to node 3"),
            (sends(lambda: Reply("much", 1)), "Reply.sum is 'much', not a number"),
            (sends(lambda: Reply(1, -1)), "Reply.number is -1"),
            (sends(lambda: Reply(1, 2**64)), "its type holds 0 to"),
            (sends(lambda: Reply(1, 1.5)), "Reply.number is 1.5, not a whole number"),
            (sends(lambda: Unlisted(1)), "the server's answer is Reply"),
            (sends(lambda: Question(1)), "the server's answer is Reply"),
            (sends(lambda: "hello"), "'hello' is returned, but the server's answer is Reply"),
            (failing(lambda self, question: self.pull([0.5], -1)), "count is -1, allowed: 0 to"),
            (failing(lambda self, question: self.pull(0.5)), "the point is 0.5, not a list"),
        ]
        for tested, text in cases:
            with self.subTest(text):
                status, report = report_of(tested)
                self.assertEqual(status, "failed")
                self.assertIn("client-0 failed", report)
                self.assertIn(text, report)

    def test_a_role_can_act_only_when_it_is_called(self):
        class Early(Answerer):
            def __init__(self):
                self.pull([0.5])

        self.assertIn("while one of its methods is called", report_of(algorithm(client=Early))[1])
        kept = []

        class Keeps(Answerer):
            def on_start(self):
                kept.append(self)

        scenario(algorithm(client=Keeps)).run(threads=1)
        with self.assertRaises(RuntimeError):
            kept[0].pull([0.5])
        self.assertEqual((kept[0].budget, kept[0].clients), (100, 4))

        class Stays(posse.FreeRole):
            def on_start(self):
                kept.insert(0, self)
                self.finish()

        mesh = {"server": None, "client": None, "player": Stays, "kind": "test-kept"}
        scenario(algorithm(**mesh)).run(threads=1)
        for act in (
            lambda role: role.broadcast(Question(1)),
            lambda role: role.send(1, Question(1)),
            lambda role: role.set_timer(1, 1),
            lambda role: role.now,
            lambda role: role.finish(),
        ):
            with self.assertRaises(RuntimeError):
                act(kept[0])

    def test_another_thread_can_not_act_for_a_role(self):
        caught = []

        def elsewhere(role):
            try:
                role.pull([0.5])
            except RuntimeError as problem:
                caught.append(str(problem))

        class Threads(Answerer):
            def on_request(self, question):
                thread = threading.Thread(target=elsewhere, args=(self,))
                thread.start()
                thread.join()
                return super().on_request(question)

        self.assertEqual(scenario(algorithm(client=Threads)).run().exit_code, 0)
        self.assertEqual(len(caught), 40)
        self.assertIn("in that thread", caught[0])

    def test_leaving_python_stops_the_runs_of_its_threads(self):
        program = f"""
import sys, threading, time
sys.path.insert(0, {str(EXAMPLE.parent)!r})
import shrinking_box
class Sleeps(shrinking_box.Client):
    def on_request(self, box):
        time.sleep(0.001)
        return super().on_request(box)
class Slow(shrinking_box.ShrinkingBox):
    client = Sleeps
scenario = shrinking_box.posse.Scenario(
    algorithm=Slow, population={{"clients": 10}}, objective="garland",
    budget={{"evaluations_per_client": 2_000_000}}, network={{"latency": "50 ms"}},
)
threading.Thread(target=scenario.run, kwargs={{"progress": None}}, daemon=True).start()
time.sleep(0.3)
"""
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_definitions_with_mistakes_are_refused_with_what_is_wrong(self):
        class NoAnswer(posse.Server):
            pass

        class Free(posse.FreeRole):
            pass

        cases = [
            (dict(kind=3), TypeError, "kind is missing"),
            (dict(kind="fed-pne"), ValueError, "already an algorithm named 'fed-pne'"),
            (dict(client=None), TypeError, "client is None"),
            (dict(server=NoAnswer), TypeError, "has no answer"),
            (dict(kind="a b"), ValueError, "kind is 'a b'"),
            (dict(messages=Question), TypeError, "not a list of classes"),
            (dict(messages=[Question, Reply, Reply]), ValueError, "has a name twice"),
            (dict(forecast=3), TypeError, "forecast is 3, not a function"),
            (dict(parameters={"a b": 1}), ValueError, "is to be named by a word"),
            (dict(parameters={"kind": 1}), ValueError, "that every algorithm's section has"),
            (dict(parameters={"a": None}), TypeError, "'a' is None, not a list of numbers"),
            (dict(parameters={"a": posse.Parameter(5, min=10)}), ValueError, "not from 10.0 to None"),
            (
                dict(parameters={"a": posse.Parameter("x", choices=("y",))}),
                ValueError,
                "not one of its choices",
            ),
            (dict(server=Free), TypeError, "go together"),
            (dict(player=Free), TypeError, "a player beside"),
            (dict(messages=[Question]), ValueError, "`answer` is not one of"),
            (dict(messages=[Question, Reply, int]), TypeError, "not a class made from posse.Message"),
        ]
        for members, error, text in cases:
            with self.subTest(text), self.assertRaisesRegex(error, text):
                scenario(algorithm(**members))
        with self.assertRaisesRegex(TypeError, "Wrong.x has the type <class 'str'>"):

            class Wrong(posse.Message):
                x: str

        taken = type("LocalMeans", (posse.Message,), {"__annotations__": {"x": float}})
        with self.assertRaisesRegex(ValueError, "has a message named 'LocalMeans'.*rename it"):
            scenario(algorithm(messages=[Question, Reply, taken]))

    def test_parameters_are_checked_like_those_of_posse(self):
        tested = algorithm(
            parameters={"pulls": posse.Parameter(10, min=1, max=50), "mode": "a", "on": True, "xs": [1.0]}
        )
        seen = []

        class Tells(Answerer):
            def on_start(self):
                seen.append(self.parameters)

        tested.client = Tells
        scenario({"kind": tested, "pulls": 20, "xs": [1, 2]}).run(threads=1)
        self.assertEqual(seen[0], {"pulls": 20, "mode": "a", "on": True, "xs": [1.0, 2.0]})
        with self.assertRaisesRegex(posse.ScenarioError, "pulls"):
            scenario({"kind": tested, "pulls": 51}).check()
        with self.assertRaisesRegex(posse.ScenarioError, "did you mean 'pulls'|pulls"):
            scenario({"kind": tested, "pull": 5}).check()

    def test_a_class_that_is_defined_again_takes_the_place_of_the_first(self):
        first = scenario(algorithm(kind="test-again"))
        before = first.run().runs["messages"][0]

        class Talkative(posse.Message):
            number: int

        class AsksMore(Asker):
            def on_start(self):
                self.heard = []
                self.ask(Talkative(1), 10)

        class AnswersMore(Answerer):
            def on_request(self, question):
                return Reply(self.pull([0.75], 10), question.number)

        again = scenario(
            algorithm(kind="test-again", server=AsksMore, client=AnswersMore,
                      messages=[Question, Reply, Talkative])
        )  # fmt: skip
        self.assertEqual(again.run().runs["messages"][0], before)
        types = [a["type"] for a in first.run().to_dict()["runs"][0]["ledger"]]
        self.assertEqual(types, ["Question", "Reply"], "a scenario keeps its own class")
        swept = first.copy().set("sweep", {"network.latency": ["10 ms", "20 ms"]})
        redefined = []

        def redefine(*_):
            try:
                posse.add_algorithm(algorithm(kind="test-again", parameters={"pulls": 20}))
            except RuntimeError as problem:
                redefined.append(str(problem))

        self.assertEqual(swept.sweep(progress=redefine).failed, 0, "whoever had the kind before")
        self.assertIn("while a sweep goes on", redefined[0])
        with self.assertRaisesRegex(ValueError, "two algorithms of the scenario have the kind"):
            scenario([algorithm(), {"kind": algorithm(client=AnswersMore), "label": "b"}])
        changed = scenario("fed-pne").set("algorithm", [algorithm(kind="test-set")])
        self.assertEqual(changed.run().exit_code, 0)
        self.assertIn("Talkative", [a["type"] for a in again.run().to_dict()["runs"][0]["ledger"]])

    def test_runs_are_compared_by_declared_measures_like_by_all_others(self):
        class Counts(posse.Algorithm):
            kind = "test-counts"
            messages, server, client = [Question, Reply], Asker, Answerer
            parameters = {"pulls": 10}
            measures = {"useful": posse.Measure("twice the pulls", unit="%", better="more")}

            def measurements(outcome, parameters, clients):
                return [posse.Measurement("useful", 2 * parameters["pulls"] + outcome["simple_regret"])]

        def with_pulls(label, pulls):
            return {"kind": "test-counts", "label": label, "pulls": pulls}

        posse.add_algorithm(Counts)
        tested = scenario(
            [with_pulls("few", 5), with_pulls("many", 20)], repeat=2, thresholds={"useful": "min >= 10"}
        )
        with tempfile.TemporaryDirectory() as folder:
            results = tested.run(progress=None)
            self.assertEqual(results.exit_code, 0, results)
            self.assertIn("useful", str(results))
            written = results.write(folder)
            compared = str(posse.compare(written, measure="useful"))
            self.assertIn("many is best on useful: few's useful is lower by 30", compared)
            with self.assertRaisesRegex(ValueError, "(?s)there is no measure 'useles'.*useful"):
                posse.compare(written, measure="useles")
        with tempfile.TemporaryDirectory() as folder:
            of_sweep = scenario(
                [with_pulls("few", 5), with_pulls("many", 20)], sweep={"network.latency": ["10 ms", "20 ms"]}, repeat=2
            )
            swept = posse.sweep(of_sweep, store=folder, progress=None)
            self.assertIn("many is best on useful in both", str(posse.compare(swept, measure="useful")))
            drawn = swept.drawing("sweep", measure="useful")
            self.assertEqual(drawn["y"]["label"], "useful")
        beside = scenario([with_pulls("few", 5), "fed-pne"], thresholds={"useful": "min >= 10"})
        self.assertEqual(beside.run(progress=None).exit_code, 0)  # fed-pne isn't measured by it
        failing = scenario(with_pulls("few", 5), thresholds={"useful": "min >= 50 %"})
        self.assertEqual(failing.run(progress=None).exit_code, 4)
        with self.assertRaisesRegex(ValueError, "no algorithm here has it"):
            scenario("fed-pne", thresholds={"useful": "min >= 50"}).run(progress=None)

    def test_measures_that_are_declared_wrongly_are_refused(self):
        def measured(outcome, parameters, clients):
            return [posse.Measurement("own", 3, unit="s")]

        for measures, problem in (
            (["own"], "not a dict"),
            ({"two words": posse.Measure()}, "letters, digits"),
            ({"own": "more"}, "not a posse.Measure"),
            ({"own": posse.Measure(better="most")}, "'less', 'more' or 'neither'"),
            ({"own": posse.Measure(unit=3)}, "to be texts"),
            ({"rounds": posse.Measure()}, "can't be an own measure"),
        ):
            with self.subTest(measures), self.assertRaisesRegex((TypeError, ValueError), problem):
                posse.add_algorithm(algorithm(measures=measures, measurements=measured))
        with self.assertRaisesRegex(TypeError, "no function measurements"):
            posse.add_algorithm(algorithm(measures={"own": posse.Measure()}))
        status, report = report_of(algorithm(measures={"own": posse.Measure(unit="%")}, measurements=measured))
        self.assertIn("its unit in Tested.measures is '%'", report)

    def test_measurements_stand_beside_their_bounds_and_fail_the_run_if_they_must_hold(self):
        seen = []

        def measured(always):
            def measurements(outcome, parameters, clients):
                seen.append(outcome)
                return [posse.Measurement("own", 3, bound=2, note="a note", always=always)]

            return algorithm(measurements=measurements)

        self.assertEqual(scenario(measured(False)).run().exit_code, 0)
        results = scenario(measured(True)).run()
        self.assertEqual(results.exit_code, 5)
        self.assertEqual(results.runs["own"][0], 3)
        self.assertIn("violated: own = 3", str(results))
        self.assertEqual(seen[0]["counts"], {"answers": 40})
        self.assertEqual(seen[0]["evaluations"], 400)
        self.assertEqual(seen[0]["bytes"], 10 * 4 * 24)
        for wrong, text in (
            (lambda *_: 1 / 0, "ZeroDivisionError"),
            (lambda *_: [3], "measurements returned 3"),
            (lambda *_: [posse.Measurement("own", float("nan"), bound=1, always=True)], "not a number"),
            (lambda *_: [posse.Measurement("rounds", 1)], "named 'rounds' already"),
            (lambda *_: [posse.Measurement("status", 1)], "named 'status' already"),
        ):
            self.assertIn(text, report_of(algorithm(measurements=wrong))[1])

    def test_a_failure_of_the_objective_fails_the_run_whatever_the_role_does(self):
        def breaks(x):
            raise RuntimeError("out of ink")

        class Ignores(Answerer):
            def on_request(self, question):
                try:
                    return super().on_request(question)
                except RuntimeError:
                    return Reply(0, 0)

        mine = posse.UserObjective(breaks, [[0, 1]], maximum=1)
        status, report = report_of(algorithm(client=Ignores), objective=mine)
        self.assertEqual(status, "failed")
        self.assertIn("out of ink", report)

    def test_every_type_of_field_arrives_as_it_was_sent(self):
        class Everything(posse.Message):
            a: float
            b: posse.float32
            c: int
            d: posse.uint32
            e: posse.uint16
            f: posse.uint8
            g: list[float]
            h: list[posse.float32]
            i: list[int]
            j: list[posse.uint8]

        sent = Everything(0.1, 0.5, 2**64 - 1, 2**32 - 1, 65535, 255, [1.5, 0.1], [0.25], [], [1, 2])
        arrived = []

        class Sends(Asker):
            def on_start(self):
                self.heard = []
                self.ask(sent)

            def on_answers(self, answers):
                self.finish()

        class Gets(posse.Client):
            def on_request(self, everything):
                arrived.append(everything)
                return Reply(0, 0)

        tested = algorithm(messages=[Everything, Reply], server=Sends, client=Gets)
        results = scenario(tested, population={"clients": 1}).run()
        self.assertEqual(arrived, [sent])
        account = results.to_dict()["runs"][0]["ledger"][0]
        self.assertEqual(account["bytes"], 8 + 4 + 8 + 4 + 2 + 1 + (4 + 16) + (4 + 4) + 4 + (4 + 2))
        self.assertEqual(account["values"], 6 + 2 + 1 + 0 + 2)

    def test_arrays_of_numpy_can_be_sent(self):
        import numpy as np

        class Vector(posse.Message):
            x: list[float]

        arrived = []

        class Sends(Asker):
            def on_start(self):
                self.heard = []
                self.ask(Vector(np.array([0.5, 1.5])))

            def on_answers(self, answers):
                self.finish()

        class Gets(posse.Client):
            def on_request(self, vector):
                arrived.append(vector.x)
                return Reply(np.float64(1), np.int64(2))

        tested = algorithm(messages=[Vector, Reply], server=Sends, client=Gets)
        self.assertEqual(scenario(tested).run().exit_code, 0)
        self.assertEqual(arrived[0], [0.5, 1.5])


    def test_a_message_arrives_as_it_was_sent_whatever_its_constructor_does(self):
        class Counted(posse.Message):
            x: float
            later: int = dataclasses.field(default=7, kw_only=True)

            def __post_init__(self):
                self.x *= 2

        arrived = []

        class Sends(Asker):
            def on_start(self):
                self.heard = []
                self.ask(Counted(1.0))

            def on_answers(self, answers):
                self.finish()

        class Gets(posse.Client):
            def on_request(self, counted):
                arrived.append((counted.x, counted.later))
                return Reply(0, 0)

        tested = algorithm(messages=[Counted, Reply], server=Sends, client=Gets)
        self.assertEqual(scenario(tested).run(threads=1).exit_code, 0)
        self.assertEqual(arrived, [(2.0, 7)] * 4)

    def test_messages_can_be_defined_where_annotations_are_texts(self):
        program = """
from __future__ import annotations
def define():
    import posse as p
    class Far(p.Message):
        x: list[p.uint8]
    return Far
"""
        names = {}
        exec(program, names)
        self.assertEqual(names["define"]()([1]).x, [1])


class Ball(posse.Message):
    passes: int


class Player(posse.FreeRole):
    """Players pass a ball around with a timer, and evaluate when they have it."""

    def on_start(self):
        if self.node == 0:
            self.set_timer(1, 0.25)

    def on_timer(self, timer):
        self.begin_round(1)
        self.hand_on(0)

    def on_message(self, message, sender, round):
        self.hand_on(message.passes)

    def hand_on(self, passes):
        if passes < 9:
            self.pull([self.uniform()], 5)
            self.work(0.1)
            self.send((self.node + 1) % self.clients, Ball(passes + 1), passes + 1)
            return
        self.estimate("time", self.now)
        self.recommend([0.25])
        self.end_round(1, steps=15, arrived=9, expected=9)
        self.broadcast(Ball(99), 99)
        self.finish()


class Bystander(Player):
    def on_message(self, message, sender, round):
        if message.passes == 99:
            self.finish()
        else:
            self.hand_on(message.passes)


class FreeRoles(unittest.TestCase):
    def mesh(self, **sections):
        tested = type(
            "Mesh",
            (posse.Algorithm,),
            {"kind": "test-mesh", "messages": [Ball], "player": Bystander},
        )
        return scenario(tested, population={"clients": 3}, **sections)

    def test_players_of_a_full_mesh_use_timers_work_and_links(self):
        results = self.mesh().run()
        self.assertEqual(results.runs["status"][0], "finished")
        # 9 passes, and the news of the end to the 2 others.
        self.assertEqual(results.runs["messages"][0], 11)
        # The timer, 9 times work and latency, the latency of the news.
        self.assertAlmostEqual(results.runs["virtual_s"][0], 0.25 + 9 * (0.1 + LATENCY) + LATENCY)
        self.assertEqual(results.runs["evaluations"][0], 45)
        self.assertEqual(results.rounds["round"][0], 1)
        self.assertEqual(self.mesh().run(threads=3).fingerprint, results.fingerprint)

    def test_the_gossip_of_the_examples_finishes_although_messages_are_lost(self):
        gossip = example(EXAMPLES / "gossip.py").scenario
        results = gossip.run(threads=1)
        self.assertEqual(results.exit_code, 0)
        run = results.to_dict()["runs"][0]
        # A message for each of 50 evaluated points of each player.
        self.assertEqual(sum(account["sent"] for account in run["ledger"]), 8 * 50)
        self.assertGreater(sum(account["dropped"]["loss"] for account in run["ledger"]), 0)
        self.assertEqual(gossip.run(threads=4).fingerprint, results.fingerprint)

    def test_a_client_that_lost_its_state_goes_on_as_a_new_role(self):
        restarted = []

        class Forgets(Answerer):
            def on_restart(self):
                restarted.append((self.node, self.left))

        tested = algorithm(client=Forgets, clients_can_lose_state=True)
        crash = {"kind": "crash", "nodes": ["client-1"], "at": "0.32 s", "for": "0.2 s", "state": "lost"}
        results = scenario(
            tested, fault=crash, network={"latency": "50 ms", "transport": "reliable"}
        ).run()
        self.assertEqual(results.runs["status"][0], "finished", results.runs["report"][0])
        self.assertEqual(restarted, [(2, 70)])
        kept = algorithm(client=Forgets)
        with self.assertRaisesRegex(posse.ScenarioError, "state"):
            scenario(kept, fault=crash).check()


if __name__ == "__main__":
    unittest.main()
