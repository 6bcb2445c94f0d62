"""Reading, writing, importing, exporting and starting.

There are two limits where objects are more than rows: the C host alone, and the fair one (fair.c), which keeps what
Perilune promises: that a row is one Lua value, that it can be read again, that a save can be taken back. Goals are held
against the fair one.
"""

import sys

from .job import Contender, Job, peer
from .peers import GRDB, PYTHON, SQLITE
from .places import HERE, INDEXED_SCHEMA, OUTPUT, SCRIPTS, TABLE, make_indexed_output, remove_output
from .written import exported_facts, loaded_facts, updated_facts

QUERY = "FROM quake WHERE magnitude >= 2 AND instr(place, 'CA') > 0"


def make_store_jobs(bench):
    rows, store, table = bench.rows, bench.store, bench.table
    sqlalchemy = [PYTHON, HERE / "peers/sqlalchemy_jobs.py"]
    return [
        Job(
            "read",
            f"first pass over {rows:,} objects",
            [
                bench.own(store, SCRIPTS / "read.lua"),
                peer("luasql", "luasql, row tables", ["lua5.4", HERE / "peers/luasql_read.lua", store], 0.6),
                Contender("Python sqlite3", [sys.executable, HERE / "peers/sqlite3_read.py", store], 0.5),
                peer("sqlalchemy", "SQLAlchemy ORM", [*sqlalchemy, "read", store], 0.1),
                Contender("C host, lazy rows", [bench.host, "read", store]),
                Contender("C host, fair", [bench.host, "fair-read", store], 1.15),
            ],
        ),
        Job(
            "second",
            f"second pass over {rows:,} fetched objects",
            [
                bench.own(store, SCRIPTS / "second.lua"),
                Contender("C host, packed rows", [bench.host, "second", store]),
                Contender("C host, fair", [bench.host, "fair-second", store], 1.15),
            ],
        ),
        Job(
            "hold",
            f"bytes for each of {rows:,} objects held with their values",
            [
                bench.own(store, SCRIPTS / "hold.lua"),
                Contender("C host, packed rows", [bench.host, "hold", store]),
                Contender("C host, fair", [bench.host, "fair-hold", store], 1.1),
            ],
            metric="bytes",
            limit=200,
        ),
        Job(
            "faults",
            f"bytes for each of {rows:,} objects held as faults",
            [bench.own(store, SCRIPTS / "hold.lua", "faults")],
            metric="bytes",
            limit=90,
        ),
        Job(
            "update",
            f"fetch, change and save {bench.changed:,} objects",
            [
                bench.own(OUTPUT, SCRIPTS / "update.lua", bench.changed, prepare=bench.copy_store),
                peer(
                    "sqlalchemy",
                    "SQLAlchemy ORM",
                    [*sqlalchemy, "update", OUTPUT, bench.changed],
                    0.08,
                    prepare=bench.copy_store,
                ),
                peer("grdb", "GRDB update", [GRDB, "update", OUTPUT, bench.changed], 0.1, prepare=bench.copy_store),
                Contender("C host", [bench.host, "update", OUTPUT, bench.changed], prepare=bench.copy_store),
                Contender("C host, fair", [bench.host, "fair-update", OUTPUT, bench.changed], 1.8, prepare=bench.copy_store),
            ],
            verify=updated_facts,
        ),
        Job(
            "create",
            f"make and save {rows:,} objects",
            [
                bench.own(SCRIPTS / "create.lua", rows, OUTPUT, prepare=remove_output),
                peer("grdb", "GRDB records", [GRDB, "insert", rows, OUTPUT], 0.25, prepare=remove_output),
                Contender("C host, bulk load", [bench.host, "make", rows, OUTPUT], prepare=remove_output),
                Contender("C host, fair", [bench.host, "fair-make", rows, OUTPUT], 1.6, prepare=remove_output),
            ],
            verify=loaded_facts,
        ),
        Job(
            "import",
            f"import {rows:,} rows of CSV into a new indexed store",
            [
                bench.own(SCRIPTS / "import.lua", table, OUTPUT, prepare=remove_output),
                peer(
                    "sqlite3",
                    "sqlite3 .import",
                    [
                        SQLITE, OUTPUT, "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", INDEXED_SCHEMA,
                        f'.import --csv --skip 1 "{table}" quake',
                    ],
                    0.35,
                    prepare=remove_output,
                ),
                peer(
                    "sqlite_utils",
                    "sqlite-utils insert",
                    [PYTHON, HERE / "peers/sqlite_utils_cli.py", "insert", OUTPUT, "quake", table, "--csv"],
                    0.05,
                    prepare=make_indexed_output,
                ),
                Contender("C host, bulk load", [bench.host, "load", table, OUTPUT], 0.75, prepare=remove_output),
            ],
            whole=True,
            verify=loaded_facts,
        ),
        Job(
            "export",
            f"export {rows:,} rows as CSV",
            [
                bench.own(store, SCRIPTS / "export.lua", TABLE, prepare=remove_output),
                peer(
                    "sqlite3",
                    "sqlite3 -csv",
                    [SQLITE, "-csv", "-header", store, "SELECT * FROM quake"],
                    0.3,
                    output=TABLE,
                    prepare=remove_output,
                ),
            ],
            whole=True,
            verify=exported_facts,
        ),
        Job(
            "count",
            "count with a predicate, five times",
            [
                bench.own(store, SCRIPTS / "query.lua", "count"),
                Contender("the same SQL", [bench.host, "query", store, f"SELECT count(*) {QUERY}"], 1.05),
            ],
        ),
        Job(
            "sum",
            "sum with a predicate, five times",
            [
                bench.own(store, SCRIPTS / "query.lua", "sum"),
                Contender("the same SQL", [bench.host, "query", store, f"SELECT sum(magnitude) {QUERY}"], 1.05),
            ],
        ),
        Job(
            "start",
            f"start to the first expression on a store of {rows:,} rows",
            [
                bench.own(store, "-e", "1 + 1"),
                peer("sqlite3", "sqlite3", [SQLITE, store, "SELECT count(*) FROM sqlite_schema"], 2.0),
                Contender("C host", [bench.host, "start", store, "1 + 1"], 2.5),
            ],
            limit=0.004,
            runs=8,
        ),
        Job(
            "screen",
            f"first screen of a table of {rows:,} rows",
            [bench.own(store, SCRIPTS / "screen.lua")],
            limit=0.05,
            terminal=True,
        ),
    ]
