# SPDX-License-Identifier: Apache-2.0
"""A small sample of what tools/nodes/attack.py sends to a run over several processes."""

import os
import subprocess
import sys
import unittest

from needs import needs

ATTACK = os.path.join(os.environ["POSSE_SOURCE_DIR"], "tools/nodes/attack.py")


class Strangers(unittest.TestCase):
    def attack(self, *words):
        done = subprocess.run([sys.executable, ATTACK, "--posse", os.environ["POSSE_EXECUTABLE"],
                               "--evaluations", "300", *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("all as without them", done.stdout)

    def test_a_run_with_a_token_goes_on_undisturbed_under_attack(self):
        self.attack("--mode", "token", "--attacks", "170")

    def test_a_run_with_certificates_goes_on_undisturbed_under_attack(self):
        needs(self, "openssl")
        self.attack("--mode", "tls", "--attacks", "150")


if __name__ == "__main__":
    unittest.main()
