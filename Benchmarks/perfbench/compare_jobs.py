"""What distinguishes two stores, and a part of one.

The limit of a comparison is reading both stores; sqldiff compares the same files. A subset is held against a plain copy of the
same objects.
"""

import shutil
import sqlite3
import subprocess

from .job import Contender, Job, peer
from .places import DATA, OUTPUT, SCRIPTS, remove_output
from .postgres_jobs import Later, cluster

CHANGES = 100


def make_compare_jobs(bench):
    rows, store = bench.rows, bench.store
    other = DATA / f"quakes-{rows}-changed.sqlite"
    script = SCRIPTS / "compare.lua"

    def make_other():
        """A copy of the store with a hundred other magnitudes."""
        if other.exists():
            return
        shutil.copyfile(store, other)
        with sqlite3.connect(other) as db:
            step = max(1, rows // CHANGES)
            db.execute(f"UPDATE quake SET magnitude = magnitude + 0.5 WHERE rowid % {step} = 0")
        db.close()

    def make_databases():
        make_other()
        for database, file in (("compared", store), ("changed", other)):
            if not cluster().exists(database):
                cluster().make(database)
                command = [bench.program, "subset", file, cluster().address(database)]
                subprocess.run(command, check=True, capture_output=True)

    def on_server(*arguments):
        return Later(
            lambda: [bench.program, cluster().address("compared"), script, cluster().address("changed"), *arguments])

    return [
        Job(
            "compare",
            f"what distinguishes two stores of {rows:,} objects in {CHANGES} of them",
            [
                bench.own(store, script, other, prepare=make_other),
                Contender("reading both", [bench.program, store, script, other, "read"], 2.5, prepare=make_other),
                peer("sqldiff", "sqldiff", ["sqldiff", "--table", "quake", store, other], prepare=make_other),
            ],
            whole=True,
            agrees=False,
        ),
        Job(
            "compare-text",
            f"the same where a text identifies the {rows:,} objects",
            [
                bench.own(store, script, other, "code", prepare=make_other),
                Contender("reading both", [bench.program, store, script, other, "read"], 2.5, prepare=make_other),
            ],
            agrees=False,
        ),
        Job(
            "postgres-compare",
            f"PostgreSQL: what distinguishes two databases of {rows:,} objects",
            [
                Contender("Perilune", on_server(), peer="postgres", prepare=make_databases),
                Contender("reading both", on_server("read"), 2.5, peer="postgres", prepare=make_databases),
            ],
            agrees=False,
        ),
        Job(
            "subset",
            f"a subset of all {rows:,} objects",
            [
                bench.own(store, SCRIPTS / "subset.lua", OUTPUT, prepare=remove_output),
                Contender("store:copy", [bench.program, store, SCRIPTS / "subset.lua", OUTPUT, "copy"], 1.5, prepare=remove_output),
            ],
        ),
    ]
