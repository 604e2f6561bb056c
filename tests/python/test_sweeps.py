# SPDX-License-Identifier: Apache-2.0
"""Sweeps, comparisons, the page of finished runs, and figures."""

import os
import tempfile
import unittest
import urllib.request
from pathlib import Path

import posse
from needs import needs


def scenario(**sections):
    given = dict(
        algorithm=["fed-pne", "parallel"],
        population={"clients": 3},
        objective="garland",
        budget={"evaluations_per_client": 200},
        network={"latency": "20 ms", "transport": "reliable"},
        sweep={"network.loss": [0, 0.1], "population.clients": [2, 4]},
        seed=3,
        repeat=3,
    )
    return posse.Scenario(**(given | sections))


def load(url):
    return urllib.request.urlopen(url).read().decode()


class Sweeps(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.store = os.path.join(self._folder.name, "store")

    def test_a_sweep_has_the_runs_of_every_setting_as_single_runs_have_them(self):
        sweep = posse.sweep(scenario(), store=self.store, progress=None)
        self.assertEqual((sweep.runs, sweep.made, sweep.failed), (24, 24, 0))
        summary = sweep.summary
        self.assertEqual(summary.rows, 24)
        one = posse.run(
            scenario(), set={"network.loss": 0.1, "population.clients": 4, "sweep": None}
        ).runs
        for i, (name, repetition) in enumerate(zip(one["algorithm"], one["repetition"])):
            same = [
                summary["cumulative_regret"][j]
                for j in range(summary.rows)
                if summary["network.loss"][j] == 0.1
                and summary["population.clients"][j] == 4
                and summary["algorithm"][j] == name
                and summary["repetition"][j] == repetition
            ]
            self.assertEqual(same, [one["cumulative_regret"][i]])
        self.assertIn("4 settings × 2 algorithms, 3 repetitions", str(sweep))

    def test_a_store_keeps_its_runs(self):
        posse.sweep(scenario(), store=self.store, progress=None)
        again = posse.sweep(scenario(), set={"repeat": 4}, store=self.store, progress=None)
        self.assertEqual((again.runs, again.made), (32, 8))

    def test_a_sweep_stops_when_its_progress_says_so_and_goes_on_later(self):
        told = []
        stopped = posse.sweep(
            scenario(), store=self.store, progress=lambda *now: told.append(now) or False
        )
        self.assertLess(stopped.made, 24)
        self.assertEqual(told[-1][0], 24)
        rest = posse.sweep(scenario(), store=self.store, progress=None)
        self.assertEqual(stopped.made + rest.made, 24)

    def test_functions_of_python_need_a_new_store(self):
        mine = posse.UserObjective(lambda x: 1 - abs(x[0] - 0.3), [[0, 1]], maximum=1)
        first = posse.sweep(scenario(objective=mine), store=self.store, progress=None)
        self.assertEqual(first.failed, 0)
        with self.assertRaisesRegex(ValueError, "use a new folder"):
            posse.sweep(scenario(objective=mine), store=self.store)
        self.assertEqual(posse.sweep(scenario(objective=mine), progress=None).made, 24)

    def test_failed_runs_are_told_with_their_settings(self):
        def breaks(x):
            raise RuntimeError("out of ink")

        mine = posse.UserObjective(breaks, [[0, 1]], maximum=1)
        sweep = posse.sweep(scenario(objective=mine, repeat=1), progress=None)
        self.assertEqual((sweep.made, sweep.failed), (0, 8))
        self.assertIn("fed-pne with network.loss = 0", str(sweep))
        self.assertIn("out of ink", str(sweep))
        self.assertIn("… and 5 more failed runs", str(sweep))

    def test_an_address_that_others_can_reach_is_warned_of(self):
        results = posse.run(scenario(), set={"sweep": None, "repeat": 1})
        with self.assertWarnsRegex(UserWarning, "others on the network can connect"):
            posse.serve(results, address="0.0.0.0:0").close()

    def test_mistakes_in_what_is_swept_are_told(self):
        with self.assertRaisesRegex(posse.ScenarioError, "network.los"):
            posse.sweep(scenario(sweep={"network.los": [0, 1]}))

    def test_finished_runs_are_compared_and_served(self):
        sweep = posse.sweep(scenario(), store=self.store, progress=None)
        self.assertEqual(str(posse.compare(sweep)), str(sweep))
        comparison = posse.compare(sweep, measure="payload_bytes")
        self.assertIn("payload", str(comparison))
        self.assertEqual(len(comparison.to_dict()["settings"]), 4)
        with self.assertRaisesRegex(ValueError, "measure"):
            posse.compare(sweep, measure="beauty")
        with self.assertRaises(OSError):
            posse.compare(self.store + "-nowhere")
        self.assertIn("fed-pne", sweep.page())
        self.assertTrue(sweep._repr_html_().startswith("<iframe srcdoc='<!doctype html>"))
        with posse.serve(sweep) as page:
            self.assertIn("<title>", load(page.url))
            self.assertIn("fed-pne", load(page.url + "api/study"))
        with self.assertRaises(OSError):
            load(page.url)
        results = posse.run(scenario(), set={"sweep": None})
        self.assertTrue(str(results).startswith(str(posse.compare(results.write(self.store + "-runs")))))
        page = posse.serve(results)
        self.assertIn("<title>", load(page.url))
        with self.assertRaises(OSError):
            posse.serve(results, address=page.url.removeprefix("http://").rstrip("/"))
        page.close()
        with self.assertRaises(OSError):
            posse.serve("nowhere")
        with self.assertRaises(ValueError):
            posse.serve(results, address="everywhere")

    def test_every_figure_draws_what_the_tables_have(self):
        needs(self, "matplotlib")
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        sweep = posse.sweep(scenario(), store=self.store, progress=None)
        lines = sweep.plot(x="network.loss", measure="virtual_s")
        self.assertEqual(len(lines.get_legend().get_texts()), 4)
        self.assertEqual(lines.get_xlabel(), "loss")
        self.assertEqual(len(sweep.plot("heat-map").texts), 4)
        panels = sweep.plot(
            columns="algorithm", rows="measure", measure="virtual_s,wire_bytes", x="network.loss"
        )
        self.assertEqual(panels.shape, (2, 2))
        self.assertEqual([ax.get_title() for ax in panels[0]], ["fed-pne", "parallel"])
        for row in panels:
            self.assertEqual(row[0].get_ylim(), row[1].get_ylim())
        self.assertEqual(panels[1, 0].get_xlabel(), "loss")
        with self.assertRaisesRegex(ValueError, "leave out `ax`"):
            sweep.plot(columns="algorithm", ax=lines)
        with self.assertRaisesRegex(ValueError, "network.latency"):
            sweep.plot(x="network.latency")
        with self.assertRaisesRegex(ValueError, "no measure 'beauty'"):
            sweep.plot(measure="beauty")
        with self.assertRaisesRegex(ValueError, "`posse plot` draws it"):
            sweep.plot("rank-table")
        single = posse.sweep(scenario(sweep={"network.loss": [0, 0.1]}), progress=None)
        with self.assertRaisesRegex(OSError, "differ in two keys"):
            single.plot("heat-map")

        results = posse.run(scenario(), set={"sweep": None})
        bars = results.plot("bytes-by-type")
        wire = sum(bar.get_width() for bar in bars.patches)
        by_algorithm = [
            results.runs["wire_bytes"][[name == algorithm for name in results.runs["algorithm"]]].mean()
            for algorithm in ("fed-pne", "parallel")
        ]
        self.assertAlmostEqual(wire, sum(by_algorithm), delta=1e-6 * wire)
        rounds = results.plot_rounds("parallel")
        self.assertIn("propagation", [text.get_text() for text in rounds.get_legend().get_texts()])
        with self.assertRaisesRegex(ValueError, "no data for the plot 'arm-pulls'"):
            results.plot("arm-pulls")
        arms = posse.run(
            posse.shipped_scenarios() / "papers/flcb_smooth.toml", set={"repeat": 1}
        )
        self.assertEqual(len(arms.plot("arm-pulls").lines), 3)
        pyplot.close("all")

    def test_a_shipped_sweep_runs_from_its_file(self):
        swept = [
            path
            for path in Path(posse.shipped_scenarios()).rglob("*.toml")
            if "\n[sweep]" in path.read_text()
        ]
        self.assertTrue(swept)
        sweep = posse.sweep(
            swept[0], set={"repeat": 1, "budget.evaluations_per_client": 50}, progress=None
        )
        self.assertGreater(sweep.runs, 1)


if __name__ == "__main__":
    unittest.main()
