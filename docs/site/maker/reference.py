# SPDX-License-Identifier: Apache-2.0
"""Pages made from what the program says of itself: keys, components, commands, metrics, lists."""

import json
import re

from .markdown import cell, fenced, plain, sentence, table
from .program import Failed

CATEGORIES = {  # of `posse list`, besides algorithms: heading, where a scenario names them
    "objectives": ("Objectives", "`objective.kind`"),
    "heterogeneity": ("Differences between clients", "`objective.heterogeneity`"),
    "noises": ("Noise", "`objective.noise`"),
    "arms": ("Arms", "`[[arm]] kind`"),
    "optimizers": ("Base optimizers", "parameter `optimizer` of arms"),
    "latencies": ("Durations and latencies", "`network.latency`, `compute.evaluation` and others"),
    "losses": ("Losses", "`network.loss`"),
    "faults": ("Faults", "`[[fault]] kind`; their keys are those of [`[[fault]]`](keys.md#fault)"),
}


def default_of(entry):
    if entry.get("required"):
        return "required"
    return f"`{entry['default']}`" if entry.get("default") else ""


def parameter_rows(parameters):
    return [
        [
            f"`{entry['name']}`",
            entry["type"],
            cell(plain(entry["meaning"])),
            cell(plain(entry["values"])),
            default_of(entry),
            entry.get("unit", ""),
        ]
        for entry in parameters
    ]


HEADS = ["name", "type", "meaning", "values", "default", "unit"]


def parameter_table(parameters):
    return table(HEADS, parameter_rows(parameters)) if parameters else "No parameters.\n"


def keys_page(posse):
    """Every section and key of a scenario."""
    to_manual = "../manual/scenario.md"
    lines = [
        "# Keys of a scenario",
        "",
        "All sections of a scenario file and their keys, from the program's own tables"
        f" (`posse describe SECTION`). The page [The keys of a scenario]({to_manual}) explains them"
        " with examples; [Components](components.md) has what a `kind` can be. `posse schema` prints"
        " the same as a JSON schema for editors.",
        "",
        "Sections in double brackets may occur several times.",
        "",
    ]
    seen = {}
    for name in ["top of the file", *posse.names("sections")]:
        for section in described_sections(posse, name):
            if section["name"] in seen:
                continue
            seen[section["name"]] = section
            name_in_file = section["name"]
            title = name_in_file or "Top of the file"
            if name_in_file:
                title = f"`[[{name_in_file}]]`" if section["array"] else f"`[{name_in_file}]`"
            lines += [f"## {title}", "", sentence(section["summary"]), ""]
            own = f"a section of its own, `[[{section['name']}.%s]]`"
            rows = [
                [
                    f"`{key['name']}`",
                    key["type"],
                    cell(key.get("meaning", own % key["name"])),
                    cell(key.get("values", "")),
                    "required" if key.get("required") else cell(key.get("default", "")),
                    key.get("unit", ""),
                ]
                for key in section["keys"]
            ]
            text = table(HEADS, rows) if rows else ""
            # Links within docs/scenario.md.
            text = re.sub(r"\]\(#", f"]({to_manual}#", text)
            lines += [text]
            if section.get("has_parameters"):
                lines += ["Further keys: the parameters of the `kind`.", ""]
            if section.get("any_key"):
                lines += ["The keys are chosen by the user.", ""]
    missing = set(schema_keys(posse)) - {
        (name, key["name"]) for name, section in seen.items() for key in section["keys"]
    }
    if missing:
        raise Failed(f"keys of `posse schema` that no section describes: {sorted(missing)}")
    return "\n".join(lines)


def described_sections(posse, name):
    if name == "top of the file":
        properties = json.loads(posse("schema"))["properties"]
        keys = []
        for key, value in properties.items():
            if value["type"] in ("object", "array"):
                continue
            meaning, _, rest = value["description"].partition("; ")
            if key == "label":
                meaning, _, rest = value["description"].rpartition("; one line")
                rest = "one line" + rest
            values, _, default = rest.rpartition("; default: ")
            entry = {"name": key, "type": value["type"], "meaning": meaning}
            keys.append(entry | {"values": values, "default": default})
        summary = "name, label, seed, repetitions"
        return [{"name": "", "array": False, "summary": summary, "keys": keys}]
    return posse.described("sections", name)["sections"]


def schema_keys(posse):
    """(section, key) of every key of the schema whose sections are tables of named keys."""
    for section, value in json.loads(posse("schema"))["properties"].items():
        if value["type"] not in ("object", "array"):
            yield "", section
            continue
        if section in ("algorithm", "arm", "objective", "inputs", "thresholds", "sweep"):
            continue  # these also take parameters of components
        properties = value.get("properties") or value.get("items", {}).get("properties", {})
        for key, inner in properties.items():
            if inner.get("type") == "array" and "properties" in inner.get("items", {}):
                continue  # a section of its own
            yield section, key


def components_page(posse):
    lines = [
        "# Components",
        "",
        "What a scenario can select by `kind`, besides [algorithms](../algorithms/index.md), with all"
        " parameters. A parameter that is required has no default.",
        "",
    ]
    for category, (title, where) in CATEGORIES.items():
        lines += [f"## {title}", "", f"In a scenario: {where}.", ""]
        for name, summary in posse.names(category).items():
            entry = posse.described(category, name)
            lines += [f"### {name}", "", plain(sentence(summary)), ""]
            if category in ("faults",):
                continue
            source = entry.get("source")
            if source:
                lines += [f"Source: {plain(source)}.", ""]
            lines += [parameter_table(entry.get("parameters", []))]
    return "\n".join(lines)


def metrics_page(posse):
    rows = []
    for name, summary in posse.names("metrics").items():
        entry = posse.described("metrics", name)
        labels = ", ".join(f"`{label}`" for label in entry.get("labels", []))
        rows.append([f"`{name}`", entry.get("type", ""), labels, cell(plain(summary))])
    return (
        "# Metrics\n\nWhat `posse run --metrics` serves for Prometheus, and `--push` sends."
        " [Watching runs](../manual/watching.md) says how.\n\n"
        + table(["metric", "type", "labels", "meaning"], rows)
    )


def lists_page(posse):
    """Measures, checks, figures and exit codes."""
    parts = ["# Measures, figures, exit codes\n"]
    for category, title, text in (
        ("measures", "Measures", "For `--measure`, `--until-ci` and `[thresholds]`."),
        ("checks", "Checks of claims", "For [claims files](../manual/claims.md)."),
        ("figures", "Figures of papers", "For `posse reproduce`."),
        ("exit-codes", "Exit codes", "Of the program."),
    ):
        rows = [
            [f"`{name}`", cell(plain(summary))] for name, summary in posse.names(category).items()
        ]
        parts.append(f"## {title}\n\n{text}\n\n" + table(["name", "meaning"], rows))
    return "\n".join(parts)


def command_line_page(posse):
    text = posse("--help")
    verbs = re.findall(r"^  (\w[\w-]*) {2,}\S", text, re.M)
    lines = ["# Command line", "", "The output of `posse --help`, and of `posse VERB --help`.", ""]
    lines += [fenced(text)]
    for verb in verbs:
        lines += [f"## posse {verb}", "", fenced(posse(verb, "--help"))]
    return "\n".join(lines)
