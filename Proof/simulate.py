#!/usr/bin/env python3
"""Simulates runs of the engine in a world whose time, random numbers and file events come from a seed.

Each run is made twice and must give the same log; now and then another process makes it, too. A run in which something is
wrong is shrunk to the fewest steps and kept. Ends with status 1 where anything was wrong.
"""

import argparse
import math
import os
import re
import time

from proving.bench import WORK, Bench, Checker

TURNS = 40  # of a run
PATIENCE = 120  # seconds for a run
OTHERS = 25  # each so many runs one is made by another process, too


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("minutes", nargs="?", type=float, default=3)
    parser.add_argument("--seed", type=int, help="one run, with its log")
    parser.add_argument("--steps", metavar="N,N,…", help="these steps of it alone")
    parser.add_argument("--turns", type=int, default=TURNS, help="the turns of a run")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the seed to begin with")
    parser.add_argument("--to", type=int, dest="last", help="the seed to end with (as many as there is time for)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (one for each core)")
    arguments = parser.parse_args()
    with Bench("simulate", arguments.minutes, os.environ["SIMULATE"]) as bench:
        if arguments.seed is not None:
            case = f"{arguments.seed} {arguments.turns}" + (f" {arguments.steps}" if arguments.steps else "")
            replay(bench, case)
        else:
            answers = bench.spread(lambda own, number: simulate(own, number, arguments), arguments.jobs)
            runs, turns, seconds = (sum(answer[i] for answer in answers) for i in range(3))
            rate = turns / seconds * arguments.jobs * 3600 if seconds else 0
            bench.say(f"simulation: {turns} turns in {runs} runs, each made twice; {rate / 1e6:.2f} million turns an hour")
        raise SystemExit(1 if bench.failures else 0)


def checker(bench, name):
    return Checker([bench.program, WORK / "simulation.lua", bench.fresh(name)], bench.environment())


def simulate(bench, number, arguments):
    """Runs its seeds while there is time; returns how many runs and turns there were, and the seconds they took."""
    own, other = checker(bench, "own"), checker(bench, "other")
    runs, seed, began = 0, arguments.first + number, time.monotonic()
    last = math.inf if arguments.last is None else arguments.last
    while seed <= last and not bench.is_over and bench.failures < 3:
        case = f"{seed} {arguments.turns}"
        answer = ask(own, case)
        if answer.startswith("fine") and runs % OTHERS == 0 and ask(other, case) != answer:
            answer = "WRONG another process makes another run of it"
        if not answer.startswith("fine"):
            keep(bench, own, case, answer)
        runs += 1
        seed += arguments.jobs
    own.close()
    other.close()
    return runs, runs * arguments.turns, time.monotonic() - began


def ask(own, case):
    own.send(case)
    return own.receive(PATIENCE)


def log_of(own, case):
    """The log of a case; nothing where the program dies of it."""
    own.send(f"log {case}")
    count = own.receive(PATIENCE)
    return [own.receive() for _ in range(int(count))] if count.isdigit() else []


def replay(bench, case):
    own = checker(bench, "own")
    for line in log_of(own, case):
        bench.say(line)
    answer = ask(own, case)
    bench.say(answer)
    bench.failures += not answer.startswith("fine")
    own.close()


def keep(bench, own, case, answer):
    shrunk, steps = shrink(own, case)
    swift = f"SimulationCase(seed: {shrunk.split()[0]}, turns: {shrunk.split()[1]}, steps: [{', '.join(map(str, steps))}]),"
    again = f"scripts/simulate --seed {shrunk.split()[0]} --turns {shrunk.split()[1]} --steps {','.join(map(str, steps))}"
    log = log_of(own, shrunk)
    bench.fail(
        f"seed {case.split()[0]}: {answer[6:]}",
        [f"Again: {again}", f"For Tests/SimulationTests: {swift}", f"Shrunk to {len(steps)} steps: {ask(own, shrunk)}", "", *log])


def shrink(own, case):
    """The fewest steps with which something is wrong, by leaving out ever smaller parts."""
    seed, turns = (int(word) for word in case.split()[:2])
    made = [int(found[1]) for line in log_of(own, case) if (found := re.match(r"step (\d+) ", line))]
    steps = made or list(range(turns * 4))
    turns = min(turns, steps[-1] // 4 + 1) if made else turns

    def text(chosen):
        return f"{seed} {turns} {','.join(map(str, chosen))}"

    def is_wrong(chosen):
        return bool(chosen) and not ask(own, text(chosen)).startswith("fine")

    part = len(steps) // 2
    while part:
        start = 0
        while start < len(steps):
            less = steps[:start] + steps[start + part :]
            if is_wrong(less):
                steps = less
            else:
                start += part
        part //= 2
    return text(steps), steps


if __name__ == "__main__":
    main()
