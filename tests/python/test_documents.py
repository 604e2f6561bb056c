# SPDX-License-Identifier: Apache-2.0
"""The code in docs/python.md runs as it stands there."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

from needs import needs


class Documents(unittest.TestCase):
    def test_the_code_of_docs_python_runs(self):
        needs(self, "matplotlib", "pandas")
        import matplotlib

        matplotlib.use("Agg")
        text = (Path(os.environ["POSSE_SOURCE_DIR"]) / "docs/python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertGreaterEqual(len(blocks), 5)
        names = {"f": lambda x: 1 - abs(x[0] - 0.3)}  # the reader's own function
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for block in blocks:
                    with self.subTest(block.split("\n")[0]), contextlib.redirect_stdout(io.StringIO()):
                        exec(block, names)
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()
