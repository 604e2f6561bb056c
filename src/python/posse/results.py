# SPDX-License-Identifier: Apache-2.0
"""Results of a run: numbers as arrays, texts as lists, pictures."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _posse
from .kept import KeptResults, KeptTable


class Table(Mapping):
    """A table in columns. table["rounds"] is a NumPy array that shares Posse's memory and can't be
    written to, with NaN for an empty cell; a column of texts is a list."""

    def __init__(self, native: _posse.Table) -> None:
        self._native = native
        self._names = native.names

    def __getitem__(self, name: str) -> Any:
        return self._native.column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self._native)

    def to_pandas(self) -> Any:
        """The same as a pandas.DataFrame, with a copy of the numbers."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self._names})

    def __getstate__(self):
        native = self._native
        return native if isinstance(native, KeptTable) else KeptTable(native)

    def __setstate__(self, state):
        self.__init__(state)

    def __repr__(self):
        return f"<posse.Table of {self.rows} rows: {', '.join(self._names)}>"

    def _repr_html_(self):
        shown = min(self.rows, 20)
        columns = [list(self[name][:shown]) for name in self._names]
        rows = "".join(
            "<tr>" + "".join(f"<td>{_cell(column[i])}</td>" for column in columns) + "</tr>"
            for i in range(shown)
        )
        more = f"<p>… {self.rows} rows</p>" if self.rows > shown else ""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._names)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _cell(value):
    return f"{value:.6g}" if isinstance(value, float) else html.escape(str(value))


class Results:
    """What posse.run returns.

    runs        a row per run: algorithm, repetition, status, fingerprint, regrets, rounds, messages,
                bytes, virtual time, and what the algorithms measure
    rounds, regret, comparison, arms, links, cells
                the tables of a run folder (docs/results.md), empty where there is nothing of the kind
    """

    def __init__(self, native: _posse.Results) -> None:
        self._native = native
        self._tables: dict[str, Table] = {}

    def __getstate__(self):
        native = self._native
        return native if isinstance(native, KeptResults) else KeptResults(native)

    def __setstate__(self, state):
        self.__init__(state)

    def __getattr__(self, name: str) -> Table:
        if name not in _posse.table_names:
            raise AttributeError(f"results have no {name!r}; tables: {_posse.table_names}")
        if name not in self._tables:
            self._tables[name] = Table(self._native.table(name))
        return self._tables[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_posse.table_names]

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self._native.name

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits, equal for equal results: those of the program."""
        return self._native.fingerprint

    @property
    def exit_code(self) -> int:
        """The program's exit code: 0 if all runs finished and every bound that always holds did."""
        return self._native.exit_code

    @property
    def warnings(self) -> list[str]:
        """What these numbers don't say by themselves; the program prints it first."""
        return self.to_dict()["warnings"]

    def to_dict(self) -> dict[str, Any]:
        """results.json as Python objects."""
        return json.loads(self._native.json())

    def write(self, out: str | os.PathLike[str] = "runs") -> str:
        """Writes a run folder below `out`, with tables and report.html; returns its path."""
        return self._native.write(os.fspath(out))

    def drawing(self, kind: str = "regret", **options: Any) -> dict[str, Any]:
        """What `posse plot --kind` draws of these runs, as a dict with its type: a chart's axes and
        series, bars, a heat map, a table or a sequence. options: the program's flags, such as algorithm, local, log, columns, rows, band ("interval" or "sd")."""
        return json.loads(self._native.plot(kind, options))

    def plot(self, kind: str = "regret", *, ax: Any = None, **options: Any) -> Any:
        """The drawing as a figure: the means of all finished repetitions with their 95 % intervals, and
        runs that have not finished dashed. Returns the axes of matplotlib."""
        from . import figures

        return figures.draw(self.drawing(kind, **options), ax)

    def plot_rounds(self, algorithm: str | None = None, *, ax: Any = None) -> Any:
        """How the time of each round passed on the path to its end, of one algorithm (None: the
        first): means over repetitions. Returns the axes of matplotlib."""
        from . import figures

        return figures.time_of_rounds(self, algorithm, ax=ax)

    def __str__(self):
        return self._native.text()

    def __repr__(self):
        return f"<posse.Results of {self.name}: {self.runs.rows} runs, exit code {self.exit_code}>"

    def page(self) -> str:
        """The page of these runs as HTML in one text: report.html of their run folder."""
        with tempfile.TemporaryDirectory() as out:
            return (Path(self.write(out)) / "report.html").read_text()

    def _repr_html_(self):
        return framed(self.page(), str(self))


_MOST_IN_A_NOTEBOOK = 4 << 20  # characters


def framed(page: str, text: str) -> str:
    """A page within the HTML of a notebook, where it can do nothing to the rest; of a page that would
    make the notebook too large its text alone."""
    if len(page) > _MOST_IN_A_NOTEBOOK:
        return f"<pre>{html.escape(text)}</pre>"
    # Most of a page is JSON, whose quotes need no escape here.
    page = page.replace("&", "&amp;").replace("'", "&#39;")
    return (
        f"<iframe srcdoc='{page}' sandbox='allow-scripts allow-downloads'"
        " style='width: 100%; height: 44rem; border: 0'></iframe>"
    )
