"""A day's changes in minutes: a hundred live results, two processes that write beside the one that holds them."""

import subprocess

from .attack import make_sample
from .bench import WORK

CHECKPOINTS = 10
LONG = 60  # seconds, from which on memory is judged
GROWTH = 1.15  # what memory may be at the end, of what it was in the middle
SLACK = 4000  # kB; the allocator's pages


def try_load(bench, seconds, measures=True):
    """Returns how many changes were made and told, and the kB of memory in the middle and at the end.

    A program that holds freed memory on purpose, as sanitizers do, is not measured.
    """
    # A checkpoint takes more than half a second, in which nobody writes.
    checkpoints = max(1, min(CHECKPOINTS, int(seconds / 1.5)))
    store = make_sample(bench, 300)
    environment = bench.environment()
    writers = [
        subprocess.Popen(
            [bench.program, "-q", WORK / "churn.lua", store, str(n), str(int(seconds))], env=environment,
            stdout=subprocess.PIPE, text=True)
        for n in (1, 2)
    ]
    holder = subprocess.run(
        [bench.program, "-q", WORK / "load.lua", store, str(seconds), str(checkpoints)], env=environment,
        capture_output=True, text=True)
    changes = sum(int(writer.communicate()[0] or 0) for writer in writers)
    problems = [f"a writer ends with {w.returncode}" for w in writers if w.returncode != 0]
    if holder.returncode != 0:
        problems.append(f"the holder ends with {holder.returncode}: {holder.stderr[-1000:]}")
    lines = [[int(part) for part in line.split()] for line in holder.stdout.splitlines()]
    for done, _, _, _, _, _, wrong in lines:
        if wrong:
            problems.append(f"at checkpoint {done} {wrong} live results differ from a fetch")
    early = late = lines[-1] if lines else [0] * 7
    if measures and len(lines) >= 3:
        # The first half of a run fills caches; a short one says nothing of memory.
        early = lines[len(lines) // 2]
        if seconds >= LONG and late[2] > early[2] * GROWTH + SLACK:
            problems.append(f"memory grows from {early[2]} to {late[2]} kB")
        if late[3] > early[3]:
            problems.append(f"descriptors grow from {early[3]} to {late[3]}")
    if problems:
        bench.fail(f"under load: {problems[0]}", [*problems, "", holder.stdout, holder.stderr[-5000:]])
    return changes + late[5], late[1], early[2], late[2]
