"""Changes of Swift sources, drawn by seed: found in the compiler's syntax trees, and planted side by side into one build.

Each change stands beside the original, and an environment variable chooses which of them runs:

    if a < b { … }          if (Mutant.is(17) ? (a <= b) : (a < b)) { … }
"""

import hashlib
import json
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

BOOL, INT, NOTHING = "$sSbD", "$sSiD", ("$sytD", "$sytSgD")
OTHER_OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
KINDS = ("comparison", "and, or", "condition", "constant", "truth", "statement")
# Where a literal is no expression that runs, or one that other modules compile.
NO_LITERALS = {"parameter", "enum_element_decl", "case_label_item", "custom_attr"}
# What only ends the program is nothing that a test could notice.
NO_STATEMENTS = re.compile(rb"(precondition|assert|fatalError|preconditionFailure|assertionFailure)\b")

# Numbers are below this.
NUMBERS = 100_000

# The module that the mutated sources import. While it tells what is reached, it says of each change how long the log of
# the tests was then, which tells the test that ran.
CHOICE = f"""\
import Glibc

/// Which of the changes runs, and which were reached.
public enum Mutant {{
  private static let active = getenv("PERILUNE_MUTANT").flatMap {{ Int(String(cString: $0)) }} ?? -1
  private static let report = getenv("PERILUNE_MUTANTS_REACHED").map {{ open($0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }}
  nonisolated(unsafe) private static let reached: UnsafeMutablePointer<Int> = {{
    let lengths = UnsafeMutablePointer<Int>.allocate(capacity: {NUMBERS})
    lengths.initialize(repeating: -1, count: {NUMBERS})
    return lengths
  }}()

  public static func `is`(_ number: Int) -> Bool {{
    if let report {{ say(number, report) }}
    return number == active
  }}

  private static func say(_ number: Int, _ report: Int32) {{
    let length = lseek(STDERR_FILENO, 0, SEEK_CUR)
    guard reached[number] != length else {{ return }}
    reached[number] = length
    let line = "\\(number) \\(length)\\n"
    _ = write(report, line, line.utf8.count)
  }}

  public static func not(_ number: Int, _ value: Bool) -> Bool {{ `is`(number) ? !value : value }}

  public static func next(_ number: Int, _ value: Int) -> Int {{ `is`(number) ? value + 1 : value }}
}}
"""


@dataclass
class Mutant:
    """One change of one place."""

    file: str
    kind: str
    start: int
    end: int
    line: int
    before: str
    after: str
    whole: str = ""  # the line where it begins
    number: int = 0
    text: str = field(default="", repr=False)  # what is planted; %d is the number

    @property
    def words(self):
        """What is changed to what, in one line."""
        return f"{self.file}: {' '.join(self.before.split())} -> {' '.join(self.after.split())}"

    @property
    def place(self):
        """The line that it changes, and how."""
        return f"{self.file}: {self.whole}: {shown(self.before)} -> {shown(self.after)}"

    def __str__(self):
        return f"{self.file}:{self.line}: {shown(self.before)} -> {shown(self.after)}"


def shown(text):
    text = " ".join(text.split())
    return text if len(text) < 80 else text[:76] + " ..."


class Compiler:
    """The compiler's front end, with the modules of the debug build."""

    def __init__(self, root, modules):
        self.root, self.modules = Path(root), Path(modules)
        # Those of system libraries, and those that the build makes for targets in C.
        maps = [*self.root.glob("Sources/*/module.modulemap"), *self.modules.parent.glob("*.build/module.modulemap")]
        self.flags = [
            "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
            "InternalImportsByDefault", "-package-name", self.root.resolve().name.lower(), "-parse-as-library",
            "-I", str(self.modules), *(part for path in maps for part in ("-Xcc", f"-fmodule-map-file={path}"))]

    def trees(self, module, folder):
        """The syntax tree of each file of a module, with types and places."""
        files = sorted(str(path.relative_to(self.root)) for path in self.root.glob(f"Sources/{module}/**/*.swift"))
        folder.mkdir(parents=True, exist_ok=True)
        outputs = {file: folder / f"{number}.json" for number, file in enumerate(files)}
        self.run([
            "-dump-ast", "-dump-ast-format", "json", "-module-name", module,
            *(part for file in files for part in ("-primary-file", file)),
            *(part for output in outputs.values() for part in ("-o", str(output)))], self.root)
        for file, output in outputs.items():
            yield file, json.loads(output.read_text())
            output.unlink()

    def errors(self, module, tree, choice):
        """The files and lines of a mutated module that have no types."""
        files = sorted(str(path.relative_to(tree)) for path in tree.glob(f"Sources/{module}/**/*.swift"))
        return errors(self.run(
            ["-typecheck", "-warnings-as-errors", "-module-name", module, "-I", str(choice), *files], tree))

    def run(self, arguments, folder):
        done = subprocess.run(
            ["swiftc", "-frontend", *arguments, *self.flags], cwd=folder, capture_output=True, text=True, check=False)
        return done.stderr

    def build_choice(self, folder):
        """Compiles the module that chooses, for `errors`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "Mutants.swift").write_text(CHOICE)
        self.run(
            ["-emit-module", "-module-name", "Mutants", "-o", str(folder / "Mutants.swiftmodule"), str(folder / "Mutants.swift")],
            folder)


def errors(said):
    """The files and lines that a compiler complains of."""
    found = re.findall(r"^(?:/\S*/)?(Sources/\S+?):(\d+):\d+: error:", said, re.M)
    return {(path, int(line)) for path, line in found}


def find(file, tree, source):
    """All changes that a file allows."""
    found = {}

    def add(kind, start, end, after, planted):
        before = source[start:end].decode()
        whole = source[source.rfind(b"\n", 0, start) + 1:source.find(b"\n", start)].decode().strip()
        found.setdefault((start, end), Mutant(
            file, kind, start, end, source.count(b"\n", 0, start) + 1, before, after, whole, text=planted))

    def walk(node, above):
        if isinstance(node, list):
            for part in node:
                walk(part, above)
            return
        if not isinstance(node, dict):
            return
        visit(node, above)
        inner = above | {node["_kind"]} if "_kind" in node else above
        for value in node.values():
            if isinstance(value, (dict, list)):
                walk(value, inner)

    def visit(node, above):
        kind = node.get("_kind", "")
        if kind == "binary_expr" and node.get("type") == BOOL:
            change_operator(node)
        elif kind in ("if_stmt", "guard_stmt", "while_stmt"):
            for condition in node.get("conditions", []):
                if condition.get("type") == BOOL and condition["_kind"] != "binary_expr":
                    negate(condition)
        elif kind in ("boolean_literal_expr", "integer_literal_expr") and not node.get("implicit"):
            if not above & NO_LITERALS and not any(name.startswith(("pattern_expr", "expr_pattern")) for name in above):
                change_literal(node)
        elif kind == "brace_stmt":
            for statement in node.get("elements", []):
                remove(statement, above)

    def span(node):
        """Where a node begins and ends; the tree gives the beginning of its last token."""
        place = node.get("range")
        if not place or node.get("implicit"):
            return None
        last = re.compile(rb'"[^"\\\n]*"(?!")|`?[\w$]+`?(\.\d+)?|\.\w+|[)\]}!?]').match(source, place["end"])
        return (place["start"], last.end()) if last and place["start"] <= place["end"] else None

    def change_operator(node):
        place, at = span(node), node["fn"].get("range", {}).get("start", -1)
        operator = re.compile(rb"[<>=!&|]+(?=\s)").match(source, at) if at > 0 else None
        if not place or not operator or operator[0].decode() not in OTHER_OPERATORS or not place[0] < at < place[1]:
            return
        name = operator[0].decode()
        left, right = source[place[0]:at].decode(), source[operator.end():place[1]].decode()
        after = left + OTHER_OPERATORS[name] + right
        kind = "and, or" if name in ("&&", "||") else "comparison"
        add(kind, *place, after, f"(Mutant.is(%d) ? ({after}) : ({left}{name}{right}))")

    def negate(node):
        if place := span(node):
            text = source[place[0]:place[1]].decode()
            add("condition", *place, f"!({text})", f"Mutant.not(%d, {text})")

    def change_literal(node):
        place = span(node)
        text = source[place[0]:place[1]].decode() if place else ""
        if node["_kind"] == "boolean_literal_expr" and text in ("true", "false") and node.get("type") == BOOL:
            add("truth", *place, "false" if text == "true" else "true", f"Mutant.not(%d, {text})")
        elif node.get("type") == INT and text.isdigit():
            add("constant", *place, str(int(text) + 1), f"Mutant.next(%d, {text})")

    def remove(node, above):
        if node.get("type") not in NOTHING or "assign" in node["_kind"] and "constructor_decl" in above:
            return
        place = span(node)
        if place and not NO_STATEMENTS.match(source, place[0]):
            text = source[place[0]:place[1]].decode()
            add("statement", *place, "nothing", f"if !Mutant.is(%d) {{ {text} }}")

    walk(tree, frozenset())
    return list(found.values())


def draw(all_mutants, count, seed):
    """As many of each kind, none of which lies within another.

    The order and the numbers are made of the changed texts, so that they stay when the sources change elsewhere.
    """
    seen, ranks = Counter(), {}
    for mutant in sorted(all_mutants, key=lambda mutant: (mutant.file, mutant.start)):
        name = f"{seed} {mutant.kind} {mutant.words}"
        seen[name] += 1
        ranks[id(mutant)] = hashlib.sha256(f"{name} {seen[name]}".encode()).digest()
    pools = {
        kind: sorted((mutant for mutant in all_mutants if mutant.kind == kind), key=lambda mutant: ranks[id(mutant)])
        for kind in KINDS}
    chosen, taken = {}, {}
    while len(chosen) < count and any(pools.values()):
        for pool in pools.values():
            while pool and len(chosen) < count:
                mutant = pool.pop()
                places = taken.setdefault(mutant.file, [])
                mutant.number = int.from_bytes(ranks[id(mutant)][-8:], "big") % NUMBERS
                if mutant.number not in chosen and all(mutant.end <= start or end <= mutant.start for start, end in places):
                    places.append((mutant.start, mutant.end))
                    chosen[mutant.number] = mutant
                    break
    return list(chosen.values())


def plant(source, mutants):
    """A file with its changes, and for each the lines where it then is."""
    parts, lines, at = ["import Mutants\n"], {}, 0
    line = 2
    for mutant in sorted(mutants, key=lambda mutant: mutant.start):
        before, text = source[at:mutant.start].decode(), mutant.text.replace("%d", str(mutant.number), 1)
        line += before.count("\n")
        lines[mutant.number] = range(line, line + text.count("\n") + 1)
        line += text.count("\n")
        parts += [before, text]
        at = mutant.end
    return "".join([*parts, source[at:].decode()]), lines
