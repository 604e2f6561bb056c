# SPDX-License-Identifier: Apache-2.0
"""Formulas in TeX, rendered by KaTeX when the site is built: pages need no script for them."""

import html
import json
import os
import re
import subprocess
from pathlib import Path

from .markdown import outside_code
from .program import Failed

KATEX = Path("/usr/share/javascript/katex")  # of Debian's package libjs-katex
RENDER = """
const katex = require(process.argv[1]);
const formulas = JSON.parse(require('fs').readFileSync(0));
console.log(JSON.stringify(formulas.map(
    ({tex, display}) => katex.renderToString(tex, {displayMode: display, strict: 'error'}))));
"""


class Formulas:
    """Those of all pages: `$$ … $$` on a line of its own, \\( … \\) within a line. Marks stand for
    them while Markdown is made into HTML."""

    def __init__(self):
        self.found = []  # {tex, display}

    def marked(self, text):
        """The Markdown with marks in place of its formulas."""

        def mark(tex, display):
            self.found.append({"tex": tex.strip(), "display": display})
            return f"katexformula{len(self.found) - 1}x"

        def change(line):
            whole = re.fullmatch(r"\$\$(.+)\$\$", line.strip())
            if whole:
                return mark(whole[1], True)
            return re.sub(r"\\\((.+?)\\\)", lambda match: mark(match[1], False), line)

        return outside_code(text, change)

    def rendered(self):
        """The HTML of each formula; None without KaTeX."""
        if not KATEX.exists():
            return None
        result = subprocess.run(
            ["node", "-e", RENDER, str(KATEX / "katex.js")],
            input=json.dumps(self.found),
            capture_output=True,
            text=True,
        )
        if result.returncode != 0:
            raise Failed("KaTeX failed:\n" + result.stderr)
        return json.loads(result.stdout)

    def put_into(self, site):
        """Puts the formulas, and what shows them, into the files of the site."""
        tex = [formula["tex"] for formula in self.found]
        rendered = self.rendered()
        if rendered is None:
            print("formulas are left as TeX; on Debian: apt-get install katex")
        shown = rendered or [f"<code>{html.escape(each)}</code>" for each in tex]
        for file in site.rglob("*.html"):
            text = file.read_text()
            if "katexformula" not in text:
                continue
            if rendered is not None:
                style = f"{os.path.relpath(site, file.parent)}/katex/katex.css"
                text = text.replace("</head>", f'<link rel="stylesheet" href="{style}">\n</head>', 1)
            file.write_text(replaced(text, shown))
        index = site / "search/search_index.json"
        index.write_text(replaced(index.read_text(), [json.dumps(each)[1:-1] for each in tex]))
        if rendered is not None:
            put_style(site / "katex")


def replaced(text, by):
    return re.sub(r"katexformula(\d+)x", lambda match: by[int(match[1])], text)


def put_style(folder):
    """The style sheet, and its fonts in the format that all browsers read."""
    (folder / "fonts").mkdir(parents=True)
    style = (KATEX / "katex.min.css").read_text()
    style = re.sub(r",url\([^)]*\.(?:woff|ttf)\) format\('[^']*'\)", "", style)
    (folder / "katex.css").write_text(style)
    for font in sorted((KATEX / "fonts").glob("*.woff2")):
        (folder / "fonts" / font.name).write_bytes(font.read_bytes())
