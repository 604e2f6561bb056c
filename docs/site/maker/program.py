# SPDX-License-Identifier: Apache-2.0
"""The program whose commands, keys and runs the site shows."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


class Failed(Exception):
    """What the user has to know; no stack trace."""


class Posse:
    def __init__(self, program):
        self.program = program

    def __call__(self, *arguments, cwd=None):
        result = subprocess.run(
            [self.program, *arguments],
            cwd=cwd,
            capture_output=True,
            text=True,
            env=os.environ | {"POSSE_PROGRESS": "none", "LC_ALL": "C.UTF-8"},
        )
        if result.returncode != 0:
            shown = result.stdout[-2000:] + result.stderr
            raise Failed(
                f"posse {' '.join(arguments)}: exit code {result.returncode}\n{shown}"
            )
        return result.stdout

    def json(self, *arguments):
        return json.loads(self(*arguments, "--json"))

    def names(self, category):
        """name -> one line"""
        return {entry["name"]: entry["summary"] for entry in self.json("list", category)}

    def described(self, category, name):
        return next(
            entry for entry in self.json("describe", name) if entry["category"] == category
        )
