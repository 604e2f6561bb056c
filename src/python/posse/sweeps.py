# SPDX-License-Identifier: Apache-2.0
"""Sweeps and finished runs: every setting of a scenario, comparisons, and their page."""

from __future__ import annotations

import html
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from . import _posse
from .results import Results, Table, framed


class Sweep:
    """What posse.sweep returns.

    summary   a row per run: algorithm, repetition, the setting's keys, and what runs are compared by
    store     the folder with the runs, for posse.compare, posse.serve and the program
    """

    def __init__(self, native: _posse.Sweep) -> None:
        self._native = native
        self.summary = Table(native.summary())

    @property
    def store(self) -> str:
        return self._native.store

    @property
    def runs(self) -> int:
        """The number of different runs."""
        return self._native.planned

    @property
    def made(self) -> int:
        """How many of them the store did not have before."""
        return self._native.made

    @property
    def failed(self) -> int:
        """How many of those did not finish, or violated a bound."""
        return self._native.failed

    def drawing(self, kind: str = "sweep", **options: Any) -> dict[str, Any]:
        """What `posse plot --kind` draws of the store, as a dict with its type: a chart's axes and
        series, bars, a heat map or a table. options: the program's flags, such as x, y, measure, algorithm, against, columns, rows, log, band."""
        return json.loads(self._native.plot(kind, options))

    def plot(self, kind: str = "sweep", *, ax: Any = None, **options: Any) -> Any:
        """The drawing as a figure; without a kind, a measure against a swept key with 95 % intervals, a
        line for each algorithm and each setting of the other keys. Returns the axes of matplotlib."""
        from . import figures

        return figures.draw(self.drawing(kind, **options), ax)

    def __str__(self):
        return self._native.text()

    def __repr__(self):
        return f"<posse.Sweep of {self.runs} runs in {self.store}>"

    def page(self) -> str:
        """The page of the store as HTML in one text, with its settings, measures and charts."""
        with tempfile.TemporaryDirectory() as out:
            return Path(_posse.report([self.store], os.path.join(out, "report.html"))).read_text()

    def _repr_html_(self):
        return framed(self.page(), str(self))


class Comparison:
    """What posse.compare returns: the program's comparison as text (str), and as a dict."""

    def __init__(self, text: str, data: str) -> None:
        self._text = text
        self._data = data

    def to_dict(self) -> dict[str, Any]:
        return json.loads(self._data)

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"<posse.Comparison: {self._text.splitlines()[0]}>"

    def _repr_html_(self):
        return f"<pre>{html.escape(self._text)}</pre>"


def compare(*sources: Sweep | str | os.PathLike[str], measure: str = "") -> Comparison:
    """Compares finished runs: run folders, stores of sweeps, or Sweeps. measure: what the headline is
    about, such as "payload_bytes"."""
    folders = [source.store if isinstance(source, Sweep) else os.fspath(source) for source in sources]
    return Comparison(*_posse.compare(folders, measure))


class Page:
    """A page of finished runs, from posse.serve: until it is closed, or the end of a with block."""

    def __init__(
        self,
        folder: str,
        address: str,
        temporary: tempfile.TemporaryDirectory[str] | None = None,
    ) -> None:
        self._temporary = temporary
        self._native: _posse.Page | None = _posse.Page(folder, address)
        self.url: str = self._native.url

    def close(self) -> None:
        self._native = None
        if self._temporary is not None:
            self._temporary.cleanup()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self):
        return f"<posse.Page at {self.url}>"

    def _repr_html_(self):
        return f'<a href="{html.escape(self.url)}" target="_blank">{html.escape(self.url)}</a>'


def serve(
    what: Results | Sweep | str | os.PathLike[str] = "runs",
    address: str = "127.0.0.1:0",
    *,
    open_browser: bool = False,
) -> Page:
    """Serves a page of finished runs, and returns the Page with its url. what: Results, a Sweep, a
    folder with run folders, or a store. Only this machine can connect, unless the address says
    otherwise; port 0 is any free one."""
    temporary = None
    if isinstance(what, Sweep):
        what = what.store
    elif isinstance(what, Results):
        temporary = tempfile.TemporaryDirectory(prefix="posse-page-")
        what = what.write(temporary.name)
    try:
        page = Page(os.fspath(what), address, temporary)
    except Exception:
        if temporary is not None:
            temporary.cleanup()
        raise
    if open_browser:
        import webbrowser

        webbrowser.open(page.url)
    return page
