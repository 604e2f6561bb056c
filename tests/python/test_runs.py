# SPDX-License-Identifier: Apache-2.0
"""Scenarios run from Python: the program's results, as arrays."""

import html
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import posse
from needs import needs

PROGRAM = os.environ["POSSE_EXECUTABLE"]
SCENARIOS = Path(os.environ["POSSE_SOURCE_DIR"]) / "scenarios"


def small(**sections):
    """A scenario of two algorithms that takes milliseconds."""
    given = dict(
        name="two",
        seed=3,
        repeat=2,
        algorithm=["fed-pne", {"kind": "parallel", "label": "mesh"}],
        population={"clients": 3},
        objective="garland",
        budget={"evaluations_per_client": 200},
        network={"latency": "20 ms", "loss": 0.05, "transport": "reliable"},
    )
    return posse.Scenario(**(given | sections))


class Runs(unittest.TestCase):
    def test_a_run_has_the_fingerprint_and_the_results_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "two.toml"
            file.write_text(small().to_toml())
            printed = subprocess.run(
                [PROGRAM, "run", file, "--out", folder, "--json", "--progress", "none"],
                check=True,
                capture_output=True,
            ).stdout
        for threads in (1, 3):
            results = small().run(threads=threads)
            self.assertEqual(results.to_dict(), json.loads(printed))
            self.assertEqual(results.fingerprint, json.loads(printed)["fingerprint"])
        self.assertEqual(results.exit_code, 0)

    def test_a_file_runs_with_changed_keys_and_stays_as_it_was(self):
        scenario = posse.Scenario(SCENARIOS / "quickstart.toml")
        changes = {"repeat": 1, "budget.evaluations_per_client": 300, "network.loss": np.float64(0.1)}
        once = posse.run(scenario, set=changes)
        self.assertEqual(once.runs.rows, 2)
        self.assertIn("repeat = 5", scenario.to_toml())
        again = posse.run(str(SCENARIOS / "quickstart.toml"), set=changes)
        self.assertEqual(once.fingerprint, again.fingerprint)

    def test_keywords_are_sections_and_none_removes_a_key(self):
        scenario = small(network={"latency": {"kind": "uniform", "min": "1 ms", "max": "2 ms"}})
        scenario.set("algorithm.0.nu1", 1.5).set("repeat", None)
        text = scenario.to_toml()
        self.assertIn("nu1 = 1.5", text)
        self.assertNotIn("repeat", text)
        self.assertEqual(scenario.run().runs.rows, 2)

    def test_tables_are_arrays_that_share_memory_and_can_not_be_written(self):
        runs = small().run().runs
        rounds = runs["rounds"]
        self.assertIsInstance(rounds, np.ndarray)
        self.assertTrue(np.shares_memory(rounds, runs["rounds"]))
        self.assertFalse(rounds.flags.owndata)
        with self.assertRaises(ValueError):
            rounds[0] = 1
        self.assertEqual(runs["algorithm"], ["fed-pne", "mesh"] * 2)
        self.assertEqual(list(runs["repetition"]), [0, 0, 1, 1])
        with self.assertRaises(KeyError):
            runs["ronuds"]
        del runs
        self.assertGreater(rounds[0], 0)  # outlives its table

    def test_every_table_is_a_data_frame(self):
        needs(self, "pandas")
        results = small().run()
        for name in ("runs", "rounds", "regret", "comparison", "arms", "links", "cells"):
            table = getattr(results, name)
            frame = table.to_pandas()
            self.assertEqual(list(frame.columns), list(table))
            self.assertEqual(len(frame), table.rows)
        with self.assertRaises(AttributeError):
            results.ruond

    def test_results_show_themselves(self):
        results = small().run()
        self.assertIn("cumulative regret", str(results))
        self.assertIn("two", repr(results))
        framed = results._repr_html_()
        found = re.match(r"<iframe srcdoc='([^']*)' sandbox='allow-scripts allow-downloads'", framed)
        page = html.unescape(found[1])
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertIn(results.fingerprint, page)
        self.assertEqual(len(page), len(results.page()))  # all but the time of the folder
        results.page = lambda: "x" * (5 << 20)
        self.assertIn("<pre>", results._repr_html_())
        self.assertIn("<table>", results.runs._repr_html_())

    def test_a_run_folder_is_that_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            written = Path(small().run(trace="messages").write(folder))
            for name in ("report.html", "results.json", "rounds.csv", "messages.csv.gz"):
                self.assertTrue((written / name).exists(), name)
            subprocess.run([PROGRAM, "replay", written, "--quiet"], check=True)

    def test_all_mistakes_of_a_scenario_are_told(self):
        with self.assertRaises(posse.ScenarioError) as told:
            small(network={"lose": 0.1}, repeat=0).run()
        self.assertIn("network.lose", str(told.exception))
        self.assertIn("did you mean 'loss'", str(told.exception))
        self.assertIn("repeat", str(told.exception))
        self.assertIsInstance(told.exception, ValueError)
        for wrong in (object(), {1: 2}, 1 << 80):
            with self.assertRaises((TypeError, ValueError)):
                small(network={"loss": wrong})
        with self.assertRaises(TypeError):
            posse.Scenario()
        with self.assertRaises(posse.ScenarioError):
            posse.Scenario("nowhere.toml")
        with self.assertRaises(ValueError):
            small().run(trace="everything")

    def test_progress_is_told_and_can_stop_the_runs(self):
        told = []
        results = small().run(progress=lambda *now: told.append(now))
        self.assertEqual(told[-1][:2], (4, 4))
        endless = small(budget={"evaluations_per_client": 2_000_000_000})
        calls = iter(range(100_000))
        stopped = endless.run(progress=lambda *now: next(calls) < 3)
        self.assertEqual(stopped.exit_code, 7)
        self.assertEqual(stopped.runs["status"][0], "stopped")

        def fails(*_):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            endless.run(progress=fails)
        self.assertEqual(results.exit_code, 0)

    def test_other_threads_of_python_go_on_while_a_run_works(self):
        # If it held the interpreter lock, this thread would not get on to end it.
        began, over = threading.Event(), threading.Event()

        def progress(runs, ended, evaluations, expected):
            if evaluations > 0:
                began.set()
            return not over.is_set()

        ended = []
        endless = small(budget={"evaluations_per_client": 1_000_000_000})
        thread = threading.Thread(target=lambda: ended.append(endless.run(progress=progress)))
        thread.start()
        began.wait()
        over.set()
        thread.join()
        self.assertIn("stopped", ended[0].runs["status"])

    def test_an_interrupt_ends_the_runs(self):
        program = (
            "import posse, sys\n"
            "s = posse.Scenario(algorithm='fed-pne', population={'clients': 2},\n"
            "    objective='garland', budget={'evaluations_per_client': 2_000_000_000})\n"
            "print('begins', flush=True)\n"
            "try:\n"
            "    s.run()\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted')\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
        ) as child:
            self.assertEqual(child.stdout.readline(), "begins\n")
            time.sleep(0.2)
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.communicate(timeout=60)[0], "interrupted\n")

    def test_pickled_results_say_and_draw_the_same_elsewhere(self):
        results = small().run()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results.pickle"
            file.write_bytes(pickle.dumps(results))
            read = (
                "import pickle, sys, posse; r = pickle.load(open(sys.argv[1], 'rb'));"
                "print(r.fingerprint, r.exit_code, r.rounds.rows, r.runs['virtual_s'].sum());"
                "print(sorted(r.drawing('regret')['series'][0]['y'])[-1]); print(r)"
            )
            told = subprocess.run(
                [sys.executable, "-c", read, file], check=True, capture_output=True, text=True
            ).stdout
            again = pickle.loads(pickle.dumps(pickle.loads(file.read_bytes())))
            written = again.write(folder)
            self.assertEqual(
                (Path(written) / "results.json").read_bytes(),
                (Path(results.write(Path(folder) / "other")) / "results.json").read_bytes(),
            )
            self.assertTrue((Path(folder) / results.name / "latest" / "results.json").exists())
        first = f"{results.fingerprint} 0 {results.rounds.rows} {results.runs['virtual_s'].sum()}\n"
        regret = f"{max(results.drawing('regret')['series'][0]['y'])}\n"
        self.assertEqual(told, first + regret + str(results) + "\n")
        self.assertEqual(again.to_dict(), results.to_dict())
        with self.assertRaises(ValueError):
            again.rounds["round"][0] = 7
        table = pickle.loads(pickle.dumps(results.regret))
        self.assertEqual(list(table), list(results.regret))
        np.testing.assert_array_equal(table["value"], results.regret["value"])

    def test_a_figure_has_a_line_for_every_algorithm(self):
        needs(self, "matplotlib")
        import matplotlib

        matplotlib.use("Agg")
        results = small().run()
        axes = results.plot()
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["fed-pne", "mesh"])
        with self.assertRaises(ValueError):
            results.plot("regert")
        with self.assertRaisesRegex(TypeError, "no option 'metric'"):
            results.plot(metric="regret")

    def test_a_figure_has_the_points_of_the_page(self):
        needs(self, "matplotlib")
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        results = small().run()
        with tempfile.TemporaryDirectory() as folder:
            report = Path(results.write(folder), "report.html").read_text("utf-8")
        boot = report[report.index('id="posse-boot"') :]
        boot = boot[boot.index("{") : boot.index("</script>")]
        charts = {chart["id"]: chart for chart in json.loads(boot)["documents"][0]["charts"]}
        self.assertIn("regret-virtual-time", charts)
        for name, chart in charts.items():
            with self.subTest(name):
                kind = name.removesuffix("-local")
                axes = results.plot(kind, local=True) if kind != name else results.plot(kind)
                for series, line in zip(chart["series"], axes.lines):
                    self.assertEqual(line.get_label(), series["label"])
                    self.assertEqual(line.get_xdata().tolist(), series["x"])
                    self.assertEqual(line.get_ydata().tolist(), series["y"])
                    self.assertEqual(line.get_drawstyle() == "steps-post", series["kind"] == "steps")
                pyplot.close("all")


if __name__ == "__main__":
    unittest.main()
