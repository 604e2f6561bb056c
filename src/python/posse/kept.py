# SPDX-License-Identifier: Apache-2.0
"""Results after pickling: what the native ones say, from the files of their run folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from . import _posse


class KeptTable:
    """A table's columns, as a native table has them."""

    def __init__(self, native: Any) -> None:
        self.names = list(native.names)
        self._rows = len(native)
        self._columns = {name: native.column(name) for name in self.names}

    def __len__(self) -> int:
        return self._rows

    def column(self, name: str) -> Any:
        if name not in self._columns:
            raise KeyError(name)
        return self._columns[name]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for column in self._columns.values():
            if hasattr(column, "flags"):
                column.flags.writeable = False


class KeptResults:
    """What native results say, and their run folder."""

    def __init__(self, native: Any) -> None:
        self.name = native.name
        self.fingerprint = native.fingerprint
        self.exit_code = native.exit_code
        self._json = native.json()
        self._text = native.text()
        self._tables = {name: KeptTable(native.table(name)) for name in _posse.table_names}
        with tempfile.TemporaryDirectory() as out:
            folder = Path(native.write(out))
            self._folder = folder.relative_to(out).as_posix()
            self._files = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in sorted(folder.rglob("*"))
                if path.is_file()
            }

    def json(self) -> str:
        return self._json

    def text(self) -> str:
        return self._text

    def table(self, name: str) -> KeptTable:
        return self._tables[name]

    def write(self, out: str) -> str:
        folder = Path(out) / self._folder
        for name, content in self._files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        latest = folder.parent / "latest"
        if latest.is_symlink() or not latest.exists():
            latest.unlink(missing_ok=True)
            os.symlink(folder.name, latest)
        return str(folder)

    def plot(self, kind: str, options: dict[str, Any]) -> str:
        with tempfile.TemporaryDirectory() as out:
            return _posse.draw([self.write(out)], kind, options)
