# SPDX-License-Identifier: Apache-2.0
"""Progress of runs in terminals and notebooks."""

import sys
import time


def _in_notebook():
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class Progress:
    """A line that is rewritten, from a second after the start on: "12 of 40 runs, 31 %, 8 s"."""

    def __init__(self, wanted):
        self._function = None
        self._show = None
        self._shown = False
        if callable(wanted):
            self._function = wanted
        elif wanted == "auto":
            if _in_notebook():
                self._show = self._show_in_notebook
            elif sys.stderr is not None and sys.stderr.isatty():
                self._show = self._show_on_terminal
        elif wanted is not None:
            raise ValueError(f"progress is {wanted!r}, allowed: 'auto', None, or a function")

    def __enter__(self):
        self._began = time.monotonic()
        self._next = self._began + 1
        return self._function or (self._told if self._show else None)

    def __exit__(self, *_):
        if self._shown and self._show == self._show_on_terminal:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
        elif self._shown:
            self._handle.update({"text/plain": ""}, raw=True)

    def _told(self, runs, ended, evaluations, expected):
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.25
        share = min(1.0, evaluations / expected) if expected > 0 else ended / max(1, runs)
        self._show(f"{ended} of {runs} runs, {100 * share:.0f} %, {now - self._began:.0f} s")
        self._shown = True

    @staticmethod
    def _show_on_terminal(line):
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()

    def _show_in_notebook(self, line):
        from IPython.display import display

        if self._shown:
            self._handle.update({"text/plain": line}, raw=True)
        else:
            self._handle = display({"text/plain": line}, raw=True, display_id=True)
