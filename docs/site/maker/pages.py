# SPDX-License-Identifier: Apache-2.0
"""The source of the site: pages, copied documents, and links between them."""

import html
import posixpath
import re

from .formulas import Formulas
from .markdown import for_mkdocs, outside_code
from .program import ROOT

COPIED = {
    "docs/scenario.md": "manual/scenario.md",
    "docs/claims.md": "manual/claims.md",
    "docs/sweeps.md": "manual/sweeps.md",
    "docs/results.md": "manual/results.md",
    "docs/watching.md": "manual/watching.md",
    "docs/nodes.md": "manual/nodes.md",
    "docs/python.md": "manual/python.md",
    "docs/library.md": "manual/library.md",
    "docs/security.md": "manual/security.md",
    "docs/performance.md": "manual/performance.md",
    "docs/licences.md": "manual/licences.md",
    "tools/cluster/README.md": "manual/cluster.md",
    "tools/nodes/README.md": "manual/nodes-that-stay.md",
    "tools/dashboards/README.md": "manual/dashboards.md",
    "actors/README.md": "design/actors.md",
    "src/core/README.md": "design/core.md",
    "CONTRIBUTING.md": "design/contributing.md",
    "PAPERS.md": "papers.md",
    "CHANGELOG.md": "changelog.md",
}
FOLDERS = {
    "docs/studies": "studies",
    "docs/verdicts": "verdicts",
    "docs/decisions": "design/decisions",
}
INDEX = {"docs/decisions/README.md": "design/decisions/index.md"}


class Site:
    """The source of the site: Markdown pages, and files that are copied."""

    def __init__(self):
        self.pages = {}  # path in the site -> Markdown
        self.origins = {}  # path in the site -> path in the repository
        self.places = {}  # path in the repository -> path in the site
        self.files = {}  # path in the site -> bytes
        self.formulas = Formulas()

    def add(self, place, text, origin=None):
        self.pages[place] = text
        if origin:
            self.origins[place] = origin
            self.places[origin] = place

    def add_documents(self):
        for origin, place in COPIED.items():
            self.add(place, (ROOT / origin).read_text(), origin)
        for folder, to in FOLDERS.items():
            for file in sorted((ROOT / folder).iterdir()):
                origin = f"{folder}/{file.name}"
                if file.suffix == ".md":
                    place = INDEX.get(origin, f"{to}/{file.name}")
                    self.add(place, file.read_text(), origin)
                else:
                    self.files[f"{to}/{file.name}"] = file.read_bytes()
                    self.places[origin] = f"{to}/{file.name}"
        for file in sorted((ROOT / "docs/site").rglob("*")):
            place = str(file.relative_to(ROOT / "docs/site"))
            if file.suffix == ".md":
                self.add(place, file.read_text(), f"docs/site/{place}")
            elif file.suffix in (".css", ".svg", ".png", ".js"):
                self.files[place] = file.read_bytes()
        self.places["README.md"] = "index.md"
        self.places["docs/studies"] = "studies/index.md"

    # Links

    def place_of(self, origin):
        """Where a file or folder of the repository is in the site; None: it does not exist."""
        origin = origin.rstrip("/")
        if origin in self.places:
            return self.places[origin]
        path = ROOT / origin
        if not path.exists() or origin.startswith(".."):
            return None
        if path.is_dir():
            self.places[origin] = place = f"files/{origin}/index.md"
            entries = [
                f"- [{entry.name}]({posixpath.relpath(origin + '/' + entry.name, origin)})"
                for entry in sorted(path.iterdir())
                if not entry.name.startswith((".", "__"))
            ]
            self.add(place, f"# {origin}\n\n" + "\n".join(entries) + "\n", origin + "/.")
            self.places[origin] = place
        elif path.suffix in (".svg", ".png"):
            self.places[origin] = place = f"files/{origin}"
            self.files[place] = path.read_bytes()
        else:
            self.places[origin] = place = f"files/{origin}.html"
            self.files[place] = source_page(origin, path.read_text(errors="replace")).encode()
        return place

    def target(self, place, link):
        """The link of a page, as the site has it."""
        if re.match(r"\w+:|#|$", link):
            return link
        path, _, anchor = link.partition("#")
        here = posixpath.dirname(place)
        there = posixpath.normpath(posixpath.join(here, path))
        if there not in self.pages and there not in self.files:
            origin = self.origins.get(place)
            if origin is None:
                return link
            path = posixpath.join(posixpath.dirname(origin), path)
            there = self.place_of(posixpath.normpath(path))
            if there is None:
                return link  # the check of links names it
        return posixpath.relpath(there, here or ".") + ("#" + anchor if anchor else "")

    def link_to(self, place, origin):
        """A link from a page to a file of the repository."""
        return posixpath.relpath(self.place_of(origin), posixpath.dirname(place) or ".")

    def linked(self, place):
        """The Markdown of a page, with links as the site has them."""

        def change(line):
            line = re.sub(
                r"\]\(([^()\s]+)\)", lambda match: f"]({self.target(place, match[1])})", line
            )

            def source(match):
                path = match[1]
                if "/" not in path or not (ROOT / path).is_file():
                    return match[0]
                return f"[`{path}`]({self.link_to(place, path)})"

            folders = "actors|src|tests|scenarios|docs|tools"
            return re.sub(rf"(?<!\[)`((?:{folders})/[\w./-]+)`", source, line)

        text = self.pages[place]
        if self.origins.get(place, "docs/site/").startswith("docs/site/"):
            text = self.formulas.marked(text)
        return for_mkdocs(outside_code(text, change))

    def write(self, folder):
        done = set()
        while len(done) < len(self.pages):  # links add pages
            for place in [place for place in self.pages if place not in done]:
                done.add(place)
                path = folder / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self.linked(place))
        for place, content in self.files.items():
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def source_page(origin, text):
    """A file of the repository as a page of its own."""
    up = "../" * (origin.count("/") + 1)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(origin)}'
        f' - Posse</title><link rel="stylesheet" href="{up}site.css">\n</head>\n'
        f'<body class="source"><p><a href="{up}index.html">Posse</a> / {html.escape(origin)}</p>\n'
        f"<pre>{html.escape(text)}</pre></body></html>\n"
    )
