#!/usr/bin/env python3
"""Changes the source in hundreds of places, one at a time, and sees which changes the tests notice.

All changes are built at once, beside the original, in a copy of the package; an environment variable chooses one. First
the suites run without any, and tell which changes they reach. Each change then has the suites that reach it run until a
test fails, the program ends, or it takes three times as long. What no test notices is kept. Ends with status 1 where a
change was not noticed.
"""

import argparse
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from random import Random

from proving import mutants
from proving.bench import PROOF, Bench

ROOT = PROOF.parent
# Each layer, and the suites that are to notice changes of it, the nearest first.
SUITES = {
    "Queries": ["QueriesTests", "StorageTests", "ObjectGraphTests", "LiveQueriesTests"],
    "Records": ["StorageTests", "ObjectGraphTests", "LiveQueriesTests"],
    "Storage": ["StorageTests", "ObjectGraphTests", "LiveQueriesTests", "ObjectStoreTests"],
    "PostgresStorage": ["ObjectStoreTests", "StorageTests"],
    "ObjectGraph": ["ObjectGraphTests", "LiveQueriesTests", "ObjectStoreTests", "StorageTests"],
    "LiveQueries": ["LiveQueriesTests", "ObjectStoreTests"],
}
TARGETS = list(dict.fromkeys(name for names in SUITES.values() for name in names))
PATIENCE = 3  # times as long as without a change, and half a minute, before a run counts as hanging


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("minutes", nargs="?", type=float, default=60, help="the time after the build (60)")
    parser.add_argument("--seed", type=int, default=0, help="other changes than the usual ones")
    parser.add_argument("--count", type=int, default=240, help="how many changes are built (240)")
    parser.add_argument("--layers", metavar="NAME,…", default=",".join(SUITES), help="the layers to change (all)")
    parser.add_argument("--only", metavar="N,N,…", help="these changes alone")
    parser.add_argument("--jobs", type=int, default=1, help="test programs at a time (1)")
    arguments = parser.parse_args()
    layers = [name for name in SUITES if name in arguments.layers.split(",")]
    planted = plant(layers, ROOT / ".build-mutants", arguments.count, Random(arguments.seed))
    program, chosen = planted.build(), planted.chosen
    with Bench("mutate", arguments.minutes, program) as bench:
        bench.most_kept = len(chosen)
        reached, seconds = survey(bench)
        if arguments.only:
            chosen = [mutant for mutant in chosen if str(mutant.number) in arguments.only.split(",")]
        answers = bench.spread(
            lambda own, part: try_all(own, chosen[part :: arguments.jobs], reached, seconds), arguments.jobs)
        verdicts = [verdict for answer in answers for verdict in answer]
        noticed = sum(verdicts)
        bench.say(
            f"mutations: {noticed} of {len(verdicts)} were noticed"
            + (f", {noticed / len(verdicts):.1%}" if verdicts else "") + f"; {len(chosen) - len(verdicts)} were not tried")
        raise SystemExit(1 if bench.failures else 0)


def plant(layers, folder, count, random):
    """A copy of the package with its changes, without those that have no types."""
    compiler = mutants.Compiler(ROOT, os.environ["MODULES"])
    sources, found = {}, []
    for layer in layers:
        for file, tree in compiler.trees(layer, folder / "trees"):
            sources[file] = (ROOT / file).read_bytes()
            found += mutants.find(file, tree, sources[file])
    print(f"{len(found)} changes are possible in {len(sources)} files of {', '.join(layers)}", flush=True)
    copy = Copy(folder, compiler, sources, mutants.draw(found, count, random))
    for layer in layers:
        while copy.leave_out(compiler.errors(layer, copy.tree, copy.choice)):
            pass
    return copy


class Copy:
    """A copy of the package with its changes."""

    def __init__(self, folder, compiler, sources, chosen):
        self.tree, self.choice, self.scratch = folder / "tree", folder / "choice", folder / "build"
        self.sources, self.chosen, self.count = sources, chosen, len(chosen)
        self.lines = {}
        mirror(self.tree, {mutant.file for mutant in chosen})
        compiler.build_choice(self.choice)
        for file in {mutant.file for mutant in chosen}:
            self.plant(file)

    def plant(self, file):
        text, self.lines[file] = mutants.plant(self.sources[file], [one for one in self.chosen if one.file == file])
        write(self.tree / file, text)

    def leave_out(self, errors):
        """Takes out the changes that do not compile, or all of a file where none has the line; whether there were any."""
        wrong = {
            number for file, line in errors for number, lines in self.lines.get(file, {}).items()
            if line in lines or not any(line in other for other in self.lines[file].values())}
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
        shown = subprocess.run([*command, "--show-bin-path"], capture_output=True, text=True, check=True)
        print(
            f"{len(self.chosen)} changes are built after {(time.monotonic() - began) / 60:.1f} minutes; "
            f"{self.count - len(self.chosen)} more do not compile", flush=True)
        return next(Path(shown.stdout.strip()).glob("*.xctest"))


def mirror(tree, planted):
    """Brings the copy up to date, but for the files that `plant` writes.

    Files that are as they were keep their times, so that they are not compiled again.
    """
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = {file for file in listed.stdout.splitlines() if (ROOT / file).is_file()}
    own = {"Sources/Mutants/Mutants.swift"}
    for old in tree.glob("*/**/*"):
        if old.is_file() and str(old.relative_to(tree)) not in files | own:
            old.unlink()
    for file in files - planted - {"Package.swift"}:
        bring(ROOT / file, tree / file)
    write(tree / "Package.swift", (ROOT / "Package.swift").read_text() + manifest())
    write(tree / "Sources/Mutants/Mutants.swift", mutants.CHOICE)


def manifest():
    """What makes the copy's package of the layers, their suites and the module that chooses."""
    quoted = ", ".join(f'"{name}"' for name in TARGETS)
    mutated = ", ".join(f'"{name}"' for name in SUITES)
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


def bring(source, target):
    if source.is_symlink() or not target.exists() or source.read_bytes() != target.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def survey(bench):
    """Runs each suite without a change: which changes it reaches, and the seconds it takes."""
    reached, seconds = {}, {}
    for target in TARGETS:
        report = bench.fresh("reached") / "numbers"
        began = time.monotonic()
        failure = run(bench, target, 3600, PERILUNE_MUTANTS_REACHED=report)
        if failure:
            raise SystemExit(f"{target} fails without a change: {failure}")
        seconds[target] = time.monotonic() - began
        reached[target] = {int(line) for line in report.read_text().split()} if report.exists() else set()
        bench.say(f"{target} takes {seconds[target]:.0f} s and reaches {len(reached[target])} changes")
    return reached, seconds


def try_all(bench, chosen, reached, seconds):
    """Tries one change after the other; returns for each whether it was noticed."""
    verdicts = []
    for mutant in chosen:
        if bench.is_over:
            break
        layer = mutant.file.split("/")[1]
        suites = [name for name in SUITES[layer] if mutant.number in reached[name]]
        began, failure = time.monotonic(), None
        for suite in nearest(mutant, suites):
            target = suite.split(r"\.")[0].lstrip("^")
            failure = run(bench, suite, seconds[target] * PATIENCE + 30, PERILUNE_MUTANT=mutant.number)
            if failure:
                break
        verdicts.append(failure is not None)
        took = f"{time.monotonic() - began:.0f} s"
        if failure:
            bench.say(f"noticed      {mutant.number:3} {mutant}   ({took}: {failure})")
        else:
            why = "no test notices it" if suites else "no test reaches it"
            bench.say(f"NOT NOTICED  {mutant.number:3} {mutant}   ({took}: {why})")
            bench.fail(f"{mutant.number} {mutant}", [why, "", mutant.before, "became", mutant.after])
    return verdicts


def nearest(mutant, targets):
    """The suites of the folder that mirrors the file's, where there is one, then whole targets."""
    for target in targets[:1]:
        folder = ROOT / "Tests" / target
        names = [
            name for path in folder.glob("/".join([*mutant.file.split("/")[2:-1], "*.swift"]))
            for name in re.findall(r"@Suite[^\n]*\b(?:struct|class) (\w+)", path.read_text())]
        if names:
            yield rf"^{target}\.({'|'.join(sorted(set(names)))})/"
    for target in targets:
        yield rf"^{target}\."


def run(bench, suite, patience, **environment):
    """Runs suites until a test fails; returns what failed, or nothing."""
    suite = suite if suite.startswith("^") else rf"^{suite}\."
    folder = bench.fresh("tests")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PERILUNE")}
    kept.update({name: str(value) for name, value in environment.items()}, TMPDIR=str(folder), SWIFT_BACKTRACE="enable=no")
    log = folder / "log.txt"
    ends = time.monotonic() + patience
    with log.open("wb") as output:
        process = subprocess.Popen(
            [bench.program, "--testing-library", "swift-testing", "--filter", suite], cwd=folder, env=kept,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
    try:
        with log.open(encoding="utf-8", errors="replace") as lines:
            tail = ""
            while True:
                is_over = process.poll() is not None
                tail += lines.read()
                if failed := re.search(r"^✘ (Test .*)$", tail, re.M):
                    return failed[1][:150]
                if is_over:
                    return None if process.returncode == 0 else f"the program ends with {process.returncode}"
                if time.monotonic() > ends:
                    return "it hangs"
                tail = tail[tail.rfind("\n") + 1 :]
                time.sleep(0.1)
    finally:
        # What it has started ends by itself when it is gone.
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
