# SPDX-License-Identifier: Apache-2.0
"""Lists test cases of unittest for ctest, and runs one.

    python_tests.py --list MODULE…     their names, a line for each
    python_tests.py NAME               exit code 0: passed, 1: failed, 77: skipped, with the reasons

A module that can't be imported is listed by its own name, and fails when it runs.
"""

import sys
import unittest

SKIPPED = 77  # SKIP_RETURN_CODE in tests/CMakeLists.txt


def cases(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from cases(part)
        elif type(part).__name__ == "_FailedTest":
            yield part.id().rsplit(".", 1)[1]
        else:
            yield part.id()


def names_in(module):
    try:
        return list(cases(unittest.defaultTestLoader.loadTestsFromName(module)))
    except Exception:
        return [module]


def run(name):
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    for _, reason in result.skipped:
        print(f"skipped: {reason}")
    if not result.wasSuccessful() or result.testsRun == 0:
        return 1
    return SKIPPED if result.skipped else 0


if __name__ == "__main__":
    sys.path.insert(0, "")
    if sys.argv[1] == "--list":
        for name in sys.argv[2:]:
            print("\n".join(names_in(name)))
    else:
        sys.exit(run(sys.argv[1]))
