"""A store in PostgreSQL beside what the server takes by itself, on a Unix socket.

The limit is plain SQL by psql, of the same rows: a COPY of all of them, an UPDATE from arrays, a \\copy into the same
table and indexes. What writes has a database that is made anew before each run.
"""

import subprocess
from functools import cache

from .cluster import Cluster, program
from .job import Contender, Failure, Job, Measure, peer
from .peers import PYTHON
from .places import DATA, HERE, SCRIPTS

COLUMNS = "_pk, magnitude, place, time, depth, code, day"

# What a server can answer without sending rows: the question of postgres-ask.lua, and the SQL that people would write.
QUESTIONS = {
    "sum": "SELECT sum(magnitude), avg(depth) FROM quake",
    "groups": "SELECT station_pk, count(*), sum(depth) FROM quake GROUP BY 1",
    "median": "SELECT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM'), percentile_cont(0.5) WITHIN GROUP (ORDER BY magnitude)"
    " FROM quake GROUP BY 1",
    "distinct": "SELECT count(*) FROM (SELECT DISTINCT place, magnitude FROM quake) AS q",
    "folded": "SELECT count(*) FROM quake JOIN station ON station._pk = station_pk WHERE name ILIKE '%station 7%'",
    "arithmetic": "SELECT count(*) FROM quake WHERE magnitude * 2 + depth > 100",
    "order": "SELECT _pk FROM quake ORDER BY abs(depth - 30), code LIMIT 5",
}


@cache
def cluster():
    return Cluster()


class Later(list):
    """A command that names the cluster, which is started when the first job that needs it runs."""

    def __init__(self, make):
        super().__init__()
        self.make = make

    def __iter__(self):
        return iter(self.make())


def make_postgres_jobs(bench):
    rows, changed = bench.rows, bench.changed
    lines = DATA / f"quakes-{rows}.rows.csv"

    def own(script, database, *arguments, **options):
        def command():
            return [bench.program, cluster().address(database), SCRIPTS / script, *arguments]

        return Contender("Perilune", Later(command), **options)

    def psql(name, database, *commands, goal=None, **options):
        return Contender(name, Later(lambda: cluster().psql_command(database, *commands)), goal, peer="postgres", **options)

    def sqlalchemy(task, database, goal, **options):
        def command():
            return [PYTHON, HERE / "peers/sqlalchemy_postgres.py", task, cluster().address(database), changed]

        return peer("sqlalchemy_psycopg", "SQLAlchemy ORM", Later(command), goal, **options)

    def make(database, script):
        """The earthquakes as Perilune imports them, made once."""
        if cluster().exists(database):
            return
        cluster().make(database)
        command = [bench.program, SCRIPTS / script, bench.table, cluster().address(database)]
        subprocess.run(command, check=True, capture_output=True)
        cluster().psql(database, "VACUUM ANALYZE quake")

    def quakes():
        make("quakes", "import.lua")

    def stations():
        """The store of the live jobs, each twenty quakes at a station."""
        make("stations", "live-store.lua")

    def copy_of_stations():
        stations()
        cluster().make("output", template="stations")

    def copy_of_quakes():
        quakes()
        cluster().make("output", template="quakes")

    def empty():
        cluster().make("output")

    def empty_table():
        """The table and indexes of the model, without rows."""
        copy_of_quakes()
        cluster().psql("output", "TRUNCATE quake RESTART IDENTITY", "CHECKPOINT")

    def lines_of_table():
        """The rows as the server keeps them, so that \\copy has nothing to compute."""
        empty_table()
        if not lines.exists():
            with open(lines, "wb") as output:
                copy = f"COPY (SELECT {COLUMNS} FROM quake ORDER BY _pk) TO STDOUT (FORMAT csv)"
                subprocess.run(cluster().psql_command("quakes", copy), check=True, stdout=output)

    def written(column):
        def facts():
            sums = f"SELECT count(*), round(sum({column})::numeric, 2) FROM quake"
            count, total = cluster().psql("output", sums).split("|")
            indexes = cluster().psql("output", "SELECT count(*) FROM pg_index WHERE indrelid = 'quake'::regclass")
            if indexes != "4":
                raise Failure(f"{indexes} indexes are there, not 4")
            return {"rows": int(count), "total": float(total)}

        return facts

    def live(kind, title, limit, worst):
        """Commits of another session, told one by one; nothing else does it."""
        name = "postgres-live" if kind == "window" else f"postgres-{kind}"
        commits = min(500, rows // 10)
        return Job(
            name,
            title,
            [own("postgres-live.lua", "output", commits, kind, program("psql"), peer="postgres", prepare=copy_of_stations)],
            metric="median",
            limit=limit,
            more=(Measure("p99", "one in a hundred", limit=worst),),
        )

    def asked(question, sql):
        """Five times each, by one connection."""
        return Job(
            f"postgres-{question}",
            f"PostgreSQL: {question} of {rows:,} rows, five times",
            [
                own("postgres-ask.lua", "stations", question, peer="postgres", prepare=stations),
                psql("SQL by psql", "stations", "\\warn begin", *[sql] * 5, "\\warn end", goal=1.5, prepare=stations),
            ],
            agrees=False,
        )

    # The arrays are there before, as the changed objects are.
    arrays = (
        "CREATE TEMP TABLE v AS SELECT array_agg(_pk) AS keys, array_agg(depth + 1) AS depths FROM"
        f" (SELECT _pk, depth FROM quake ORDER BY code LIMIT {changed}) AS f"
    )
    update = "UPDATE quake SET depth = u.depth FROM v, unnest(v.keys, v.depths) AS u(key, depth) WHERE quake._pk = u.key"
    return [
        Job(
            "postgres-read",
            f"PostgreSQL: each() over {rows:,} objects",
            [
                own("read.lua", "quakes", peer="postgres", prepare=quakes),
                psql("COPY binary by psql", "quakes", f"COPY (SELECT {COLUMNS} FROM quake) TO STDOUT (FORMAT binary)"),
                sqlalchemy("read", "quakes", 0.3),
            ],
            whole=True,
            agrees=False,
        ),
        Job(
            "postgres-update",
            f"PostgreSQL: save {changed:,} changed objects",
            [
                own("update-save.lua", "output", changed, peer="postgres", prepare=copy_of_quakes),
                psql(
                    "UPDATE FROM unnest by psql", "output", arrays, "\\warn begin", update, "\\warn end",
                    goal=1.5, prepare=copy_of_quakes,
                ),
                sqlalchemy("update", "output", 0.1, prepare=copy_of_quakes),
            ],
            verify=written("depth"),
        ),
        Job(
            "postgres-import",
            f"PostgreSQL: import {rows:,} rows of CSV into a new indexed store",
            [
                Contender(
                    "Perilune",
                    Later(lambda: [bench.program, SCRIPTS / "import.lua", bench.table, cluster().address("output")]),
                    peer="postgres",
                    prepare=empty,
                ),
                psql("\\copy by psql", "output", f"\\copy quake FROM '{lines}' (FORMAT csv)", goal=1.3, prepare=lines_of_table),
            ],
            whole=True,
            verify=written("magnitude"),
        ),
        *(asked(question, sql) for question, sql in QUESTIONS.items()),
        live("window", "PostgreSQL: another session's commit to a list with order, limit and a key path", 0.0015, 0.005),
        live("list", "PostgreSQL: another session's commit to the observer of a long list", 0.0015, 0.005),
        live("many", "PostgreSQL: another session's commit to one of 1,000 live results", 0.005, 0.02),
    ]
