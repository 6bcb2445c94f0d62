"""All runs of a job: contenders take turns, and must agree on what they computed."""

import sqlite3
import subprocess
import sys

from .job import Failure
from .stopwatch import measure, measure_start

FAILURES = (Failure, OSError, subprocess.SubprocessError, sqlite3.Error, ValueError, KeyError, StopIteration)


def run_once(job, contender):
    contender.prepare()
    if job.name == "start":
        return measure_start([str(word) for word in contender.command])
    if contender.play:
        return contender.play(contender)
    sample = measure([str(word) for word in contender.command], job, contender.output)
    sample.update(job.verify())
    return sample


def run_job(job, runs):
    """Contenders take turns; one that fails once is out."""
    for turn in range(runs * job.runs):
        for contender in job.contenders:
            if contender.missing or contender.error:
                continue
            show_progress(f"{job.name} {turn + 1}/{runs * job.runs} {contender.name}")
            try:
                contender.samples.append(run_once(job, contender))
            except FAILURES as failure:
                contender.error = str(failure) or type(failure).__name__
    show_progress("")
    compare_facts(job)


def show_progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def compare_facts(job):
    """Contenders that computed something else than the limit did are wrong, however fast."""
    if not job.agrees:
        return
    measured = [contender for contender in job.contenders if contender.samples]
    for name in ("sum", "count", "value", "rows", "total"):
        told = [contender for contender in measured if name in contender.samples[0]]
        if not told:
            continue
        expected = told[-1].samples[0][name]
        for contender in told:
            for sample in contender.samples:
                if abs(sample[name] - expected) > 0.01 + 1e-9 * abs(expected):
                    contender.error = f"{name} is {sample[name]}, not {expected}"
