#!/usr/bin/env python3
"""Tortures stores and the program's own files: a disk that lies, calls that kill or fail, processes that write at a time.

Says what was tried, and ends with status 1 where anything was lost, damaged or refused.
"""

import argparse
import os
from random import Random

from proving import citus, faults, files, isolation, load, stores
from proving.bench import Bench


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("minutes", nargs="?", type=float, default=3)
    parser.add_argument("--seed", type=int, default=0, help="other states than the usual ones")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (one for each core)")
    parser.add_argument("--only", choices=("stores", "files", "faults", "memory", "isolation", "load", "citus"))
    parser.add_argument("--fault", metavar="KIND:N", help="one fault of a session, again")
    parser.add_argument("--store", choices=stores.KINDS, default="own", help="the kind of store of that session")
    parser.add_argument("--files", action="store_true", help="the fault is for the program's own files")
    arguments = parser.parse_args()
    with Bench("torture", arguments.minutes) as bench:
        if arguments.fault:
            try_again(bench, arguments)
        else:
            torture(bench, arguments)
        raise SystemExit(1 if bench.failures else 0)


def torture(bench, arguments):
    def is_chosen(part):
        return arguments.only in (None, part)

    random = Random(arguments.seed)
    if is_chosen("faults"):
        part = 1 if arguments.only else 0.2
        tried, of = faults.try_file_faults(bench, random, bench.share(part / 5), arguments.jobs)
        bench.say(f"faults: {tried} of {of} for the program's own files")
        tried, of = faults.try_store_faults(bench, random, bench.share(part), arguments.jobs)
        bench.say(f"faults: {tried} of {of} in sessions on stores")
    if is_chosen("memory"):
        # A debug build has SQLite as a library; the release build holds it.
        program = os.environ.get("PERILUNE_DEBUG", bench.program)
        if faults.has_own_sqlite(program):
            ends = bench.share(1 if arguments.only else 0.12)
            tried, of = faults.try_allocations(bench, program, random, ends, arguments.jobs)
            bench.say(f"memory: {tried} of {of} allocations of SQLite fail in sessions on stores")
        else:
            bench.say("memory: left out, as the program holds SQLite; PERILUNE_DEBUG may name one that does not")
    if is_chosen("files"):
        most = int(500 + arguments.minutes * 1000)
        states = files.try_files(bench, random, most)
        bench.say(f"lying disk: {states} states of exports, backups, preferences and kept blocks")
        states = files.try_history(bench, random, most)
        bench.say(f"lying disk: {states} states of the history of the prompt")
    if is_chosen("isolation"):
        seconds = arguments.minutes * 60 * (1 if arguments.only else 0.1)
        transactions, rounds = isolation.try_isolation(bench, seconds)
        bench.say(f"isolation: {transactions} transactions of two to five processes, {rounds} rounds")
    if is_chosen("load"):
        seconds = max(4, arguments.minutes * 60 * (1 if arguments.only else 0.1))
        changes, told, early, late = load.try_load(bench, seconds)
        bench.say(f"load: {changes} changes of three processes, told {told} times to 100 live results; {early} kB, then {late} kB")
    if is_chosen("citus") and (arguments.only or os.environ.get("PERILUNE_CITUS")):
        found = citus.try_citus(bench, random, arguments.minutes * 60 * (0.8 if arguments.only else 0.1))
        if found is None:
            bench.say("citus: left out, as PostgreSQL has no such extension; PERILUNE_CITUS may name the pg_config of one that has")
        else:
            bench.say("citus: {} answers as SQLite's; four processes wrote {} readings while workers died {} times and {} shards moved"
                      .format(*found))
    if is_chosen("stores"):
        longest = 3 if arguments.minutes >= 1 else 2
        all_, tried, states, opened = stores.try_stores(bench, arguments.seed, bench.ends, longest, arguments.jobs)
        bench.say(
            f"lying disk: {states} states of stores, after {tried} of {all_} sequences of up to {longest} steps; SQLite recovered"
            f" each, the program opened {opened}, among them each content that differs")


def try_again(bench, arguments):
    """One fault of a session, as a case says."""
    if arguments.fault.startswith("memory:"):
        program = os.environ.get("PERILUNE_DEBUG", bench.program)
        checker, _ = faults.allocations(bench, program, arguments.store)
        faults.try_allocation(bench, checker, arguments.store, *map(int, arguments.fault.split(":")[1:]))
        return
    kind = "own" if arguments.files else arguments.store
    made = stores.make_stores(bench)
    folder = bench.fresh("clean")
    (folder / "store.sqlite").write_bytes(made[kind].read_bytes())
    if arguments.files:
        faults.run(bench, folder, [faults.WORK / "files.lua", folder, 1, 2])
        faults.try_file_fault(bench, made, faults.own_files(folder), arguments.fault)
    else:
        faults.run(bench, folder, [faults.WORK / "faults.lua", folder, kind, "-", *faults.SESSION])
        kept = bench.folder / "oracle.lua"
        kept.write_bytes((folder / "oracle.lua").read_bytes())
        faults.try_store_fault(bench, made, {kind: kept}, kind, arguments.fault)


if __name__ == "__main__":
    main()
