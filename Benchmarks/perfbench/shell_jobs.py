"""The prompt as a person meets it: how long it takes to answer, and what it costs to leave it open."""

import subprocess
import sys
import time

from .job import Job, Measure, peer
from .peers import PYTHON, SQLITE
from .places import HERE, OUTPUT, SCRIPTS, TABLE, remove_output
from .typing import Session

# Commits of one changed row each, a thousand a second, for so many seconds.
WRITER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA synchronous = OFF")
begun, number = time.perf_counter(), 0
while time.perf_counter() - begun < float(sys.argv[2]):
    db.execute("UPDATE quake SET depth = depth + 1 WHERE id = ?", (number % 1000 + 1,))
    number += 1
    time.sleep(max(0, begun + number / 1000 - time.perf_counter()))
print(number)
"""


def first_prompt(prompt):
    def play(contender):
        session = Session(contender.command)
        try:
            return {"seconds": session.expect(prompt) - session.begun}
        finally:
            session.close()

    return play


def tab(line, answer):
    """The time from Tab to the candidates, the first time for a store."""

    def play(contender):
        session = Session(contender.command)
        try:
            session.expect("> ")
            session.send(line)
            session.rest(0.3)
            session.position = len(session.text)
            begun = time.perf_counter()
            session.send("\t\t")
            return {"seconds": session.expect(answer) - begun}
        finally:
            session.close()

    return play


def watch_under_load(contender):
    """What a second costs, and how often the screen is drawn, while another program commits a thousand times a second."""
    # A store without a history is read every few seconds: in less time it is chance how often.
    seconds = 20
    session = Session(contender.command)
    try:
        session.expect("> ")
        session.send("watch(Quake:sorted('-magnitude'))\r")
        session.expect("q leave")
        session.rest(0.5)
        before = session.cpu_seconds
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, OUTPUT, str(seconds)], stdout=subprocess.PIPE, text=True
        )
        frames = session.rest(seconds)
        cpu = session.cpu_seconds - before
        commits = int(writer.communicate()[0])
        return {"seconds": cpu / seconds, "frames": frames / seconds, "commits": commits / seconds}
    finally:
        session.close()


def idle(contender):
    """The share of a second that an open prompt takes."""
    session = Session(contender.command)
    try:
        session.expect("> ")
        session.rest(1)
        before = session.cpu_seconds
        session.rest(4)
        return {"seconds": (session.cpu_seconds - before) / 4}
    finally:
        session.close()


def make_shell_jobs(bench):
    rows, store, table = bench.rows, bench.store, bench.table
    options = ["--no-init", "-q"]

    def export(mode, arguments, goal):
        return Job(
            f"export-{mode}",
            f"write {rows:,} rows as {mode}",
            [
                bench.own(store, "--mode", mode, "-e", "Quake:all()", output=TABLE, prepare=remove_output),
                peer(
                    "sqlite3", f"sqlite3 {arguments[0]}", [SQLITE, *arguments, store, "SELECT * FROM quake"],
                    goal, output=TABLE, prepare=remove_output,
                ),
            ],
            whole=True,
            agrees=False,
        )

    return [
        Job(
            "prompt",
            f"start to the first prompt on a store of {rows:,} rows",
            [
                bench.own(*options, store, play=first_prompt("> ")),
                peer("sqlite3", "sqlite3", [SQLITE, "-interactive", store], 4.0, play=first_prompt("sqlite> ")),
                peer(
                    "litecli", "litecli", [PYTHON.parent / "litecli", store], 0.1, play=first_prompt(".sqlite>"),
                ),
            ],
            runs=2,
        ),
        Job(
            "tab",
            "Tab to the properties of an entity",
            [bench.own(*options, store, play=tab('Quake:where "m', "magnitude"))],
            limit=0.05,
        ),
        Job(
            "tab-values",
            f"the first Tab to the values of a text among {rows:,} rows",
            [bench.own(*options, store, play=tab("Quake:where \"place == '", "km"))],
            limit=0.05,
        ),
        Job(
            "idle",
            "share of a processor that an open prompt takes",
            [bench.own(*options, store, play=idle)],
            limit=0.001,
        ),
        Job(
            "watch",
            "share of a processor that watch takes under 1,000 commits a second",
            [bench.own(*options, OUTPUT, prepare=bench.copy_store, play=watch_under_load)],
            limit=0.1,
            more=(Measure("frames", "frames a second", limit=10.5), Measure("commits", "commits a second")),
        ),
        Job(
            "summary",
            f"summary of {rows:,} rows",
            [
                bench.own(store, SCRIPTS / "summary.lua"),
                peer("duckdb", "DuckDB SUMMARIZE of CSV", [PYTHON, HERE / "peers/duckdb_summary.py", table]),
            ],
            limit=1.0,
            agrees=False,
        ),
        Job(
            "plot",
            f"histogram of {rows:,} rows, from the file",
            [
                bench.own(store, SCRIPTS / "plot.lua"),
                peer("uniplot", "sqlite3 and uniplot", [PYTHON, HERE / "peers/uniplot_histogram.py", store], 0.5),
            ],
            limit=0.25,
            agrees=False,
        ),
        Job(
            "plot-live",
            f"redraw a live plot of {rows:,} rows after a commit of one",
            [bench.own(OUTPUT, SCRIPTS / "plot-live.lua", prepare=bench.copy_store)],
            metric="redraw",
            limit=0.001,
        ),
        export("json", ["-json"], 1.0),
        export("tsv", ["-tabs"], 1.0),
        export("insert", ["-cmd", ".mode insert quake"], 1.0),
    ]
