# SPDX-License-Identifier: Apache-2.0
"""Mutation testing: how many small errors, planted at random in the core and the actors, do the
tests find? tools/mutate starts it and says how.

1. libclang lists the places where an operator, a constant, a condition or a statement can be
   changed; COUNT of them are drawn.
2. A copy of the tree gets all of them at once, each behind a switch: `a < b` becomes
   `(posse_mutation::on(7) ? (a <= b) : (a < b))`. Changes that don't compile are dropped.
3. Each test case runs once without a change and tells which switches it passes.
4. For each change, the test cases that pass it run with it, the quickest first, until one fails.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import clang.cindex as clang

Kind = clang.CursorKind
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("core", "systems", "host", "chaos", "program")  # posse_NAME_tests
# Of the last two, what is quick enough to be run for every change that the others don't find.
PROGRAM_SECONDS = 3
EQUIVALENT = ROOT / "tests/mutation/equivalent.txt"

OPERATORS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",),
    "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "/=": ("*=",),
}  # fmt: skip
SWITCH = "posse_mutation::on({})"


class Change:
    """Source text [start, end) becomes `text`, in which {0} is the switch."""

    def __init__(self, file, start, end, text, what):
        self.file, self.start, self.end, self.text, self.what = file, start, end, text, what

    def lines(self, source):
        first = source.count(b"\n", 0, self.start) + 1
        return range(first, first + source.count(b"\n", self.start, self.end) + 1)

    def place(self, source):
        return f"{self.file}:{self.lines(source)[0]}"

    def key(self, source):
        """The changed line without its number, as equivalent.txt has it."""
        first = source.rfind(b"\n", 0, self.start) + 1
        last = source.find(b"\n", self.end)
        line = " ".join(source[first:last].decode().split())
        return f"{self.file} | {line} | {self.what}"


def is_constant(cursor, source):
    """What the compiler must know can't depend on a switch."""
    if cursor.kind in (Kind.STATIC_ASSERT, Kind.ENUM_CONSTANT_DECL):
        return True
    if cursor.kind == Kind.IF_STMT:
        return source[cursor.extent.start.offset :].startswith(b"if constexpr")
    if cursor.kind in (Kind.VAR_DECL, Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR,
                       Kind.FUNCTION_TEMPLATE):  # fmt: skip
        head = source[cursor.extent.start.offset : cursor.location.offset]
        return b"constexpr" in head or b"consteval" in head
    return False


def changes_at(cursor, parent, file, source):
    start, end = cursor.extent.start.offset, cursor.extent.end.offset
    text = source[start:end].decode()
    children = list(cursor.get_children())

    def replaced(by, what):
        return Change(file, start, end, f"({{0}} ? ({by}) : ({text}))", what)

    binary = (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR)
    operands = None
    if cursor.kind in binary and len(children) == 2:
        operands = children
    elif cursor.kind == Kind.CALL_EXPR and cursor.spelling.startswith("operator") and len(children) == 3:
        operands = [children[0], children[2]]
    if operands:
        left, right = operands[0].extent.end.offset, operands[1].extent.start.offset
        operator = source[left:right].decode().strip()
        for other in OPERATORS.get(operator, ()):
            by = source[start:left].decode() + f" {other} " + source[right:end].decode()
            yield replaced(by, f"{operator} to {other}")
    elif cursor.kind == Kind.UNARY_OPERATOR and children:
        if text.startswith(("++", "--")):
            other = "--" if text.startswith("++") else "++"
            yield replaced(other + text[2:], f"{text[:2]} to {other}")
        elif text.startswith("!"):
            yield replaced(f"!!({text[1:]})", "! dropped")
        elif text.startswith("-"):
            yield replaced(text[1:], "minus dropped")
    elif cursor.kind == Kind.INTEGER_LITERAL and re.fullmatch(r"[0-9'a-fxA-FuUlLzZ]+", text):
        yield replaced(f"{text} + 1", f"{text} to {text} + 1")
    elif cursor.kind == Kind.FLOATING_LITERAL and re.fullmatch(r"[0-9'.eE+-]+", text):
        zero = float(text.replace("'", "")) == 0
        yield replaced(f"{text} + 1" if zero else f"{text} * 1.5", f"{text} to " + ("1" if zero else f"{text} * 1.5"))
    elif cursor.kind == Kind.CXX_BOOL_LITERAL_EXPR and text in ("true", "false"):
        yield replaced(f"!{text}", f"{text} to !{text}")
    elif cursor.kind == Kind.CALL_EXPR and text.startswith(("std::min(", "std::max(")):
        other = "std::max" if text.startswith("std::min") else "std::min"
        yield replaced(other + text[8:], f"{text[:8]} to {other}")
    elif cursor.kind == Kind.IF_STMT and children and not text.startswith("if constexpr"):
        condition = children[0]
        if condition.kind.is_expression():
            a, b = condition.extent.start.offset, condition.extent.end.offset
            whole = source[a:b].decode()
            if whole.startswith("POSSE_"):  # the macro that has the `if`
                return
            yield Change(file, a, b, f"({{0}} != static_cast<bool>({whole}))", "condition negated")

    bodies = (Kind.COMPOUND_STMT, Kind.IF_STMT, Kind.FOR_STMT, Kind.CXX_FOR_RANGE_STMT, Kind.WHILE_STMT)
    if ".reserve(" in text:  # only saves time
        return
    if parent.kind in bodies and cursor.kind.is_expression() and source[end : end + 1] == b";":
        if parent.kind == Kind.FOR_STMT and list(parent.get_children())[-1] != cursor:
            return
        yield Change(file, start, start, "if ({0}) {} else ", "statement dropped")


def walk(cursor, parent, folders, sources, found):
    for child in cursor.get_children():
        file = child.location.file
        if file is None:
            continue
        name = os.path.relpath(file.name, ROOT)
        if not name.startswith(folders):
            continue
        if name not in sources:
            sources[name] = (ROOT / name).read_bytes()
        source = sources[name]
        if is_constant(child, source):
            continue
        start, end = child.extent.start, child.extent.end
        if end.offset > start.offset and start.file is not None and start.file.name == file.name:
            for change in changes_at(child, cursor, name, source):
                found[(name, change.start, change.end, change.what)] = change
        walk(child, cursor, folders, sources, found)


def list_changes(build, folders):
    """All changes of the files in `folders`, by the files that unity builds compile together."""
    commands = json.loads((build / "compile_commands.json").read_text())
    sources, found = {}, {}
    index = clang.Index.create()
    for command in commands:
        if not re.search(r"posse_(core|systems|host)\.dir", command["command"]):
            continue
        unit = index.parse(command["file"], args=["-x", "c++", *relevant_arguments(command["command"])])
        errors = [d for d in unit.diagnostics if d.severity >= 3]
        if errors:
            sys.exit(f"libclang can't read {command['file']}: {errors[0]}")
        walk(unit.cursor, unit.cursor, folders, sources, found)
        print(f"  {len(found)} changes known after {os.path.basename(command['file'])}", flush=True)
    return sources, [found[key] for key in sorted(found)]


def relevant_arguments(command):
    """Of a compiler's command: include folders, definitions and the standard."""
    words, kept = command.split(), []
    for i, word in enumerate(words):
        if word.startswith(("-I", "-D", "-std")):
            kept.append(word.replace('\\"', '"'))
        elif word == "-isystem":
            kept += [word, words[i + 1]]
    return kept


def draw(changes, count, seed):
    """`count` places that don't overlap, each with one of its changes."""
    places = collections.defaultdict(list)
    for change in changes:
        places[(change.file, change.start, change.end)].append(change)
    chance = random.Random(seed)
    order = list(places)
    chance.shuffle(order)
    drawn = []
    taken = collections.defaultdict(list)
    for place in order:
        file, start, end = place
        if any(start < e and s < end or (start, end) == (s, e) for s, e in taken[file]):
            continue
        taken[file].append((start, end))
        drawn.append(chance.choice(places[place]))
        if len(drawn) == count:
            break
    return drawn


HEADER = """#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdlib>
namespace posse_mutation {
struct State {
  int active = -1;
  unsigned char* passed = nullptr;
  State() {
    if (const char* n = std::getenv("POSSE_MUTANT")) active = std::atoi(n);
    if (const char* file = std::getenv("POSSE_MUTANTS_PASSED")) {
      const int f = open(file, O_RDWR | O_CREAT, 0600);
      if (f >= 0 && ftruncate(f, 65536) == 0)
        passed = static_cast<unsigned char*>(mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0));
      close(f);
    }
  }
};
inline bool on(int n) {
  static const State state;
  if (state.passed != nullptr) state.passed[n] = 1;
  return state.active == n;
}
}  // namespace posse_mutation
"""


def write_changed(copy, sources, drawn, alive):
    """The files with the changes whose numbers are in `alive`; files that stay equal keep their time."""
    by_file = collections.defaultdict(list)
    for number in alive:
        by_file[drawn[number].file].append(number)
    for name, source in sources.items():
        text = source
        for number in sorted(by_file[name], key=lambda n: (drawn[n].start, drawn[n].end), reverse=True):
            change = drawn[number]
            new = change.text.replace("{0}", SWITCH.format(number))
            text = text[: change.start] + new.encode() + text[change.end :]
        path = copy / name
        if path.read_bytes() != text:
            path.write_bytes(text)


def build(copy, sources, drawn, jobs):
    """Drops changes that don't compile until the tests are built; returns the others' numbers."""
    (copy / "mutation.hpp").write_text(HEADER)
    flags = f"-O2 -w -fpermissive -Wno-narrowing -include {copy}/mutation.hpp"
    out = copy / "build/mutation"
    subprocess.run(["cmake", "-S", copy, "-B", out, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=16",
                    f"-DCMAKE_CXX_FLAGS_RELEASE={flags}"], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    alive = list(range(len(drawn)))
    while True:
        write_changed(copy, sources, drawn, alive)
        made = subprocess.run(["ninja", "-C", out, f"-j{jobs}", "-k0", *(f"posse_{p}_tests" for p in PROGRAMS)],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        if made.returncode == 0:
            return out, alive
        wrong = collections.defaultdict(set)
        for name, line in re.findall(rf"{re.escape(str(copy))}/([^:\s]+):(\d+):\d+: (?:error|  required)", made.stdout):
            wrong[name].add(int(line))
        dropped = {n for n in alive if wrong[drawn[n].file] & set(drawn[n].lines(sources[drawn[n].file]))}
        if not dropped:
            print(made.stdout[-4000:])
            sys.exit("the changed tree doesn't build")
        print(f"  {len(dropped)} changes don't compile and are dropped", flush=True)
        alive = [n for n in alive if n not in dropped]


def run_case(program, case, environment, limit):
    """Seconds, or None if it fails or takes longer than `limit`."""
    name = re.sub(r"([,\\\[\]*~])", r"\\\1", case)
    begun = time.monotonic()
    try:
        done = subprocess.run([program, name, "-a"], env={**os.environ, **environment}, timeout=limit,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return time.monotonic() - begun if done.returncode == 0 else None


def all_cases(out):
    for name in PROGRAMS:
        program = str(out / f"tests/posse_{name}_tests")
        listed = subprocess.run([program, "--list-test-names-only", "~[browser]~[prometheus]~[fingerprints]"], text=True, stdout=subprocess.PIPE).stdout
        for case in listed.splitlines():
            if case.strip():
                yield program, case.strip()


def passed_by(out, jobs):
    """For each change the cases that pass it, the quickest first, with their seconds."""
    passing = collections.defaultdict(list)

    def run(program_and_case):
        program, case = program_and_case
        file = out / f"passed-{os.getpid()}-{abs(hash(program_and_case))}"
        seconds = run_case(program, case, {"POSSE_MUTANTS_PASSED": str(file)}, 600)
        bits = file.read_bytes() if file.exists() else b""
        file.unlink(missing_ok=True)
        return program, case, seconds, [n for n, bit in enumerate(bits) if bit]

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for program, case, seconds, numbers in pool.map(run, list(all_cases(out))):
            if seconds is None:
                print(f"  left out, since it fails without a change: {case}")
                continue
            last = program.endswith(("posse_chaos_tests", "posse_program_tests"))
            if last and seconds > PROGRAM_SECONDS:
                continue
            for number in numbers:
                passing[number].append((last, seconds, program, case))
    for cases in passing.values():
        cases.sort()
    return passing


def interval(caught, total):
    """Wilson's 95 % interval of a share."""
    if total == 0:
        return 0.0, 1.0
    z, p = 1.959963984540054, caught / total
    centre = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    return centre - half, centre + half


def folder_of(change):
    parts = change.file.split("/")
    return "/".join(parts[:3] if parts[0] == "src" else parts[:2])


def main():
    parser = argparse.ArgumentParser(prog="tools/mutate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--count", type=int, default=300, help="changes to draw (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--folders", nargs="+", default=["src/core/", "actors/"], help="whose files are changed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default=str(ROOT / "build/mutation"), help="the copy of the tree, and results")
    options = parser.parse_args()

    copy = pathlib.Path(options.out)
    scan = copy / "scan"
    subprocess.run(["cmake", "-S", ROOT, "-B", scan, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=16",
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    print("places that can be changed", flush=True)
    sources, changes = list_changes(scan, tuple(options.folders))
    drawn = draw(changes, options.count, options.seed)
    print(f"{len(changes)} changes, of which {len(drawn)} are drawn", flush=True)

    tree = copy / "tree"
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, stdout=subprocess.PIPE).stdout
    for name in files.decode().split("\0"):
        if name and name not in sources and (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    for name, source in sources.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).touch()
    out, alive = build(tree, sources, drawn, options.jobs)
    print(f"{len(alive)} changes are built in", flush=True)

    passing = passed_by(out, options.jobs)
    known = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []

    def judge(number):
        for _, seconds, program, case in passing[number]:
            if run_case(program, case, {"POSSE_MUTANT": str(number)}, 10 * seconds + 10) is None:
                return number, case
        return number, None

    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, case in pool.map(judge, alive):
            change = drawn[number]
            source = sources[change.file]
            equivalent = any(line.startswith(change.key(source)) for line in known)
            results.append((change, case, equivalent))
            if case is None:
                cases = len(passing[number])
                state = "equivalent" if equivalent else f"NOT FOUND by the {cases} cases that pass it" if cases else "NEVER PASSED"
                print(f"{change.place(source)}: {change.what}: {state}\n    {change.key(source).split(' | ', 1)[1]}", flush=True)

    with open(copy / "results.csv", "w") as file:
        file.write("place,change,found_by,equivalent\n")
        for change, case, equivalent in results:
            quoted = (case or "").replace('"', '""')
            file.write(f'{change.place(sources[change.file])},"{change.what}","{quoted}",{int(equivalent)}\n')
    print(f"\n{'folder':32} {'changed':>7} {'found':>6} {'equivalent':>10} {'share':>6}")
    folders = collections.defaultdict(lambda: [0, 0, 0])
    for change, case, equivalent in results:
        for name in (folder_of(change), "all"):
            row = folders[name]
            row[0] += 1
            row[1] += case is not None
            row[2] += case is None and equivalent
    for name in sorted(folders, key=lambda name: (name == "all", name)):
        total, found, equivalent = folders[name]
        share = found / (total - equivalent) if total > equivalent else 1
        print(f"{name:32} {total:7} {found:6} {equivalent:10} {share:6.0%}")
    total, found, equivalent = folders["all"]
    low, high = interval(found, total - equivalent)
    print(f"found: {found / (total - equivalent):.1%} (95 % interval {low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
