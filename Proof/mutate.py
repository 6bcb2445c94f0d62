#!/usr/bin/env python3
"""Changes the source in hundreds of places, one at a time, and sees which changes the tests notice.

All changes are built at once, beside the original, in a copy of the package; an environment variable chooses one. First
each suite runs without any, one test after the other, which tells for each test how long it takes and which changes it
reaches. Each change then has the tests that reach it run, the nearest and quickest first, until one fails, and fails again
alone, the program ends, or it takes three times as long. What was found out is kept beside the build: a run that was ended
goes on, and what neither the sources nor the tests have altered is not tried again. Ends with status 1 where a change was
not noticed.
"""

import argparse
import os
import re
import subprocess
import time
from bisect import bisect
from dataclasses import dataclass
from pathlib import Path

from proving.bench import PROOF, Bench
from proving.known import Known
from proving.planted import ROOT, hashed, plant

# Each layer, and the suites nearest to it.
NEAREST = {
    "Queries": "QueriesTests",
    "Records": "StorageTests",
    "Stores": "StorageTests",
    "RelationalStorage": "StorageTests",
    "SQLiteStorage": "StorageTests",
    "PostgresStorage": "ObjectStoreTests",
    "ObjectGraph": "ObjectGraphTests",
    "LiveQueries": "LiveQueriesTests",
}
# Those that run in one process and need no terminal.
TARGETS = [*dict.fromkeys(NEAREST.values()), "TransferTests", "PlansTests", "LuaBindingsTests"]
PATIENCE = 3  # times as long as without a change, and half a minute, before a run counts as hanging
NEARNESS = 5  # a test of the folder that mirrors the file's is asked before others that take so many times less
# The seconds that tests take together before those after them are asked.
STEPS = (2, 8, 30, 120)
MOST_AT_ONCE = 400


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("minutes", nargs="?", type=float, default=60, help="the time after the build (60)")
    parser.add_argument("--seed", type=int, default=0, help="other changes than the usual ones")
    parser.add_argument("--count", type=int, default=240, help="how many changes are drawn (240)")
    parser.add_argument("--layers", metavar="NAME,…", default=",".join(NEAREST), help="the layers to change (all)")
    parser.add_argument("--only", metavar="N,N,…", help="these changes alone, even if they were tried")
    parser.add_argument("--again", action="store_true", help="try all changes again, whatever earlier runs found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="test programs at a time (one for each core)")
    arguments = parser.parse_args()
    layers = [name for name in NEAREST if name in arguments.layers.split(",")]
    folder = ROOT / ".build-mutants"
    known = Known(folder / "known.jsonl")
    planted = plant(layers, TARGETS, folder, os.environ["MODULES"], known, arguments.count, arguments.seed)
    program, chosen = planted.build(), planted.chosen
    if arguments.only:
        chosen = [mutant for mutant in chosen if str(mutant.number) in arguments.only.split(",")]
    with Bench("mutate", arguments.minutes, program) as bench:
        trial = Trial(survey(bench, known, planted.keys(), arguments.jobs), known, arguments)
        answers = bench.spread(lambda own, part: trial.try_all(own, chosen[part :: arguments.jobs]), arguments.jobs)
        verdicts = {number: verdict for answer in answers for number, verdict in answer.items()}
        raise SystemExit(tell(bench, [mutant for mutant in chosen if mutant.number in verdicts], verdicts, len(chosen)))


def tell(bench, tried, verdicts, count):
    """Says how many were noticed and keeps what was not; the status to end with."""
    lines = []
    for mutant in tried:
        if not verdicts[mutant.number]["noticed"]:
            lines += [f"{mutant.number} {mutant}", verdicts[mutant.number]["why"], mutant.before, "became", mutant.after, ""]
    kept = bench.kept / "mutations.txt"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("\n".join(lines))
    noticed = sum(verdicts[mutant.number]["noticed"] for mutant in tried)
    share = f", {noticed / len(tried):.1%}" if tried else ""
    bench.say(f"mutations: {noticed} of {len(tried)} were noticed{share}; {count - len(tried)} were not tried; the others: {kept}")
    return 1 if lines else 0


@dataclass(frozen=True)
class Test:
    """One test: its suite, its name without arguments, and how long it takes."""

    suite: str
    name: str
    seconds: float

    def __str__(self):
        return f"{self.suite}/{self.name}"


def survey(bench, known, keys, jobs):
    """Runs each suite alone, without a change: for each its tests, and for each of these the changes that it reaches."""
    done = subprocess.run(
        [bench.program, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True)
    names = {name.rsplit("/", 1)[0] for name in done.stdout.split("\n") if name.split(".")[0] in TARGETS and "/" in name}
    key = {name: keys.get(name) or hashed([Path(bench.program)]) for name in names}
    missing = sorted(name for name in names if known.get("suite", name, key[name]) is None)
    # The longest first, one for each job.
    missing.sort(key=lambda name: -sum(seconds for seconds, _ in (known.last("suite", name) or {}).values()))

    def run_part(own, part):
        found = {}
        for name in missing[part::jobs]:
            found[name], failed = ask(own, name)
            for test in failed:
                own.say(f"{name}{test} fails without a change, so that it is not asked")
            # What fails now may pass when it is asked again.
            if not failed:
                known.put("suite", name, key[name], found[name])
        return found

    for part in bench.spread(run_part, jobs):
        for name, found in part.items():
            known.answers["suite", name] = key[name], found
    suites = {name: Suite.of(name, key[name], known.last("suite", name)) for name in sorted(names)}
    for target in TARGETS:
        own = [suite for suite in suites.values() if suite.name.split(".")[0] == target]
        reached = set().union(*(numbers for suite in own for numbers in suite.reached.values()))
        seconds = sum(test.seconds for suite in own for test in suite.reached)
        bench.say(f"{target}: {sum(len(suite.reached) for suite in own)} tests, {seconds:.0f} s, reach {len(reached)} changes")
    return suites


def ask(bench, name):
    """Runs one suite; for each of its tests how long it takes and which changes it reaches, and what failed."""
    report = bench.fresh("reached") / "numbers"
    log, status = run(bench, ["--no-parallel", "--filter", f"^{re.escape(name)}/"], 3600, PERILUNE_MUTANTS_REACHED=report)
    if status not in (0, 1):
        return {}, [""]
    text = log.read_bytes()
    # Places in the log are those of bytes.
    started = [(found.end(), found[1].decode()) for found in re.finditer(rb"^\xe2\x97\x87 Test (\w+)\(.* started\.$", text, re.M)]
    places = [place for place, _ in started]
    text = text.decode(errors="replace")
    seconds = {test: float(taken) for test, taken in re.findall(r"^✔ Test (\w+)\(.* passed after ([\d.]+) seconds", text, re.M)}
    reached, before = {test: set() for test in seconds}, set()
    for line in report.read_text().splitlines() if report.exists() else []:
        number, place = map(int, line.split())
        running = bisect(places, place)
        # What runs before the first test makes the arguments of some of them.
        (reached.get(started[running - 1][1], set()) if running else before).add(number)
    found = {test: [seconds[test], sorted(numbers | before)] for test, numbers in reached.items()}
    return found, [f"/{test}" for test in re.findall(r"^✘ Test (\w+)\(.* failed after", text, re.M)]


@dataclass
class Suite:
    """One suite, with what each of its tests reaches."""

    name: str
    key: str
    reached: dict

    @staticmethod
    def of(name, key, found):
        return Suite(name, key, {Test(name, test, seconds): set(numbers) for test, (seconds, numbers) in found.items()})

    def reaching(self, number):
        """The tests that reach a change; and those that may, where only one does: a constant is made by whichever comes first."""
        sure = [test for test, numbers in self.reached.items() if number in numbers]
        return sure, [test for test in self.reached if test not in sure] if len(sure) == 1 else []


@dataclass
class Failure:
    """What went wrong under a change, and the tests that may have noticed it."""

    text: str
    tests: list


class Trial:
    """Tries changes, one after the other."""

    def __init__(self, suites, known, arguments):
        self.suites, self.known, self.jobs = suites, known, arguments.jobs
        self.is_again = arguments.again or arguments.only

    def try_all(self, bench, chosen):
        """For each change that there was time for whether it was noticed, and by what."""
        verdicts = {}
        for mutant in chosen:
            if bench.is_over:
                break
            verdicts[mutant.number] = self.verdict(bench, mutant)
        return verdicts

    def verdict(self, bench, mutant):
        """Whether a change is noticed, by what earlier runs know or by trying it."""
        found = [(suite, *suite.reaching(mutant.number)) for suite in self.suites.values()]
        asked = [test for _, sure, _ in found for test in sure]
        perhaps = [test for _, _, others in found for test in others]
        tests = {str(test): test for test in asked + perhaps}
        key = " ".join(sorted(suite.key for suite, sure, _ in found if sure))
        last = self.known.last("verdict", mutant.number) or {"noticed": False, "by": []}
        hints = [tests[name] for name in last["by"] if name in tests]
        if not self.is_again:
            by = " ".join(sorted({self.suites[test.suite].key for test in hints}))
            if verdict := self.known.get("verdict", mutant.number, by if last["noticed"] else key):
                return self.say(bench, mutant, verdict, "as known")
        began, failure = time.monotonic(), None
        for batch in batches(mutant, asked, hints) + ([perhaps] if perhaps else []):
            if failure := self.failure(bench, mutant, batch):
                break
        took = f"{time.monotonic() - began:.0f} s"
        if failure:
            verdict = {"noticed": True, "by": [str(test) for test in failure.tests], "why": failure.text}
            key = " ".join(sorted({self.suites[test.suite].key for test in failure.tests}))
        else:
            why = f"none of {len(asked)} tests notices it" if asked else "no test reaches it"
            verdict = {"noticed": False, "by": [], "why": why}
        self.known.put("verdict", mutant.number, key, verdict)
        return self.say(bench, mutant, verdict, took)

    @staticmethod
    def say(bench, mutant, verdict, took):
        word = "noticed" if verdict["noticed"] else "NOT NOTICED"
        bench.say(f"{word:13} {mutant.number:5} {mutant}   ({took}: {verdict['why']})")
        return verdict

    def failure(self, bench, mutant, tests):
        """What fails under a change, and fails again where nothing else runs."""
        while tests:
            failure = self.run(bench, mutant, tests)
            if not failure or self.run(bench, mutant, failure.tests):
                return failure
            bench.say(f"once only     {mutant.number:5} {mutant}   ({failure.text})")
            tests = [test for test in tests if test not in failure.tests]
        return None

    def run(self, bench, mutant, tests):
        """What the first of the tests says that fails under a change, or how the program ends; nothing where all pass."""
        names = {}
        for test in tests:
            names.setdefault(test.suite, []).append(test.name)
        asked = [part for suite in names for part in ("--filter", rf"^{re.escape(suite)}/({'|'.join(names[suite])})\(")]
        patience = (sum(test.seconds for test in tests) * PATIENCE + 30) * max(1, self.jobs / 2)
        log, status = run(bench, asked, patience, until=r"^✘ (Test \w+\(.*)$", PERILUNE_MUTANT=mutant.number)
        if status == 0:
            return None
        text = f"the program ends with {status}" if isinstance(status, int) else status[:150]
        culprits = set(re.findall(r"^Test (\w+)\(", text))
        if not culprits:
            # Whichever ran when the program ended or hung.
            said = log.read_text(errors="replace")
            culprits = set(re.findall(r"^◇ Test (\w+)\(.* started", said, re.M))
            culprits -= set(re.findall(r"^[✔✘] Test (\w+)\(.* (?:passed|failed) after", said, re.M))
        return Failure(text, [test for test in tests if test.name in culprits] or tests)


def batches(mutant, asked, hints):
    """The tests that reach a change in the order in which they are asked, as many at a time as take a while together."""
    layer, *folders = mutant.file.split("/")[1:-1]
    folder = ROOT / "Tests" / NEAREST[layer]
    near = {
        f"{NEAREST[layer]}.{name}" for path in folder.glob("/".join([*folders, "*.swift"]))
        for name in re.findall(r"@Suite[^\n]*\b(?:struct|class) (\w+)", path.read_text())}
    rest = sorted(
        (test for test in asked if test not in hints),
        key=lambda test: test.seconds / (NEARNESS if test.suite in near else 1))
    found, batch, seconds = [hints] if hints else [], [], 0
    for test in rest:
        batch.append(test)
        seconds += test.seconds
        if seconds > STEPS[min(len(found), len(STEPS) - 1)] or len(batch) == MOST_AT_ONCE:
            found.append(batch)
            batch, seconds = [], 0
    return found + ([batch] if batch else [])


def run(bench, arguments, patience, until=None, **environment):
    """Runs tests until the log has a line like `until`; returns the log, and the status, what the line says, or that it hangs."""
    folder = bench.fresh("tests")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PERILUNE")}
    kept.update({name: str(value) for name, value in environment.items()}, TMPDIR=str(folder), SWIFT_BACKTRACE="enable=no")
    log = bench.folder / "log.txt"
    ends = time.monotonic() + patience
    with log.open("wb") as output:
        process = subprocess.Popen(
            [bench.program, "--testing-library", "swift-testing", *arguments], cwd=folder, env=kept,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
    try:
        with log.open(encoding="utf-8", errors="replace") as lines:
            tail = ""
            while True:
                is_over = process.poll() is not None
                tail += lines.read()
                if until and (found := re.search(until, tail, re.M)):
                    return log, found[1]
                if is_over:
                    return log, process.returncode
                if time.monotonic() > ends:
                    return log, "it hangs"
                tail = tail[tail.rfind("\n") + 1 :]
                time.sleep(0.05)
    finally:
        # What it has started ends by itself when it is gone.
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
