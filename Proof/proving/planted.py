"""A copy of the package in which changes are planted, and its build."""

import hashlib
import re
import shutil
import subprocess
import time
from pathlib import Path

from . import mutants
from .bench import PROOF

ROOT = PROOF.parent
EQUIVALENT = PROOF / "equivalent.txt"
OWN = "Sources/Mutants/Mutants.swift"


def plant(layers, targets, folder, modules, known, count, seed):
    """A copy of the package with its changes, without those that have no types."""
    compiler = mutants.Compiler(ROOT, modules)
    sources, found = {}, []
    for layer in layers:
        for file, tree in compiler.trees(layer, folder / "trees"):
            sources[file] = (ROOT / file).read_bytes()
            found += mutants.find(file, tree, sources[file])
    print(f"{len(found)} changes are possible in {len(sources)} files of {', '.join(layers)}", flush=True)
    drawn = mutants.draw(found, count, seed)
    alike = equivalent()
    for place in sorted(alike - {mutant.place for mutant in found}):
        print(f"{EQUIVALENT.name} has a change that is not possible any more: {place}", flush=True)
    chosen = [mutant for mutant in drawn if mutant.place not in alike]
    if len(chosen) < len(drawn):
        print(f"{len(drawn) - len(chosen)} of those drawn alter nothing, as {EQUIVALENT.name} says", flush=True)
    copy = Copy(folder, layers, targets, sources, chosen, known)
    copy.compile_on_trial(compiler)
    return copy


def equivalent():
    """The changes after which the program answers the same: each line is the place of one, and lines above it say why."""
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    return {" ".join(line.split()) for line in lines if line and not line.startswith("#")}


class Copy:
    """A copy of the package with its changes."""

    def __init__(self, folder, layers, targets, sources, chosen, known):
        self.tree, self.choice, self.scratch = folder / "tree", folder / "choice", folder / "build"
        self.layers, self.targets = layers, targets
        self.sources, self.known, self.count = sources, known, len(chosen)
        self.chosen = [mutant for mutant in chosen if known.last("compiles", mutant.number) is not False]
        self.lines = {}
        self.mirror()
        for file in {mutant.file for mutant in self.chosen}:
            self.plant(file)

    def plant(self, file):
        chosen = [one for one in self.chosen if one.file == file]
        if not chosen:
            self.lines.pop(file, None)
            return bring(ROOT / file, self.tree / file)
        text, self.lines[file] = mutants.plant(self.sources[file], chosen)
        return write(self.tree / file, text)

    def compile_on_trial(self, compiler):
        """Leaves out what has no types, layer by layer, where there are changes that were never compiled."""
        compiler.build_choice(self.choice)
        for layer in self.layers:
            def is_new(mutant, layer=layer):
                return mutant.file.split("/")[1] == layer and not self.known.last("compiles", mutant.number)
            while any(map(is_new, self.chosen)) and self.leave_out(compiler.errors(layer, self.tree, self.choice)):
                pass

    def leave_out(self, errors):
        """Takes out the changes that do not compile, or all of a file where none has the line; whether there were any."""
        wrong = {
            number for file, line in errors for number, lines in self.lines.get(file, {}).items()
            if line in lines or not any(line in other for other in self.lines[file].values())}
        for number in wrong:
            self.known.put("compiles", number, "", False)
        self.chosen = [mutant for mutant in self.chosen if mutant.number not in wrong]
        for file in {file for file, _ in errors if file in self.lines}:
            self.plant(file)
        return bool(wrong)

    def build(self):
        """Builds the tests; returns the program. Changes that only fail now are left out."""
        command = [
            "swift", "build", "--build-tests", "--disable-index-store",
            "--package-path", self.tree, "--scratch-path", self.scratch,
        ]
        began = time.monotonic()
        while True:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if not done.returncode:
                break
            if not self.leave_out(mutants.errors(done.stdout + done.stderr)):
                raise SystemExit("The copy does not build:\n" + done.stdout[-3000:] + done.stderr[-3000:])
        for mutant in self.chosen:
            if not self.known.last("compiles", mutant.number):
                self.known.put("compiles", mutant.number, "", True)
        shown = subprocess.run([*command, "--show-bin-path"], capture_output=True, text=True, check=True)
        print(
            f"{len(self.chosen)} changes are built after {(time.monotonic() - began) / 60:.1f} minutes; "
            f"{self.count - len(self.chosen)} more do not compile", flush=True)
        return next(Path(shown.stdout.strip()).glob("*.xctest"))

    def mirror(self):
        """Brings the copy up to date, but for the files that `plant` writes.

        Files that are as they were keep their times, so that they are not compiled again.
        """
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
            check=True)
        files = {file for file in listed.stdout.splitlines() if (ROOT / file).is_file()}
        for old in self.tree.glob("*/**/*"):
            if old.is_file() and str(old.relative_to(self.tree)) not in files | {OWN}:
                old.unlink()
        for file in files - {mutant.file for mutant in self.chosen} - {"Package.swift"}:
            bring(ROOT / file, self.tree / file)
        write(self.tree / "Package.swift", (ROOT / "Package.swift").read_text() + self.manifest())
        write(self.tree / OWN, mutants.CHOICE)

    def manifest(self):
        """What makes the copy's package of the layers, the suites and the module that chooses."""
        quoted = ", ".join(f'"{name}"' for name in self.targets)
        mutated = ", ".join(f'"{name}"' for name in self.layers)
        return f"""
package.targets.append(.target(name: "Mutants"))
for target in package.targets where [{mutated}].contains(target.name) {{ target.dependencies.append("Mutants") }}
var kept: Set<String> = []
@MainActor func keep(_ name: String) {{
  guard kept.insert(name).inserted, let target = package.targets.first(where: {{ $0.name == name }}) else {{ return }}
  for dependency in target.dependencies {{
    switch dependency {{
    case .byNameItem(let name, _), .targetItem(let name, _): keep(name)
    default: break
    }}
  }}
}}
for name in [{quoted}] {{ keep(name) }}
package.targets.removeAll {{ !kept.contains($0.name) }}
package.products.removeAll()
package.dependencies.removeAll()
"""

    def keys(self):
        """For each suite a text that changes when it may reach or notice other changes.

        It stands for all sources with their changes, what the suites share, and the files that name the suite.
        """
        shared = [path for path in sorted(self.tree.glob("Sources/**/*")) if path.is_file()]
        for path in sorted(self.tree.glob("Tests/*Support/**/*")):
            shared += [path] if path.is_file() else []
        everything, keys = hashed(shared), {}
        for target in self.targets:
            files = {path: path.read_bytes() for path in sorted((self.tree / "Tests" / target).glob("**/*")) if path.is_file()}
            names = {path: re.findall(rb"@Suite\b[^{}]*?\b(?:struct|class|enum|actor) (\w+)", text) for path, text in files.items()}
            common = hashed([path for path in files if not names[path]], everything)
            for name in {name for found in names.values() for name in found}:
                word = re.compile(rb"\b" + name + rb"\b")
                keys[f"{target}.{name.decode()}"] = hashed([path for path in files if word.search(files[path])], common)
        return keys


def hashed(paths, start=""):
    digest = hashlib.sha256(start.encode())
    for path in paths:
        digest.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def bring(source, target):
    if source.is_symlink() or not target.exists() or source.read_bytes() != target.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
