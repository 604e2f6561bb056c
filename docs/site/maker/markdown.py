# SPDX-License-Identifier: Apache-2.0
"""Markdown as mkdocs reads it."""

import re


def fenced(text, language="text"):
    return f"````{language}\n{text.rstrip()}\n````\n"


def cell(text):
    """A text as a cell of a table."""
    return re.sub(r"\s*\n\s*", " ", text.strip()).replace("|", "\\|")


def table(heads, rows):
    """Columns that are empty in all rows are left out."""
    kept = [i for i in range(len(heads)) if any(row[i] for row in rows)]
    lines = ["| " + " | ".join(heads[i] for i in kept) + " |", "|" + " --- |" * len(kept)]
    lines += ["| " + " | ".join(row[i] for i in kept) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def sentence(text):
    """A summary as a sentence, unless it begins with a formula."""
    if re.match(r"(a|[a-z]{2,})\b(?!\()", text):
        text = text[0].upper() + text[1:]
    return text + "."


def plain(text):
    """A text of the program as Markdown: underscores and angle brackets mean nothing."""
    return re.sub(r"([_*<\[\]`])", r"\\\1", text)


def outside_code(text, change):
    """Applies `change` to the lines that are in no fenced block."""
    result, fence = [], None
    for line in text.split("\n"):
        match = re.match(r"\s*(```+)", line)
        if fence is None and match:
            fence = match[1]
        elif fence is not None and line.strip() == fence:
            fence = None
        elif fence is None and not line.startswith("    "):
            line = change(line)
        result.append(line)
    return "\n".join(result)


def for_mkdocs(text):
    """What GitHub's Markdown and Python-Markdown read differently."""

    def bars_in_code(line):
        if not line.startswith("|"):
            return line
        return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)

    lines = outside_code(text, bars_in_code).split("\n")
    # A list or a table begins after an empty line.
    result, fence = [], None
    for line in lines:
        match = re.match(r"\s*(```+)", line)
        if match:
            fence = None if fence else match[1]
        before = result[-1] if result else ""
        item = re.match(r"([-*]|\d+\.) ", line)
        continues = re.match(r"([-*]|\d+\.) |  ", before)
        starts_table = line.startswith("|") and not before.startswith("|")
        if fence is None and before.strip() and ((item and not continues) or starts_table):
            result.append("")
        result.append(line)
    return "\n".join(result)
