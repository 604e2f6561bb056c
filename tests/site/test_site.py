# SPDX-License-Identifier: Apache-2.0
"""The documentation site can be built, and no link in it is broken."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ["POSSE_SOURCE_DIR"])
PROGRAM = os.environ["POSSE_EXECUTABLE"]
sys.path.insert(0, str(ROOT / "docs/site"))

from needs import needs  # noqa: E402

from maker.formulas import Formulas  # noqa: E402
from maker.links import broken_links  # noqa: E402
from maker.markdown import for_mkdocs  # noqa: E402
from maker.program import Failed  # noqa: E402


class Site(unittest.TestCase):
    def test_the_site_is_built_and_no_link_is_broken(self):
        needs(self, "mkdocs", "pygments")
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "site"
            result = subprocess.run(
                [sys.executable, ROOT / "tools/site", "--posse", PROGRAM, "--out", out],
                capture_output=True,
                text=True,
            )
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("none broken", result.stdout)
            for kind in subprocess.check_output(
                [PROGRAM, "list", "algorithms", "--json"], text=True
            ).split('"name": "')[1:]:
                page = out / "algorithms" / (kind.split('"')[0] + ".html")
                self.assertRegex(page.read_text(), r'<img [^>]*src="[^"]*\.svg"', page)
            self.assertTrue((out / "search/index.js").read_text().startswith("var searchDocuments ="))
            self.assertFalse((out / "search/search_index.json").exists())
            for file in out.rglob("*.html"):
                self.assertNotIn("katexformula", file.read_text(), file)
                others = r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"'
                loaded = re.findall(others, file.read_text())
                self.assertEqual(loaded, [], f"{file} loads from other hosts")

    def test_formulas_are_rendered(self):
        needs(self, "katex")
        formulas = Formulas()
        text = "With \\(x_i < 1\\):\n\n$$ \\sqrt{x_i} $$\n\n```\n$$ code $$\n```\n"
        marked = formulas.marked(text)
        self.assertEqual(
            marked,
            "With katexformula0x:\n\nkatexformula1x\n\n```\n$$ code $$\n```\n",
        )
        inline, display = formulas.rendered()
        self.assertIn('<span class="katex">', inline)
        self.assertIn("katex-display", display)
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "search").mkdir()
            (site / "a.html").write_text(f"<head></head><p>{marked}</p>")
            (site / "search/search_index.json").write_text(json.dumps({"text": marked}))
            formulas.put_into(site)
            page = (site / "a.html").read_text()
            self.assertNotIn("katexformula", page)
            self.assertIn('href="./katex/katex.css"', page)
            index = json.loads((site / "search/search_index.json").read_text())
            self.assertIn("\\sqrt{x_i}", index["text"])
            style = (site / "katex/katex.css").read_text()
            fonts = set(re.findall(r"url\(([^)]*)\)", style))
            self.assertEqual([font for font in fonts if not (site / "katex" / font).exists()], [])
        wrong = Formulas()
        wrong.marked("$$ \\sqrt{ $$")
        with self.assertRaisesRegex(Failed, "KaTeX failed"):
            wrong.rendered()

    def test_broken_links_anchors_and_images_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "a.html").write_text(
                '<h1 id="top">A</h1><a href="b.html">1</a><a href="b.html#there">2</a>'
                '<a href="b.html#gone">3</a><a href="c.html">4</a><img src="d.svg">'
                '<a href="#top">5</a><a href="https://example.org/">6</a>'
                '<script src="https://example.org/e.js"></script>'
            )
            (site / "b.html").write_text('<h2 id="there">B</h2>')
            broken, count, pages = broken_links(site)
            self.assertEqual(
                broken,
                [
                    "a.html: b.html#gone: no such anchor",
                    "a.html: c.html: no such page or file",
                    "a.html: d.svg: no such page or file",
                    "a.html: https://example.org/e.js is on another host",
                ],
            )
            self.assertEqual((count, pages), (8, 2))

    def test_lists_and_tables_begin_after_an_empty_line_and_code_is_left_alone(self):
        given = "Words:\n- a\n  b\n- c\n\n```\nWords:\n- d\n```\nWords\n| e | `f \\| g` |"
        wanted = "Words:\n\n- a\n  b\n- c\n\n```\nWords:\n- d\n```\nWords\n\n| e | `f | g` |"
        self.assertEqual(for_mkdocs(given), wanted)


if __name__ == "__main__":
    unittest.main()
