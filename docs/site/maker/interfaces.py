# SPDX-License-Identifier: Apache-2.0
"""The reference of the Python package, from its docstrings, and of the C and C++ interfaces."""

import ast
import re

from .markdown import cell, fenced, plain, table
from .program import ROOT


def docstring(node):
    """A docstring as Markdown: aligned columns become preformatted text."""
    text = ast.get_docstring(node, clean=False) or ""
    if text:  # Not cleaned by ast, which would take the indentation of code for that of the text.
        text = text.replace("\n" + " " * node.body[0].col_offset, "\n").strip()
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith("    "):
            paragraphs.append(paragraph)
        elif re.search(r"^\w[\w.,() ]*\s{2,}\S", paragraph, re.M):
            paragraphs.append(fenced(paragraph).rstrip())
        else:
            paragraphs.append(plain(paragraph).replace("\n    ", "\n"))
    # Code right after the sentence that announces it.
    return re.sub(r"\n(?=    \S)", "\n", "\n\n".join(paragraphs))


def signature(function, name, method=False):
    arguments = ast.unparse(function.args)
    if method:
        arguments = re.sub(r"^self(, )?", "", arguments)
    return f"{name}({arguments})"


def is_property(node):
    return any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)


def python_class(node, classes):
    bases = [base for base in node.bases if ast.unparse(base) in classes]
    functions = [member for member in node.body if isinstance(member, ast.FunctionDef)]
    init = next((function for function in functions if function.name == "__init__"), None)
    head = signature(init, node.name, True) if init else node.name
    lines = [f"### {node.name}", "", fenced(f"class {head}", "python"), docstring(node), ""]
    if bases:
        names = ", ".join(f"`{ast.unparse(base)}`" for base in bases)
        lines += [f"Has the attributes and methods of {names}.", ""]
    rows = []
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and not ast.unparse(member.target).startswith("_"):
            default = f" = {ast.unparse(member.value)}" if member.value else ""
            hint = ast.unparse(member.annotation)
            rows.append([f"`{ast.unparse(member.target)}: {hint}{default}`", ""])
        if not isinstance(member, ast.FunctionDef) or member.name.startswith("_"):
            continue
        shown = member.name if is_property(member) else signature(member, member.name, True)
        rows.append([f"`{shown}`", cell(plain(ast.get_docstring(member) or ""))])
    if rows:
        lines += [table(["member", "meaning"], [[cell(a), b] for a, b in rows])]
    return lines


def python_page():
    package = ROOT / "src/python/posse"
    found = {}
    modules = {}
    for file in sorted(package.glob("*.py")):
        tree = modules[file.stem] = ast.parse(file.read_text())
        for node in tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found.setdefault(node.name, node)
            elif isinstance(node, ast.Assign) and file.stem != "__init__":
                for target in node.targets:
                    found.setdefault(ast.unparse(target), node)
    init = modules["__init__"]
    public = next(
        ast.literal_eval(node.value)
        for node in init.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    classes = {name for name, node in found.items() if isinstance(node, ast.ClassDef)}
    lines = [
        "# Python",
        "",
        "Every public name of the package `posse`, from its docstrings. [Posse from"
        " Python](../manual/python.md) introduces the package; [a tutorial page](../tutorial/07-python.md)"
        " begins from nothing.",
        "",
    ]
    functions = [name for name in public if isinstance(found.get(name), ast.FunctionDef)]
    lines += ["## Functions", ""]
    for name in functions:
        lines += [f"### {name}", "", fenced(signature(found[name], name), "python")]
        lines += [docstring(found[name]), ""]
    lines += ["## Classes", ""]
    for name in sorted(set(public) & classes):
        lines += python_class(found[name], classes)
    inner = sorted(
        {
            ast.unparse(base)
            for name in set(public) & classes
            for base in found[name].bases
            if ast.unparse(base) in classes and ast.unparse(base) not in public
        }
    )
    for name in inner:
        lines += python_class(found[name], classes)
    rest = [name for name in public if name not in functions and name not in classes]
    rows = [
        [
            f"`{name}`",
            f"`{cell(ast.unparse(found[name]))}`" if name in found else OTHER_NAMES.get(name, ""),
        ]
        for name in rest
    ]
    lines += ["## Other names", "", table(["name", "what it is"], rows)]
    lines += ["## posse.pyxab", "", "The classes with PyXAB's names;"]
    lines += ["[Posse from Python](../manual/python.md#scripts-for-pyxab) says how to use them.", ""]
    meanings = {}
    for file in sorted((package / "pyxab").glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                first = (ast.get_docstring(node) or "").split("\n\n")[0]
                meanings[node.name] = cell(plain(first))
    rows = [
        [f"`posse.pyxab.{part}.{module}.{name}`", meanings[name]]
        for part, modules in pyxab_modules(package).items()
        for module, names in modules.items()
        for name in names
    ]
    lines += [table(["name", "meaning"], rows)]
    return "\n".join(lines)


def pyxab_modules(package):
    """The names of the modules of posse.pyxab, by package and module."""
    for node in ast.parse((package / "pyxab/__init__.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_MODULES":
            return {
                ast.literal_eval(part): ast.literal_eval(entry.elts[1])
                for part, entry in zip(node.value.keys, node.value.values, strict=True)
            }
    raise ValueError("posse.pyxab has no _MODULES")


OTHER_NAMES = {
    "ScenarioError": "a `ValueError`: all mistakes of a scenario, or a learner's wrong arguments",
    "FileError": "an `OSError`: a file can't be read or written",
    "load_plugin": "`load_plugin(file)`: loads algorithms from a shared library, as `posse --plugin FILE`",
    "__version__": "the version, a string",
}


def c_page():
    text = (ROOT / "src/program/library/posse.h").read_text()
    lines = [
        "# C",
        "",
        "The header `posse.h` in full, in its own sections. [Posse as a library](../manual/library.md)"
        " says how to build with it, [Use Posse from C](../how-to/c.md) shows a program.",
        "",
    ]
    pieces = re.split(r"/\* -{4} (.*?) -+ \*/\n", text)
    for title, piece in zip(["Statuses and errors", *pieces[1::2]], pieces[::2]):
        lines += [f"## {title.split(':')[0]}", "", fenced(piece.strip(), "c")]
    return "\n".join(lines)


def first_comment(text):
    """What a header says of itself."""
    lines = []
    for line in text.splitlines()[1:]:  # below the licence
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").removeprefix(" "))
    return "\n".join(lines)


def cpp_page():
    """The headers of posse/role.hpp, with what they say of themselves and their declarations."""
    role = (ROOT / "src/program/library/role.hpp").read_text()
    lines = [
        "# C++",
        "",
        "An algorithm of one's own includes `posse/role.hpp`, which has the headers below; a program of"
        " one's own includes `posse/program.hpp`. [Posse as a library](../manual/library.md) says how to"
        " build with them.",
        "",
    ]
    for header in re.findall(r'#include "([^"]+)"', role):
        path = header if header.startswith("actors/") else f"src/{header}"
        text = (ROOT / path).read_text()
        declared = text.partition("#pragma once\n")[2].strip()
        lines += [f"## {header}", "", fenced(first_comment(text)), fenced(declared, "cpp")]
    return "\n".join(lines)
