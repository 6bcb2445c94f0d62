#!/usr/bin/env python3
"""Runs what reaches every layer in a program that was built with a sanitizer: examples, attacks, damaged files, sequences of
steps, processes that write at a time. What a sanitizer finds ends the program with a status of its own."""

import argparse
import subprocess
from random import Random

from proving import attack, damage, isolation, load, stores, texts
from proving.bench import MOST_KEPT, WORK, Bench


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=2)
    parser.add_argument("--name", default="sanitize", help="what the cases are called")
    arguments = parser.parse_args()
    with Bench(arguments.name, arguments.minutes) as bench:
        bench.say(f"examples: {run_examples(bench)}")
        bench.say(f"sequences of steps: {run_sequences(bench, bench.share(0.2))}")
        sample = attack.make_sample(bench, 60)
        random = Random(0)
        catalog = attack.Catalog(bench, sample)
        values = range(1, 100)
        programs = sorted(set(attack.assemble(catalog, len(values))))
        random.shuffle(programs)
        runner = attack.Runner(bench, sample)
        runner.run(programs, bench.share(0.35))
        bench.say(f"extreme values: {runner.done}")
        runner, ends = attack.Runner(bench, sample, "texts"), bench.share(0.3)
        while not bench.is_past(ends) and bench.failures < MOST_KEPT:
            runner.run(texts.programs(random, attack.BATCH), ends)
        bench.say(f"texts: {runner.done}")
        counts = damage.try_damage(bench, damage.originals(bench), sample, random, bench.share(0.5))
        bench.say(f"damaged files: {sum(counts.values())}")
        seconds = max(6, bench.ends - bench.share(0))
        transactions, _ = isolation.try_isolation(bench, seconds / 2)
        bench.say(f"transactions of processes that write at a time: {transactions}")
        changes, *_ = load.try_load(bench, seconds / 2, measures=False)
        bench.say(f"changes under load: {changes}")
        raise SystemExit(1 if bench.failures else 0)


def judge(bench, done, what):
    """Whether a program ended as it should."""
    if done.returncode == 0:
        return True
    bench.fail(f"{what} ends with status {done.returncode}", [done.stderr[-20000:]])
    return False


def run_examples(bench):
    count = 0
    for script in sorted(attack.EXAMPLES.glob("[0-9]*.lua")):
        done = subprocess.run(
            [bench.program, "-q", script], capture_output=True, text=True, cwd=bench.fresh("example"), env=bench.environment())
        count += judge(bench, done, script.name)
    return count


def run_sequences(bench, ends):
    """Sequences of two steps on a store of each kind, as many as there is time for."""
    made = stores.make_stores(bench)
    work = [(kind, steps) for kind in stores.KINDS for steps in stores.all_sequences(2)]
    Random(0).shuffle(work)
    folder, count = bench.fresh("run"), 0
    for start in range(0, len(work), stores.CHUNK):
        if bench.is_past(ends):
            break
        lines = []
        for number, (kind, steps) in enumerate(work[start : start + stores.CHUNK], start):
            place = folder / f"s{number}"
            place.mkdir()
            (place / "store.sqlite").write_bytes(made[kind].read_bytes())
            lines.append(f"s{number} {kind} {' '.join(steps)}\n")
        done = subprocess.run(
            [bench.program, "-q", WORK / "sequences.lua", folder, folder / "oracle"], input="".join(lines), capture_output=True,
            text=True, env=bench.environment())
        count += len(lines) if judge(bench, done, f"the sequences from {start} on") else 0
    return count


if __name__ == "__main__":
    main()
