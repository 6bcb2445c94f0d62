#!/usr/bin/env python3
"""Attacks all that help lists with extreme values, readers with damaged texts, files, sources and calls, and the terminal with random keys."""

import argparse
import os
import subprocess
from random import Random

from proving import attack, calls, damage, keys, sources, texts
from proving.bench import MOST_KEPT, WORK, Bench


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=3)
    parser.add_argument("--seed", type=int, default=0, help="other programs and damages than the usual ones")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (one for each core)")
    parser.add_argument("--only", choices=("values", "texts", "sources", "calls", "files", "keys"))
    parser.add_argument("--keys", metavar="FILE", help="types the keys of a failure again")
    arguments = parser.parse_args()
    with Bench("fuzz", arguments.minutes) as bench:
        store = attack.make_sample(bench)

        if arguments.keys:
            bench.say(keys.play(bench, store, arguments.keys))
            return

        def share(part, of_rest):
            return bench.share(1 if arguments.only else of_rest) if arguments.only in (None, part) else 0

        if ends := share("keys", 0.3):
            type_keys(bench, store, arguments.seed, ends, arguments.jobs)
        if ends := share("files", 0.3):
            damage_files(bench, store, arguments.seed, ends, arguments.jobs)
        if ends := share("sources", 0.2):
            check_sources(bench, store, arguments.seed, ends, arguments.jobs)
        if ends := share("calls", 0.2):
            send_calls(bench, store, arguments.seed, ends, arguments.jobs)
        if ends := share("texts", 0.4):
            mutate_texts(bench, store, arguments.seed, ends, arguments.jobs)
        if ends := share("values", 1):
            sweep_values(bench, store, Random(arguments.seed), ends, arguments.jobs)
        raise SystemExit(1 if bench.failures else 0)


def type_keys(bench, store, seed, ends, jobs):
    def part(bench, number):
        count, sessions = 0, 0
        while not bench.is_past(ends) and bench.failures < MOST_KEPT:
            count += keys.try_session(bench, store, (seed * 1000 + number) * 1_000_000 + sessions, ends)
            sessions += 1
        return count, sessions

    done = bench.spread(part, jobs)
    bench.say(f"keys: {sum(n for n, _ in done)} in {sum(n for _, n in done)} sessions")


def damage_files(bench, sample, seed, ends, jobs):
    stores = damage.originals(bench)

    def part(bench, number):
        return damage.try_damage(bench, stores, sample, Random(seed * 1000 + number), ends)

    done = bench.spread(part, jobs)
    bench.say("damaged files: " + ", ".join(f"{sum(d[level] for d in done)} {level}" for level in damage.LEVELS))


def check_sources(bench, store, seed, ends, jobs):
    def part(bench, number):
        return sources.try_sources(bench, store, Random(seed * 1000 + number), ends)

    bench.say(f"scripts and Swift files that are nearly right: {sum(bench.spread(part, jobs))}")


def send_calls(bench, store, seed, ends, jobs):
    def part(bench, number):
        return calls.try_calls(bench, store, Random(seed * 1000 + number), ends)

    bench.say(f"lines to the server of tools: {sum(bench.spread(part, jobs))}")


def mutate_texts(bench, store, seed, ends, jobs):
    def part(bench, number):
        random, runner = Random(seed * 1000 + number), attack.Runner(bench, store, "texts")
        while not bench.is_past(ends) and bench.failures < MOST_KEPT:
            runner.run(texts.programs(random, attack.BATCH), ends)
        return runner.done, runner.kinds.get("ok", 0)

    done = bench.spread(part, jobs)
    bench.say(f"texts: {sum(n for n, _ in done)} that are nearly right, {sum(n for _, n in done)} of them are")


def sweep_values(bench, store, random, ends, jobs):
    catalog = attack.Catalog(bench, store)
    count = int(subprocess.run(
        [bench.program, "-q", store, "-e", f"package.path = '{WORK}/?.lua'; print(require('extremes')(store).count)"],
        capture_output=True, text=True, env=bench.environment(), check=True).stdout.split()[0])
    programs = sorted(set(attack.assemble(catalog, count)))
    random.shuffle(programs)

    def part(bench, number):
        runner = attack.Runner(bench, store)
        runner.run(programs[number::jobs], ends)
        return runner.done, runner.kinds

    done = bench.spread(part, jobs)
    kinds = {}
    for _, found in done:
        for kind, times in found.items():
            kinds[kind] = kinds.get(kind, 0) + times
    bench.say(
        f"extreme values: {sum(n for n, _ in done)} of {len(programs)} programs from {len(catalog.examples)} examples of "
        f"{catalog.names} names; how they ended: {kinds}")
    if catalog.without_example:
        bench.say(f"without an example: {' '.join(catalog.without_example)}")


if __name__ == "__main__":
    main()
