"""What a table's size changes: the same work on all rows and on a thirtieth of them, and by all cores and by one."""

from .bench import make_quakes, quakes
from .job import Contender, Job, Measure, peer
from .peers import PYTHON
from .places import HERE, SCRIPTS

FEWER = "a thirtieth"
# What must not grow with the table, but by the depth of its indexes and by what fits in memory.
FLAT = {"find": "an object by a unique value", "window": "open a live window of 100", "kept": "a save in the window"}
# What goes through all rows may take so much more than thirty times as long.
ONE_CORE = "one core"
BY_CORES = {"summed": "a sum", "grouped": "groups by day", "summarized": "a summary"}
LINEAR = {"each": "each() over all rows", "counted": "count with a predicate", "grouped": "groups by day"}


def make_scale_jobs(bench):
    fewer = max(1000, bench.rows // 30)

    def make_fewer():
        make_quakes(fewer)

    contenders = [
        bench.own(bench.store, SCRIPTS / "scale.lua"),
        Contender(FEWER, [bench.program, quakes(fewer)[0], SCRIPTS / "scale.lua"], 1.5, prepare=make_fewer),
    ]
    times = bench.rows / fewer
    return [
        Job(
            "scale",
            f"a page in the middle of {bench.rows:,} rows, and of {fewer:,}",
            contenders,
            metric="middle",
            agrees=False,
            more=(
                *(Measure(metric, label, goals={FEWER: 1.5}) for metric, label in FLAT.items()),
                *(Measure(metric, label, goals={FEWER: 1.2 * times}) for metric, label in LINEAR.items()),
                Measure("bytes", "memory besides pages of the file", limit=120e6),
            ),
        ),
        Job(
            "cores",
            f"a count with two conditions of {bench.rows:,} rows by all cores, and by one",
            [
                bench.own(bench.store, SCRIPTS / "cores.lua"),
                Contender(ONE_CORE, ["taskset", "-c", "0", bench.program, bench.store, SCRIPTS / "cores.lua"], 0.55),
                peer("duckdb", "DuckDB of CSV", [PYTHON, HERE / "peers/duckdb_cores.py", bench.table]),
            ],
            metric="counted",
            more=tuple(Measure(metric, label, goals={ONE_CORE: 0.55}) for metric, label in BY_CORES.items()),
        ),
    ]
