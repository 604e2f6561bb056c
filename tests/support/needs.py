# SPDX-License-Identifier: Apache-2.0
"""Programs and Python modules that tests use and a machine may lack: tests/optional.csv has them."""

import csv
import importlib.util
import os
import shutil
import sys
from pathlib import Path

with (Path(__file__).resolve().parents[1] / "optional.csv").open() as file:
    OPTIONAL = {row["name"]: row for row in csv.DictReader(file)}
# What POSSE_TESTS_WITHOUT names is missing for the tests, and for what they call.
HIDDEN = set(os.environ.get("POSSE_TESTS_WITHOUT", "").split(","))
for name in HIDDEN:
    if OPTIONAL.get(name, {}).get("kind") == "module":
        sys.modules[name] = None


def is_there(name):
    if name in HIDDEN:
        return False
    if OPTIONAL[name]["kind"] == "module":
        return importlib.util.find_spec(name) is not None
    return shutil.which(name) is not None


def needs(test, *names):
    """Skips the test case if one of these is missing."""
    missing = [name for name in names if not is_there(name)]
    if missing:
        packages = " ".join(OPTIONAL[name]["package"] for name in missing)
        test.skipTest(f"{', '.join(missing)} isn't installed: apt-get install {packages}")
