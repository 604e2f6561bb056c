# SPDX-License-Identifier: Apache-2.0
"""A page for each algorithm, and the figures of hand-written pages: runs of the program."""

import re
import tempfile
import tomllib
from pathlib import Path

from .markdown import cell, fenced, plain, sentence, table
from .program import Failed, ROOT
from .reference import parameter_table


class Papers:
    """PAPERS.md, by algorithm."""

    def __init__(self):
        self.text = (ROOT / "PAPERS.md").read_text()
        self.rows = []  # of the tables that name kinds
        for heads, rows in tables_of(self.text):
            if "kind" in heads:
                self.rows += [dict(zip(heads, row)) for row in rows]
        self.bibtex = dict(re.findall(r"(?ms)^(?=@\w+\{([\w:-]+),)(.*?^\})", self.text))

    def of(self, kind):
        return [row for row in self.rows if f"`{kind}`" in row["kind"]]


def tables_of(text):
    """(heads, rows) of each table, as texts of cells."""
    found, rows = [], []
    for line in text.split("\n") + [""]:
        if line.startswith("|"):
            rows.append([part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            found.append((rows[0], rows[2:]))
            rows = []
    return found


def systems():
    """kind -> the section of actors/README.md about its system: (folder, text without heading)"""
    found = {}
    for section in (ROOT / "actors/README.md").read_text().split("\n## ")[1:]:
        folder, _, body = section.partition("\n")
        kinds = re.search(r"algorithms: ([^;]*);", body)
        for kind in re.findall(r"`([\w-]+)`", kinds[1] if kinds else ""):
            found[kind] = (folder.strip(), body.split("\n", 2)[2].strip())
    return found


def scenario_of(kind, settings):
    """The scenario that a page begins with, and draws its figures from."""
    lines = ["seed = 1", f"repeat = {settings.get('repeat', 5)}", ""]
    lines += ["[[algorithm]]", f'kind = "{kind}"', *settings.get("parameters", []), ""]
    if "baseline" in settings:
        lines += ["[[algorithm]]", f'kind = "{settings["baseline"]}"']
        lines += [*settings.get("baseline_parameters", []), ""]
    if "arm" in settings:
        lines += ["[[arm]]", *settings["arm"], "", "[budget]", f"pulls = {settings['pulls']}", ""]
    else:
        lines += ["[population]", f"clients = {settings['clients']}", ""]
    if "objective" in settings:
        lines += ["[objective]", *settings["objective"], ""]
        lines += ["[budget]", f"evaluations_per_client = {settings['evaluations']}", ""]
    lines += [
        "[network]",
        'latency = { kind = "exponential", mean = "40 ms", floor = "10 ms" }',
        "loss = 0.01",
        'transport = "reliable"',
    ]
    if kind != "echo":
        lines += ["", "[compute]", 'evaluation = "1 ms"']
    return "\n".join(lines) + "\n"


def run_and_draw(posse, kind, scenario, settings):
    """What `posse run` prints about the algorithm, and its figures: kind of plot -> SVG."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / f"{kind}.toml").write_text(scenario)
        output = posse("run", f"{kind}.toml", "--threads", "1", "--out", "runs", cwd=folder)
        figures = {}
        for plot in settings["figures"]:
            options = []
            if plot == "sequence":
                options = ["--algorithm", kind, "--repetition", "0", *settings["sequence"]]
            posse("plot", f"runs/{kind}", "--kind", plot, *options, "--out", "plot.svg", cwd=folder)
            figures[plot] = (folder / "plot.svg").read_bytes()
    part = re.search(rf"(?ms)^{re.escape(kind)}  \(.*?(?=\n\n|\Z)", output)
    return part[0] if part else "", figures


def facts_of(entry):
    """A list of what `posse describe` says about an algorithm, besides parameters and messages."""
    needs = {
        "objective": "`[objective]` and `[budget] evaluations_per_client`",
        "arm": "`[[arm]]` and `[budget] pulls`",
    }
    policies = "none: it waits for all"
    if entry.get("uses_server_policy"):
        policies = "all, quorum, deadline"
    facts = {
        "Topology": entry.get("topology", ""),
        "Needs": needs.get(entry.get("needs"), "`[population]` only"),
        "Server policies": policies,
        "After a crash with loss of state": plain(entry.get("state_loss", "")),
    }
    return [f"- **{name}**: {value}" for name, value in facts.items() if value]


def sources_of(kind, entry, papers):
    """The papers of an algorithm, where they are implemented, and their BibTeX entries."""
    lines, keys = [plain(entry["source"]) + ".", ""], []
    for row in papers.of(kind):
        if "paper" in row:
            lines.append(f"- {row['paper']}. Implemented: {row['implemented']}.")
            keys.append(row["key"].strip("`"))
        else:
            lines.append(
                f"- {row['kind']}: Posse's own variant, built on {row['built on']}. Implemented:"
                f" {row['folder']}."
            )
            keys += re.findall(r"`([a-z]+\d{4}\w+)`", row["built on"])
    lines += [
        "",
        "[Papers](../papers.md#deviations-and-errata) lists where Posse departs from the papers, and"
        " why.",
        "",
    ]
    entries = [papers.bibtex[key] for key in dict.fromkeys(keys) if key in papers.bibtex]
    return lines + ([fenced("\n".join(entries), "bibtex")] if entries else [])


def playthrough_of(kind, place, site):
    """The beginning of the recorded run of an algorithm, with the fields of its messages."""
    golden = f"tests/golden/algorithms/{kind}.txt"
    if not (ROOT / golden).exists():
        return []
    shown = (ROOT / golden).read_text().split("\n")[1:23]
    return [
        "The beginning of a small run, with the fields of each message. A test compares every line"
        f" with [the whole record]({site.link_to(place, golden)}).",
        "",
        fenced("\n".join(shown) + "\n…"),
    ]


def algorithm_page(site, posse, kind, summary, settings, papers, system):
    place = f"algorithms/{kind}.md"
    entry = posse.described("algorithms", kind)
    scenario = scenario_of(kind, settings)
    printed, figures = run_and_draw(posse, kind, scenario, settings)
    beside = f" beside {settings['baseline']}" if "baseline" in settings else ""
    captions = {
        "regret": f"Cumulative regret{beside}, from the scenario below",
        "simple-regret": f"Simple regret{beside}, from the scenario below",
        "sequence": "The first messages of the scenario below",
        "arm-pulls": "Pulls of each arm, from the scenario below",
    }
    folder, messages = system
    lines = [f"# {kind}", "", plain(sentence(summary)), "", *facts_of(entry), ""]
    lines += ["## What it does", "", settings["what"].strip(), ""]
    if "formulas" in settings:
        lines += ["## Formulas", "", settings["formulas"].strip(), ""]
    lines += ["## When to use it", "", settings["when"].strip(), ""]
    for plot, picture in figures.items():
        site.files[f"algorithms/{kind}-{plot}.svg"] = picture
        lines += [f"![{captions[plot]}]({kind}-{plot}.svg)", "", f"*{captions[plot]}.*", ""]
    lines += ["## Paper", "", *sources_of(kind, entry, papers)]
    lines += ["## A scenario to start from", "", fenced(f"# {kind}.toml\n{scenario}", "toml")]
    lines += ["`posse check -v` prints it with all defaults.", ""]
    lines += ["## Bounds beside measurements", ""]
    lines += ["What `posse run` prints about this algorithm for the scenario above."]
    lines += ["[Bounds](../manual/results.md#bounds) explains the kinds of bounds.", ""]
    lines += [fenced(f"$ posse run {kind}.toml\n…\n{printed}\n…", "console")]
    lines += ["## Messages", ""]
    lines += [f"Folder: [`actors/{folder}`]({site.link_to(place, f'actors/{folder}')}).", ""]
    lines += [rebased(messages), "", *playthrough_of(kind, place, site)]
    lines += ["## Parameters", "", parameter_table(entry["parameters"])]
    site.add(place, "\n".join(lines))


def rebased(text):
    """A part of actors/README.md in a page of algorithms/."""
    return re.sub(r"\]\(\.\./PAPERS\.md", "](../papers.md", text)


def algorithms(site, posse):
    """A page per algorithm and an index; the lines of the navigation."""
    about = tomllib.loads((ROOT / "docs/site/algorithms/about.toml").read_text())
    listed = posse.names("algorithms")
    grouped = [kind for group in about["group"] for kind in group["kinds"]]
    for what, kinds in (
        ("not in a group of", set(listed) - set(grouped)),
        ("in a group, but unknown to posse:", set(grouped) - set(listed)),
        ("without a text in", set(grouped) - set(about["algorithm"])),
    ):
        if kinds:
            raise Failed(f"{', '.join(sorted(kinds))}: {what} docs/site/algorithms/about.toml")
    papers, by_system = Papers(), systems()
    index = [
        "# Algorithms",
        "",
        "By problem. `posse describe KIND` prints the parameters of a kind; variants marked as"
        " experimental are Posse's own.",
        "",
    ]
    nav = ["    - Overview: algorithms/index.md"]
    for group in about["group"]:
        index += [f"## {group['title']}", "", group["text"].strip(), ""]
        rows = [[f"[`{kind}`]({kind}.md)", cell(plain(listed[kind]))] for kind in group["kinds"]]
        index += [table(["kind", "what it is"], rows)]
        nav.append(f"    - {group['title']}:")
        for kind in group["kinds"]:
            nav.append(f"      - {kind}: algorithms/{kind}.md")
            settings = {**group, **about["algorithm"][kind]}
            system = by_system[kind]
            algorithm_page(site, posse, kind, listed[kind], settings, papers, system)
    site.add("algorithms/index.md", "\n".join(index))
    return nav


def add_figures(site, posse):
    """The pictures of hand-written pages, from the files that these pages show."""
    for figure in tomllib.loads((ROOT / "docs/site/figures.toml").read_text())["figure"]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            page = (ROOT / "docs/site" / figure["page"]).read_text()
            for file, rest in re.findall(r"(?ms)^```\w+\n# ([\w./-]+\.\w+)\n(.*?)^```", page):
                (folder / file).write_text(rest)
            for command in figure["commands"]:
                posse(*command, cwd=folder)
            site.files[figure["file"]] = (folder / "figure.svg").read_bytes()
