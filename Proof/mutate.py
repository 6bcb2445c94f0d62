#!/usr/bin/env python3
"""Changes the source in hundreds of places, one at a time, and sees which changes the tests notice.

All changes are built at once, beside the original, in a copy of the package; an environment variable chooses one. First
each suite runs without any, and tells which changes it reaches. Each change then has the suites that reach it run until a
test fails, and fails again when it runs alone, the program ends, or it takes three times as long. What no test notices is
kept. Ends with status 1 where a change was not noticed.
"""

import argparse
import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
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
        suites = survey(bench, arguments.jobs)
        if arguments.only:
            chosen = [mutant for mutant in chosen if str(mutant.number) in arguments.only.split(",")]
        answers = bench.spread(
            lambda own, part: try_all(own, chosen[part :: arguments.jobs], suites, arguments.jobs), arguments.jobs)
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


def survey(bench, jobs):
    """Runs each suite alone, without a change: for each the changes that it reaches, and the seconds it takes."""
    done = subprocess.run(
        [bench.program, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True)
    names = {name.rsplit("/", 1)[0] for name in done.stdout.split("\n") if name.split(".")[0] in TARGETS and "/" in name}
    names = sorted(names)

    def run_part(own, part):
        found = {}
        for name in names[part::jobs]:
            report = own.fresh("reached") / "numbers"
            began = time.monotonic()
            failure = run(own, [name], 3600, PERILUNE_MUTANTS_REACHED=report)
            if failure:
                own.say(f"{name} fails without a change, so that it is not asked: {failure}")
                continue
            numbers = {int(line) for line in report.read_text().split()} if report.exists() else set()
            found[name] = Suite(name, numbers, time.monotonic() - began)
        return found

    suites = {name: suite for part in bench.spread(run_part, jobs) for name, suite in part.items()}
    for target in TARGETS:
        own = [suite for suite in suites.values() if suite.target == target]
        reached = set().union(*(suite.reached for suite in own))
        bench.say(f"{target}: {len(own)} suites, {sum(suite.seconds for suite in own):.0f} s, reach {len(reached)} changes")
    return list(suites.values())


@dataclass
class Suite:
    """One suite, with what it reaches."""

    name: str
    reached: set
    seconds: float

    @property
    def target(self):
        return self.name.split(".")[0]


def try_all(bench, chosen, suites, jobs):
    """Tries one change after the other, beside `jobs` - 1 others; returns for each whether it was noticed."""
    verdicts = []
    for mutant in chosen:
        if bench.is_over:
            break
        began, failure = time.monotonic(), None
        asked = batches(mutant, suites)
        for batch in asked:
            patience = (sum(suite.seconds for suite in batch) * PATIENCE + 30) * max(1, jobs / 2)
            names = [suite.name for suite in batch]
            failure = run(bench, names, patience, PERILUNE_MUTANT=mutant.number)
            if failure and passes_again(bench, failure, patience, mutant):
                bench.say(f"once only    {mutant.number:3} {mutant}   ({failure})")
                failure = None
            if failure:
                break
        verdicts.append(failure is not None)
        took = f"{time.monotonic() - began:.0f} s"
        if failure:
            bench.say(f"noticed      {mutant.number:3} {mutant}   ({took}: {failure})")
        else:
            why = "no test notices it" if asked else "no test reaches it"
            bench.say(f"NOT NOTICED  {mutant.number:3} {mutant}   ({took}: {why})")
            bench.fail(f"{mutant.number} {mutant}", [why, "", mutant.before, "became", mutant.after])
    return verdicts


def passes_again(bench, failure, patience, mutant):
    """Whether a test that failed passes when it is run again alone: then it was not the change that it noticed."""
    name = re.match(r"Test (\w+)\(", failure)
    return name is not None and not run(bench, rf"/{name[1]}\(", patience, PERILUNE_MUTANT=mutant.number)


def batches(mutant, suites):
    """The suites that reach a change: those of the folder that mirrors the file's, then the quick ones, then the others."""
    layer, *folders = mutant.file.split("/")[1:-1]
    asked = [suite for suite in suites if mutant.number in suite.reached and suite.target in SUITES[layer]]
    folder = ROOT / "Tests" / SUITES[layer][0]
    names = {
        name for path in folder.glob("/".join([*folders, "*.swift"]))
        for name in re.findall(r"@Suite[^\n]*\b(?:struct|class) (\w+)", path.read_text())}
    near = [suite for suite in asked if suite.target == SUITES[layer][0] and suite.name.split(".", 1)[1] in names]
    others = [suite for suite in asked if suite not in near]
    quick = [suite for suite in others if suite.seconds < 3]
    return [batch for batch in (near, quick, [suite for suite in others if suite not in quick]) if batch]


def run(bench, asked, patience, **environment):
    """Runs suites, or the tests that match a text, until a test fails; returns what failed, or nothing."""
    suite = asked if isinstance(asked, str) else "^(" + "|".join(map(re.escape, asked)) + ")/"
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
