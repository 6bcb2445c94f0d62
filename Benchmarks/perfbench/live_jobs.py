"""Results that stay true: from a change to the observer, beside a C program that does no more, and GRDB's observation.

There are two limits: the C program alone, and the fair one, which writes the record of each save into a journal of the
same file. The goals leave room for objects and the Lua callback with its table of changes; GRDB fetches all keys again after each commit, so that what it takes grows with the result.
"""

import shutil
import subprocess

from .bench import make_quakes, quakes
from .job import Contender, Failure, Job, Measure, peer
from .peers import GRDB
from .places import DATA, OUTPUT, SCRIPTS, remove_output

LIMIT = "C, the limit"
FAIR = "C, fair"
KEEPS_HISTORY = "history"


def make_store(bench, rows, *options):
    """The store of the live jobs, made once by Perilune."""
    path = DATA / "-".join(["live", str(rows), *options])
    store = path.with_suffix(".sqlite")
    if store.exists():
        return store
    make_quakes(rows)
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    command = [bench.program, SCRIPTS / "live-store.lua", quakes(rows)[1], unfinished, *options]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode:
        raise Failure(f"its store was not made: {made.stderr.strip()}")
    unfinished.rename(store)
    return store


class LiveContenders:
    """Those who keep the result of a store of so many rows; each run works on a copy."""

    def __init__(self, bench, rows):
        self.bench = bench
        self.rows = rows

    def copy(self, *options):
        def prepare():
            remove_output()
            shutil.copyfile(make_store(self.bench, self.rows, *options), OUTPUT)

        return prepare

    def own(self, script, *arguments, name="Perilune", goal=None, options=()):
        command = [self.bench.program, OUTPUT, SCRIPTS / script, *arguments]
        return Contender(name, command, goal, prepare=self.copy(*options))

    def limit(self, goal, mode, *arguments):
        return Contender(LIMIT, [self.bench.live, mode, OUTPUT, *arguments], goal, prepare=self.copy())

    def fair(self, goal, mode, *arguments):
        return Contender(FAIR, [self.bench.live, "fair", mode, OUTPUT, *arguments], goal, prepare=self.copy())

    def grdb(self, goal, kind, operations):
        name = f"GRDB, {kind}"
        return peer("grdb", name, [GRDB, kind, OUTPUT, operations], goal, prepare=self.copy())


def make_live_jobs(bench):
    contenders = LiveContenders(bench, bench.rows)
    return [
        *make_save_jobs(bench),
        *make_tail_jobs(contenders),
        *make_change_jobs(contenders),
        make_rebuild_job(LiveContenders(bench, max(1000, bench.rows // 10))),
        *make_opening_jobs(contenders),
        *make_group_jobs(contenders),
        make_cross_job(contenders),
    ]


def make_save_jobs(bench):
    """One change in a save, in results of three sizes: what it takes must hardly grow."""
    sizes = [max(1000, bench.rows // divisor) for divisor in (100, 10, 1)]
    goals = {sizes[0]: 1 / 30, sizes[1]: 1 / 1000, sizes[2]: 1 / 20_000}
    saves = 2000
    jobs = []
    for rows in sorted(goals):
        contenders = LiveContenders(bench, rows)
        observations = max(5, 1_000_000 // rows)
        jobs.append(
            Job(
                "live-save",
                f"a save of one change to the observer, a result of {rows // 2:,}",
                [
                    contenders.own("live-save.lua", saves),
                    contenders.grdb(goals[rows], "queue", min(200, observations)),
                    contenders.grdb(goals[rows], "pool", min(200, observations)),
                    contenders.limit(None, "local", saves),
                    contenders.fair(1.8, "local", saves),
                ],
                metric="median",
                more=(Measure("p99", "one in a hundred", goals={FAIR: 1.5}),),
            )
        )
    small = LiveContenders(bench, sizes[0]).own("live-save.lua", saves, name="Perilune, a hundredth", goal=2.0)
    flat = [LiveContenders(bench, bench.rows).own("live-save.lua", saves), small]
    title = f"the same in a result of {bench.rows // 2:,} and in one of {sizes[0] // 2:,}"
    return [*jobs, Job("live-flat", title, flat, metric="median", agrees=False)]


def make_tail_jobs(contenders):
    saves = min(20_000, 2 * contenders.rows)
    return [
        Job(
            "live-tail",
            f"the slowest in a hundred of {saves:,} saves",
            [contenders.own("live-save.lua", saves), contenders.limit(1.5, "local", saves)],
            metric="p99",
            more=(Measure("max", "the slowest of all", limit=0.005),),
        ),
        Job(
            "live-section",
            "a save of one change to the observer, sections by day",
            [
                contenders.own("live-save.lua", 2000, "section"),
                contenders.limit(None, "section", 2000),
                contenders.fair(1.8, "section", 2000),
            ],
            metric="median",
        ),
    ]


def make_change_jobs(contenders):
    """Changes of many rows, of other rows, and for many results."""
    saves, changes = 20, min(1000, contenders.rows // 100)
    results = max(1, contenders.rows // 1000)
    return [
        Job(
            "live-batch",
            f"what a live result adds to each of {changes:,} changes in a save",
            [contenders.own("live-batch.lua", saves, changes), contenders.limit(3.0, "local", saves, changes)],
            metric="extra",
            more=(Measure("median", "the whole save", goals={LIMIT: 3.0}),),
        ),
        Job(
            "live-related",
            "a save of a name that twenty rows of the result are chosen by",
            [contenders.own("live-related.lua", 1000), contenders.limit(3.0, "related", 1000)],
            metric="median",
        ),
        Job(
            "live-many",
            f"a save of one change with {results:,} results of 100 rows",
            [
                contenders.own("live-many.lua", 500, results),
                contenders.limit(None, "many", 500, results),
                contenders.fair(3.0, "many", 500, results),
            ],
            metric="median",
            limit=0.0003,
        ),
    ]


def make_group_jobs(contenders):
    """Groups by a text of a thousand values, and a group for each row: what a commit takes must hardly grow."""
    saves = 2000
    by_day = contenders.own("live-group.lua", saves, "day", name="Perilune, groups by day", goal=1.5)
    flat = [contenders.own("live-group.lua", saves, "code"), by_day]
    return [
        Job(
            "live-group",
            f"a save of one change to the observer of groups by day, {contenders.rows:,} rows",
            [
                contenders.own("live-group.lua", saves, "day"),
                contenders.grdb(1 / 1000, "groups", max(5, 2_000_000 // contenders.rows)),
                contenders.limit(None, "group", saves, "day"),
                contenders.fair(1.5, "group", saves, "day"),
            ],
            metric="median",
            more=(Measure("p99", "one in a hundred"),),
        ),
        Job(
            "live-group-flat",
            f"the same with {contenders.rows:,} groups and with those by day",
            flat,
            metric="median",
            agrees=False,
        ),
    ]


def make_rebuild_job(contenders):
    """In a tenth of the rows, as moving half of a million in three indexes takes seconds by itself."""
    return Job(
        "live-rebuild",
        f"what a live result adds to a commit that moves half of {contenders.rows:,} rows",
        [contenders.own("live-rebuild.lua"), contenders.limit(2.0, "rebuild")],
        metric="extra",
        more=(Measure("whole", "the whole commit", goals={LIMIT: 2.0}),),
    )


def make_opening_jobs(contenders):
    shown = f"{contenders.rows // 2:,}"
    return [
        Job(
            "live-open",
            f"open a live result of {shown} rows",
            [
                contenders.own("live-open.lua"),
                contenders.grdb(0.22, "queue", 1),
                contenders.limit(1.5, "open"),
            ],
            metric="load",
        ),
        Job(
            "live-memory",
            f"bytes for each of {shown} rows of a live result",
            [
                contenders.own("live-open.lua", "memory"),
                contenders.grdb(0.5, "queue", 1),
                contenders.limit(None, "memory"),
            ],
            metric="bytes",
            limit=22,
        ),
    ]


def make_cross_job(contenders):
    commits = min(1000, contenders.rows // 10)
    return Job(
        "live-cross",
        "another process's commit to the observer",
        [
            contenders.own("live-cross.lua", commits, contenders.bench.live, options=[KEEPS_HISTORY]),
            contenders.limit(2.0, "cross", commits),
        ],
        metric="median",
        limit=0.00012,
        more=(Measure("p99", "one in a hundred", limit=0.0005),),
    )
