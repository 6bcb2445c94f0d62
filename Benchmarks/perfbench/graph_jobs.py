"""Objects with relationships, what can be taken back, the history and writers in one another's way."""

import subprocess

from .job import Contender, Job, peer
from .peers import PYTHON, SQLITE
from .places import HERE, OUTPUT, SCRIPTS, remove_output


def make_graph_jobs(bench):
    count = bench.changed
    sqlalchemy = [PYTHON, HERE / "peers/sqlalchemy_graph.py"]

    def make_linked():
        remove_output()
        subprocess.run([bench.host, "link", str(count), OUTPUT], check=True, stderr=subprocess.DEVNULL)

    def make_noted(mode):
        def prepare():
            remove_output()
            command = [bench.program, SCRIPTS / "history.lua", str(count), OUTPUT, mode]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

        return prepare

    def sql(name, statement, mode, goal=None):
        command = [SQLITE, "-cmd", "PRAGMA synchronous = NORMAL", OUTPUT, statement]
        return peer("sqlite3", name, command, goal, prepare=make_noted(mode))

    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
    insert = numbers + "INSERT INTO note (title, number, time) SELECT 'more ' || i, i, i FROM n"
    update = "UPDATE note SET number = number + 1"
    return [
        Job(
            "link",
            f"make, link and save {count:,} objects",
            [
                bench.own(SCRIPTS / "graph.lua", count, OUTPUT, "link", prepare=remove_output),
                peer(
                    "sqlalchemy", "SQLAlchemy ORM", [*sqlalchemy, "link", count, OUTPUT], 0.15, prepare=remove_output
                ),
                Contender("C host", [bench.host, "link", count, OUTPUT], prepare=remove_output),
            ],
        ),
        Job(
            "undo",
            f"undo and redo making {count:,} linked objects",
            [
                bench.own(SCRIPTS / "graph.lua", count, OUTPUT, "undo", prepare=remove_output),
                Contender("C host, savepoint", [bench.host, "undo", count, OUTPUT], prepare=remove_output),
            ],
        ),
        Job(
            "related",
            f"load {count:,} objects through a relationship, prefetched",
            [
                bench.own(OUTPUT, SCRIPTS / "related.lua", prepare=make_linked),
                peer("sqlalchemy", "SQLAlchemy ORM", [*sqlalchemy, "related", OUTPUT], 0.3, prepare=make_linked),
                Contender("C host, a join", [bench.host, "related", OUTPUT], prepare=make_linked),
            ],
        ),
        Job(
            "history",
            f"save {count:,} new objects and changes to them, with a history",
            [
                bench.own(SCRIPTS / "history.lua", count, OUTPUT, "on", prepare=remove_output),
                Contender(
                    "without a history", bench.own(SCRIPTS / "history.lua", count, OUTPUT, "off").command, 1.5,
                    prepare=remove_output,
                ),
            ],
        ),
        Job(
            "history-insert",
            f"insert {count:,} rows by sqlite3 into a store with a history",
            [sql("sqlite3, history on", insert, "on"), sql("sqlite3, history off", insert, "off", 2.0)],
            whole=True,
        ),
        Job(
            "history-update",
            f"update an indexed column of {count:,} rows by sqlite3, with a history",
            [sql("sqlite3, history on", update, "on"), sql("sqlite3, history off", update, "off", 2.0)],
            whole=True,
        ),
        Job(
            "conflicts",
            "two processes count the same objects up, nothing lost",
            [bench.own(SCRIPTS / "conflicts.lua", 2000, OUTPUT, prepare=remove_output)],
        ),
    ]
