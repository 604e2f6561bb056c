# SPDX-License-Identifier: Apache-2.0
"""A test whose program is missing is skipped: it is neither passed nor failed, and says what to install."""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from needs import OPTIONAL

ROOT = Path(os.environ["POSSE_SOURCE_DIR"])
BUILD = Path(os.environ["POSSE_BUILD_DIR"])


def ctest(selection, hidden):
    """ctest's output, in a folder of its own, so that it leaves the log of the outer run alone. Without
    the tests of this file, which would start themselves."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "CTestTestfile.cmake").write_text(f'subdirs("{BUILD}/tests")\n')
        option, value = selection.split(" ", 1)
        return subprocess.run(
            ["ctest", "--test-dir", folder, "-j2", "-V", "-LE", "^skips$", option, value],
            timeout=300,
            env=os.environ | {"POSSE_TESTS_WITHOUT": hidden},
            capture_output=True,
            text=True,
        ).stdout


class OptionalPrograms(unittest.TestCase):
    def setUp(self):
        if "POSSE_TESTS_WITHOUT" in os.environ:
            self.skipTest("POSSE_TESTS_WITHOUT is set: it hides programs already")

    def check(self, row):
        output = ctest(row["tests"], row["name"])
        results = re.findall(r"^ *\d+/\d+ Test +#\d+: .*?(Passed|\*\*\*\w+)", output, re.M)
        self.assertGreaterEqual(len(results), 1, output)
        self.assertEqual(set(results), {"***Skipped"}, output)
        # Of what else is missing the line may speak too.
        reason = rf"skipped: .*\b{row['name']}\b.* isn't installed: apt-get install .*{row['package']}"
        for name in re.findall(r"^test (\d+)$", output, re.M):
            self.assertRegex(output, rf"(?m)^{name}: {reason}")


for row in OPTIONAL.values():
    words = re.sub(r"\W", "_", row["name"])
    setattr(
        OptionalPrograms,
        f"test_without_{words}_its_tests_are_skipped",
        lambda self, row=row: self.check(row),
    )


class Programs(unittest.TestCase):
    """How a program of tests ends, run as a whole as under the sanitizers."""

    def run_cases(self, tags):
        return subprocess.run(
            [BUILD / "tests/posse_tidy_tests", tags], capture_output=True, text=True
        )

    def test_a_skipped_case_alone_ends_with_77_and_its_reason(self):
        result = self.run_cases("[skipped]")
        self.assertEqual(result.returncode, 77, result.stdout)
        self.assertIn("skipped: this case always is\n", result.stdout)
        self.assertIn("2 of the test cases were skipped:\n", result.stdout)
        self.assertIn("  for test_skips: is skipped\n", result.stdout)

    def test_skipped_cases_beside_others_do_not_fail_the_program(self):
        self.assertEqual(self.run_cases("[skipped],[passes]").returncode, 0)

    def test_skipped_cases_hide_no_failure(self):
        self.assertEqual(self.run_cases("[skipped],[fails]").returncode, 1)
        self.assertEqual(self.run_cases("[fails-first]").returncode, 1)


class PythonTests(unittest.TestCase):
    def test_a_python_test_passes_fails_or_is_skipped(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "test_some.py").write_text(
                textwrap.dedent(
                    """
                    import unittest

                    class Some(unittest.TestCase):
                        def test_passes(self):
                            pass
                        def test_fails(self):
                            self.fail()
                        def test_is_skipped(self):
                            self.skipTest("always")
                        def test_fails_and_is_skipped_then(self):
                            with self.subTest():
                                self.fail()
                            self.skipTest("always")
                    """
                )
            )
            runner = ROOT / "tests/support/python_tests.py"
            listed = subprocess.run(
                [sys.executable, runner, "--list", "test_some", "test_none"],
                cwd=folder, capture_output=True, text=True, check=True,
            ).stdout.split()  # fmt: skip
            self.assertIn("test_some.Some.test_passes", listed)
            self.assertIn("test_none", listed)
            for name, code in (
                ("passes", 0),
                ("fails", 1),
                ("is_skipped", 77),
                ("fails_and_is_skipped_then", 1),
            ):
                command = [sys.executable, runner, f"test_some.Some.test_{name}"]
                result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
                self.assertEqual(result.returncode, code, name + result.stdout + result.stderr)
            missing = subprocess.run([sys.executable, runner, "test_none"], cwd=folder, capture_output=True)
            self.assertEqual(missing.returncode, 1)


if __name__ == "__main__":
    unittest.main()
