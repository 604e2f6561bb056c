# SPDX-License-Identifier: Apache-2.0
"""Assembles the source of the site, runs mkdocs, and checks the links."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from .algorithms import add_figures, algorithms
from .interfaces import c_page, cpp_page, python_page
from .links import broken_links
from .pages import Site
from .program import Failed, Posse, ROOT
from .reference import command_line_page, components_page, keys_page, lists_page, metrics_page


def highlighting():
    """The colours of code, where Pygments is installed."""
    try:
        from pygments.formatters import HtmlFormatter
    except ImportError:
        return ""
    light = HtmlFormatter(style="tango").get_style_defs(".codehilite")
    dark = HtmlFormatter(style="github-dark").get_style_defs("[data-theme=dark] .codehilite")
    return light + "\n" + dark


def repair(site):
    """Debian's theme `readthedocs` has jQuery under another name than its pages ask for, and lacks
    theme_extra.js, which makes wide tables scroll."""
    jquery = next(site.glob("js/jquery*.js"))
    for file in site.rglob("*.html"):
        text = file.read_text()
        up = os.path.relpath(site, file.parent)
        text = text.replace("</head>", f'<script src="{up}/site.js"></script>\n</head>', 1)
        for script in set(re.findall(r'<script src="([^":]*)"', text)):
            target = (file.parent / script).resolve()
            if target.exists() or file.name == "404.html":
                continue
            if target.name.startswith("jquery"):
                shutil.copy(jquery, target)
            else:
                text = re.sub(rf'\s*<script src="{re.escape(script)}"[^>]*></script>', "", text)
        # A section of the navigation leads to its first page.
        text = re.sub(
            r'(<a class="reference internal[^"]*" href=")#(">[^<]*</a>\s*<ul[^>]*>\s*<li[^>]*>'
            r'<a class="reference internal[^"]*" href="([^"]*)")',
            r"\1\3\2",
            text,
        )
        text = text.replace("<table>", '<div class="wy-table-responsive"><table class="docutils">')
        text = text.replace("</table>", "</table></div>")
        file.write_text(text)


def make_searchable(site):
    """The index of the search as a script that pages opened from files can load, too."""
    index = json.loads((site / "search/search_index.json").read_text())
    for file in ("search_index.json", "main.js", "worker.js"):  # site.js takes their place
        (site / "search" / file).unlink()
    text = json.dumps(index["docs"], ensure_ascii=False, separators=(",", ":"))
    (site / "search/index.js").write_text(f"var searchDocuments = {text};\n")


def build(program, out):
    mkdocs = shutil.which("mkdocs")
    if not mkdocs:
        raise Failed("mkdocs is missing; on Debian: apt-get install mkdocs")
    if not Path(program).exists():
        raise Failed(f"{program} is missing: tools/posse --version builds it, --posse names one")
    posse = Posse(str(Path(program).resolve()))
    source = out.parent / (out.name + "-source")
    for folder in (source, out):
        shutil.rmtree(folder, ignore_errors=True)
    source.mkdir(parents=True)
    site = Site()
    site.add_documents()
    site.add("reference/keys.md", keys_page(posse))
    site.add("reference/components.md", components_page(posse))
    site.add("reference/command-line.md", command_line_page(posse))
    site.add("reference/metrics.md", metrics_page(posse))
    site.add("reference/lists.md", lists_page(posse))
    site.add("reference/python.md", python_page())
    site.add("reference/c.md", c_page())
    site.add("reference/cpp.md", cpp_page())
    add_figures(site, posse)
    nav = algorithms(site, posse)
    site.files["code.css"] = highlighting().encode()
    site.write(source / "docs")
    settings = (ROOT / "docs/site/mkdocs.yml").read_text()
    (source / "mkdocs.yml").write_text(settings.replace("    ALGORITHMS", "\n".join(nav)))
    result = subprocess.run(
        [mkdocs, "build", "--strict", "--site-dir", str(out.resolve())],
        cwd=source,
        capture_output=True,
        text=True,
    )
    if result.returncode != 0:
        said = [
            line
            for line in (result.stdout + result.stderr).splitlines()
            if not line.startswith(("INFO", "  - ", "      "))
        ]
        raise Failed("mkdocs failed:\n" + "\n".join(said))
    site.formulas.put_into(out)
    make_searchable(out)
    repair(out)
    broken, count, pages = broken_links(out)
    if broken:
        raise Failed("broken links:\n  " + "\n  ".join(sorted(set(broken))))
    print(f"{out}/index.html: {pages} pages, {count} links, none broken")
