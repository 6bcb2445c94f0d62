#!/usr/bin/env python3
"""Measures Perilune beside its limit (a C host of SQLite and Lua) and its peers, and holds the ratios against goals.

Every contender is a process of its own. Contenders take turns, run after run, so that a slow minute of the machine
falls on all of them; only ratios of medians within one run count. A contender that marks the measured part writes
"begin" and "end NAME=VALUE..." to standard error, and the stopwatch is here for all of them. What they computed or
wrote is compared after every run.
"""

import argparse
import json
import sys

from perfbench.bench import Bench
from perfbench.compare_jobs import make_compare_jobs
from perfbench.console_jobs import make_console_jobs
from perfbench.coredata_jobs import make_coredata_jobs
from perfbench.graph_jobs import make_graph_jobs
from perfbench.live_jobs import make_live_jobs
from perfbench.page_jobs import make_page_jobs
from perfbench.places import BUILD, remove_output
from perfbench.postgres_jobs import make_postgres_jobs
from perfbench.predicate_jobs import make_predicate_jobs
from perfbench.scale_jobs import make_scale_jobs
from perfbench.shell_jobs import make_shell_jobs
from perfbench.store_jobs import make_store_jobs
from perfbench.table import as_data, print_job, verdicts_of
from perfbench.turns import run_job

GROUPS = (
    make_store_jobs, make_coredata_jobs, make_graph_jobs, make_predicate_jobs, make_live_jobs, make_scale_jobs,
    make_shell_jobs, make_page_jobs, make_compare_jobs, make_console_jobs, make_postgres_jobs,
)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000, metavar="N", help="earthquakes (1000000)")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each contender (5)")
    parser.add_argument("--only", action="append", metavar="JOB", help="only this job; may be repeated")
    return parser.parse_args()


def chosen_jobs(bench, wanted):
    """The jobs of those names, or all."""
    jobs = [job for make in GROUPS for job in make(bench)]
    names = list(dict.fromkeys(job.name for job in jobs))
    if unknown := set(wanted or ()) - set(names):
        sys.exit(f"There is no job {', '.join(sorted(unknown))}; jobs are {', '.join(names)}.")
    return [job for job in jobs if not wanted or job.name in wanted]


def tell_end(jobs, arguments):
    """Writes what was measured to build/results.json and sums it up; tells whether all contenders came through."""
    results = [line for job in jobs for line in as_data(job)]
    document = {"rows": arguments.rows, "runs": arguments.runs, "results": results}
    (BUILD / "results.json").write_text(json.dumps(document, indent=1))
    verdicts = [verdict for job in jobs for verdict in verdicts_of(job)]
    failed = [contender for job in jobs for contender in job.contenders if contender.error]
    print(f"\n{verdicts.count('pass')} goals met, {verdicts.count('MISS')} missed, {len(failed)} contenders failed")
    for line in sorted({f"{line['contender']} ({line['missing']})" for line in results if line["missing"]}):
        print(f"missing: {line}")
    return not failed


def main():
    arguments = parse_arguments()
    bench = Bench(arguments.rows)
    jobs = chosen_jobs(bench, arguments.only)
    bench.make_data()
    print(f"{arguments.rows:,} earthquakes, medians of {arguments.runs} runs; ratios are Perilune's to the other's\n")
    for job in jobs:
        run_job(job, arguments.runs)
        print_job(job)
    remove_output()
    sys.exit(0 if tell_end(jobs, arguments) else 1)


if __name__ == "__main__":
    main()
