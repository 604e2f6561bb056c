# SPDX-License-Identifier: Apache-2.0
"""The commands in the documents run, and print what the documents show.

In every page of docs/site, and in README.md and docs/*.md:

- A line that begins with "$ ", in a block `console` or in a block that begins with such a line, is
  a command. The lines up to the next command are its output, errors included. A line that is only
  "…" stands for any number of lines.
- A block whose first line is a comment with the name of a file (`# mine.toml`) is that file.
  Scenarios among them are checked with `posse check`.
- Blocks `python` run in one namespace per page, blocks `pycon` are doctests in the same namespace.

A page has a folder of its own, with `posse`, `tools/posse`, `scenarios/` and `docs/examples/`.
README.md and docs/*.md share one folder, in this order; what they show may be an excerpt. What
differs from run to run (times of the clock, speeds, sizes on disk, ports) is not compared.
"""

import contextlib
import difflib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

from needs import needs

ROOT = Path(os.environ["POSSE_SOURCE_DIR"])
PROGRAM = Path(os.environ["POSSE_EXECUTABLE"]).resolve()

# What a page of docs/ takes for granted before its first command.
BEFORE = {
    "docs/results.md": [
        "posse run scenarios/communication/which_message.toml --quiet --out first",
        "posse run scenarios/communication/which_message.toml --quiet --out second"
        """ --set 'network.drop=[{type="LocalMeans", round=4, from="client-3"}]'""",
    ],
}
# What of tests/optional.csv a page uses.
NEEDS = {
    "docs/site/how-to/c.md": ["pkg-config"],
    "docs/site/how-to/tables.md": ["sqlite3", "pandas"],
    "docs/site/how-to/watch.md": ["curl"],
    "docs/site/tutorial/07-python.md": ["pandas", "matplotlib"],
    "docs/site/tutorial/08-your-own-algorithm.md": ["pandas"],
}
# Benchmarks, whose output is that of one machine.
LEFT_OUT = {"docs/performance.md"}

VARYING = [
    (r"\b\d{8}T\d{6}Z-[0-9a-f]{8}\b", "<run>"),
    (r" in [\d.]+ (ns|us|ms|s|min|h) \([\d.]+ runs/s\)", " in <time>"),
    (r"\b(wall(?: time)?:? )[\d.]+ (ns|us|ms|s|min|h)\b", r"\1<time>"),
    (r"(\(stale\), )[\d.]+ \w+$", r"\1<size>"),
    (r"(http://[\d.]+):\d+", r"\1:<port>"),
    (r"token=\w+", "token=<token>"),
    (r"(repetitions, )[\d.]+ (ms|s|min|h)\b", r"\1<time>"),
    (r"^(\d+ scenarios) in .* per second", r"\1 in <time>"),
    (r"^re-timing took .*$", "<times>"),
]


def same_everywhere(line):
    """The line without what differs from run to run."""
    for pattern, replacement in VARYING:
        line = re.sub(pattern, replacement, line)
    return line.rstrip()


class Block:
    def __init__(self, language, line):
        self.language = language
        self.line = line  # of its first line, from 1
        self.lines = []

    def file(self):
        """The file that the block is, by the comment in its first line."""
        first = self.lines[0] if self.lines else ""
        match = re.fullmatch(r"(?:#|//|/\*) ([\w./-]+\.\w+)(?: \*/)?", first)
        return match and match[1]

    def commands(self):
        """[line, command, output]"""
        found = []
        for number, line in enumerate(self.lines, self.line):
            if line.startswith("$ "):
                found.append([number, line[2:], []])
            elif found and not found[-1][2] and found[-1][1].endswith("\\"):
                found[-1][1] += "\n" + line
            elif found:
                found[-1][2].append(line)
        return found

    def is_console(self):
        return self.language == "console" or (
            self.language == "" and bool(self.lines) and self.lines[0].startswith("$ ")
        )


def blocks_of(text):
    blocks, fence = [], None
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"(```+)\s*(\w*)", line)
        if fence is None and match:
            fence = match[1]
            blocks.append(Block(match[2], number + 1))
        elif fence is not None and line.rstrip() == fence:
            fence = None
        elif fence is not None:
            blocks[-1].lines.append(line)
    return blocks


def agree(expected, got):
    """Whether the output is as shown, where "…" stands for any number of lines."""
    parts = [[]]
    for line in expected:
        if line.strip() == "…":
            parts.append([])
        else:
            parts[-1].append(line)
    if len(parts) == 1:
        return expected == got
    first, last = parts[0], parts[-1]
    if got[: len(first)] != first or len(first) + len(last) > len(got):
        return False
    if last and got[-len(last) :] != last:
        return False
    at, end = len(first), len(got) - len(last)
    for part in parts[1:-1]:
        while at + len(part) <= end and got[at : at + len(part)] != part:
            at += 1
        if at + len(part) > end:
            return False
        at += len(part)
    return True


class Folder:
    """Where the commands of a page run."""

    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="posse-documents-"))
        programs = self.path / ".programs"
        for folder in (programs, self.path / "tools", self.path / "docs"):
            folder.mkdir()
        (programs / "posse").symlink_to(PROGRAM)
        (programs / "python3").symlink_to(sys.executable)
        (self.path / "tools/posse").symlink_to(PROGRAM)
        shutil.copytree(ROOT / "scenarios", self.path / "scenarios")
        shutil.copytree(ROOT / "docs/examples", self.path / "docs/examples")
        self.environment = os.environ | {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(self.path),
            "LC_ALL": "C.UTF-8",
            "MPLBACKEND": "Agg",
            "POSSE_PROGRESS": "none",
        }
        self.environment.pop("POSSE_OUT", None)
        self.add_library()
        self.namespace = {"__name__": "__main__"}

    def add_library(self):
        """What the package libposse-dev installs, as far as a C program needs it."""
        library = next(PROGRAM.parent.parent.rglob("libposse.so"), None)
        if not library:
            return
        include = self.path / ".include/posse"
        include.mkdir(parents=True)
        (include / "posse.h").symlink_to(ROOT / "src/program/library/posse.h")
        (self.path / ".include/posse.pc").write_text(
            "Name: posse\nDescription: Posse\nVersion: 0\n"
            f"Cflags: -I{include.parent}\n"
            f"Libs: -L{library.parent} -lposse -Wl,-rpath,{library.parent}\n"
        )
        self.environment["PKG_CONFIG_PATH"] = str(include.parent)

    def run(self, command):
        result = subprocess.run(
            ["bash", "-c", command],
            cwd=self.path,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
        )
        return result.returncode, result.stdout.decode().rstrip("\n").split("\n")

    def remove(self):
        shutil.rmtree(self.path)


@contextlib.contextmanager
def working_in(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def rewritten(shown, got):
    """The lines that were printed, where they differ from what is shown: those that differ only from
    run to run stay. What stands for "…" is left out again if the lines around it were printed."""
    kept = {same_everywhere(line): line for line in shown}
    lines = [kept.get(same_everywhere(line), line.rstrip()) for line in got]
    for at, line in enumerate(shown):
        if line.strip() != "…":
            continue
        before, after = shown[at - 1] if at else None, (shown[at + 1 :] or [None])[0]
        if (before is None or before in lines) and (after is None or after in lines):
            begin = 0 if before is None else lines.index(before) + 1
            end = len(lines) if after is None else lines.index(after, begin)
            lines[begin:end] = [line]
    return lines


def rewrite(page, outputs):
    """Replaces outputs in a page: {number of the command's last line: (lines shown, lines)}."""
    text = (ROOT / page).read_text().split("\n")
    for number in sorted(outputs, reverse=True):
        shown, lines = outputs[number]
        text[number : number + len(shown)] = lines
    (ROOT / page).write_text("\n".join(text))


def play(page, folder):
    """Runs a page; the list of what is wrong, as texts. With POSSE_REWRITE_GOLDEN the page's outputs
    become those that were printed."""
    wrong, outputs = [], {}
    for block in blocks_of((ROOT / page).read_text()):
        where = f"{page}:{block.line}"
        text = "\n".join(block.lines) + "\n"
        if block.is_console():
            for line, command, shown in block.commands():
                code, printed = folder.run(command)
                printed = [row for row in printed if row or len(printed) > 1]
                got = [same_everywhere(row) for row in printed]
                while shown and not shown[-1].strip():
                    shown.pop()
                as_shown = shown
                shown = [same_everywhere(row) for row in shown]
                if not page.startswith("docs/site/"):
                    shown = ["…", *shown, "…"]
                if not agree(shown, got) and "POSSE_REWRITE_GOLDEN" in os.environ:
                    last_line = line + command.count("\n")
                    outputs[last_line] = as_shown, rewritten(as_shown, printed)
                elif not agree(shown, got):
                    difference = difflib.unified_diff(shown, got, "shown", "printed", lineterm="")
                    wrong.append(
                        f"{page}:{line}: {command} (exit code {code})\n" + "\n".join(difference)
                    )
        elif not page.startswith("docs/site/"):
            continue
        elif block.file():
            target = folder.path / block.file()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
            if target.suffix == ".toml" and "[[algorithm]]" in text:
                code, got = folder.run(f"posse check '{block.file()}'")
                if code != 0:
                    wrong.append(f"{where}: {block.file()}\n" + "\n".join(got))
        elif block.language == "toml":
            try:
                tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                wrong.append(f"{where}: {error}")
        elif block.language == "python":
            with working_in(folder.path), contextlib.redirect_stdout(io.StringIO()):
                try:
                    exec(compile(text, where, "exec"), folder.namespace)
                except Exception as error:
                    wrong.append(f"{where}: {type(error).__name__}: {error}")
        elif block.language == "pycon":
            examples = doctest.DocTestParser().get_doctest(
                text, folder.namespace, page, page, block.line - 1
            )
            examples.globs = folder.namespace  # what a block assigns, later ones have
            output = io.StringIO()
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            with working_in(folder.path):
                runner.run(examples, out=output.write, clear_globs=False)
            if runner.failures:
                wrong.append(output.getvalue())
    if outputs:
        rewrite(page, outputs)
    return wrong


def pages_of_the_site():
    return sorted(str(file.relative_to(ROOT)) for file in (ROOT / "docs/site").rglob("*.md"))


def documents():
    pages = ["README.md"] + sorted(f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md"))
    return [page for page in pages if page not in LEFT_OUT]


class Commands(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        before = {key: os.environ.get(key) for key in ("MPLBACKEND", "POSSE_PROGRESS")}
        os.environ.update(MPLBACKEND="Agg", POSSE_PROGRESS="none")
        self.addCleanup(
            lambda: [
                os.environ.pop(key) if value is None else os.environ.update({key: value})
                for key, value in before.items()
            ]
        )

    def check(self, pages):
        folder = Folder()
        self.addCleanup(folder.remove)
        for page in pages:
            needs(self, *NEEDS.get(page, []))
            for command in BEFORE.get(page, []):
                code, got = folder.run(command)
                self.assertEqual(code, 0, "\n".join(got))
            wrong = play(page, folder)
            if wrong:
                self.fail("\n\n".join(wrong))

    def test_readme_and_docs(self):
        self.check(documents())


class TheChecker(unittest.TestCase):
    def test_an_ellipsis_stands_for_any_number_of_lines(self):
        self.assertTrue(agree(["a", "…", "c"], ["a", "b", "b", "c"]))
        self.assertTrue(agree(["a", "…", "c"], ["a", "c"]))
        self.assertTrue(agree(["…", "b", "…"], ["a", "b", "c"]))
        self.assertTrue(agree(["a", "…"], ["a"]))
        self.assertFalse(agree(["a", "…", "c"], ["a", "b"]))
        self.assertFalse(agree(["a", "…", "a"], ["a"]))
        self.assertFalse(agree(["…", "b", "…"], ["a", "c"]))
        self.assertFalse(agree(["a"], ["a", "b"]))

    def test_what_differs_from_run_to_run_is_not_compared(self):
        self.assertEqual(
            same_everywhere("results: runs/a/20261124T030324Z-54b7b54d"),
            same_everywhere("results: runs/a/20261125T211326Z-51f8c3bc"),
        )
        self.assertNotEqual(same_everywhere("rounds 9.6"), same_everywhere("rounds 9.7"))

    def test_a_command_goes_on_after_a_backslash(self):
        block = blocks_of("```\n$ a \\\n  b\nc\n$ d\n```")[0]
        self.assertTrue(block.is_console())
        self.assertEqual(block.commands(), [[2, "a \\\n  b", ["c"]], [5, "d", []]])

    def test_a_block_that_begins_with_a_name_is_a_file(self):
        text = "```toml\n# a.toml\n```\n```c\n/* b.c */\n```\n"
        names = [block.file() for block in blocks_of(text)]
        self.assertEqual(names, ["a.toml", "b.c"])
        self.assertIsNone(blocks_of("```toml\n# a scenario\n```")[0].file())


def add_a_test(page):
    name = "test_" + re.sub(r"\W+", "_", page.removeprefix("docs/site/").removesuffix(".md"))
    setattr(Commands, name, lambda self: self.check([page]))


for site_page in pages_of_the_site():
    add_a_test(site_page)

if __name__ == "__main__":
    unittest.main()
