#!/usr/bin/env python3
"""Measures Perilune beside its limit (a C host of SQLite and Lua) and its peers, and holds the ratios against goals.

Every contender is a process of its own. Contenders take turns, run after run, so that a slow minute of the machine
falls on all of them; only ratios of medians within one run count. A contender that marks the measured part writes
"begin" and "end NAME=VALUE..." to standard error, and the stopwatch is here for all of them. What they computed or
wrote is compared after every run.
"""

import argparse
import csv
import json
import os
import pty
import shutil
import sqlite3
import statistics
import struct
import subprocess
import sys
import termios
import threading
import time
from dataclasses import dataclass, field
from fcntl import ioctl
from pathlib import Path
from typing import Callable, Optional

HERE = Path(__file__).resolve().parent
BUILD = HERE / "build"
DATA = HERE / "data"
OUTPUT = DATA / "output.sqlite"
TABLE = DATA / "output.csv"

JOBS = (
    "read second hold faults update create import export count sum start screen link undo related history"
    " history-insert history-update conflicts predicates parse format sql prefix equal"
).split()

INDEXED_SCHEMA = (
    "CREATE TABLE quake (id INTEGER PRIMARY KEY, magnitude DOUBLE NOT NULL, place TEXT NOT NULL, time DOUBLE NOT NULL,"
    " depth DOUBLE NOT NULL, code TEXT NOT NULL, day TEXT NOT NULL);"
    "CREATE UNIQUE INDEX quake_code ON quake (code);"
    "CREATE INDEX quake_time ON quake (time);"
    "CREATE INDEX quake_magnitude ON quake (magnitude);"
)
QUERY = "FROM quake WHERE magnitude >= 2 AND instr(place, 'CA') > 0"


class Failure(Exception):
    pass


@dataclass
class Contender:
    name: str
    command: Optional[list] = None
    goal: Optional[float] = None  # Perilune's median may be this many times the contender's
    missing: Optional[str] = None  # why it cannot be measured
    output: Optional[Path] = None  # a file for standard output
    prepare: Callable[[], None] = lambda: None
    samples: list = field(default_factory=list)
    error: Optional[str] = None

    def median(self, metric):
        values = [sample[metric] for sample in self.samples if metric in sample]
        return statistics.median(values) if values else None


@dataclass
class Job:
    name: str
    title: str
    contenders: list  # Perilune first
    metric: str = "seconds"
    limit: Optional[float] = None  # an absolute goal for the metric
    whole: bool = False  # the whole process is measured, not the part it marks
    terminal: bool = False  # standard output is a terminal
    runs: int = 1  # times as many runs as the others
    verify: Callable[[], dict] = dict  # facts about what was written, equal for all contenders


# ---- One run -------------------------------------------------------------------------------------------------------


def start_environment():
    return dict(os.environ, XDG_CONFIG_HOME=str(BUILD / "no-configuration"), LC_ALL="C.UTF-8", TERM="xterm")


def measure_start(command):
    """The time of a whole process, started with as little around it as Python can."""
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, descriptor) for descriptor in (0, 1, 2)]
    environment = start_environment()
    begin = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=actions)
    _, status = os.waitpid(child, 0)
    seconds = time.perf_counter() - begin
    os.close(null)
    if status:
        raise Failure(f"ended with {os.waitstatus_to_exitcode(status)}")
    return {"seconds": seconds}


def drain_terminal(primary, drained):
    try:
        while chunk := os.read(primary, 65536):
            drained.append(chunk)
    except OSError:  # the other side is closed
        pass


def measure(command, job, output):
    """One run: seconds, peak memory in MB, and what the end mark told."""
    command = [BUILD / "launch", *command]
    drained, reader, primary = [], None, None
    if job.terminal:
        primary, standard_output = pty.openpty()
        ioctl(standard_output, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        reader = threading.Thread(target=drain_terminal, args=(primary, drained))
        reader.start()
    else:
        standard_output = os.open(output or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)

    begun = time.perf_counter()
    begin, end, facts, said = None, None, {}, []
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=standard_output, stderr=subprocess.PIPE, env=start_environment()
    )
    os.close(standard_output)
    for line in process.stderr:
        now = time.perf_counter()
        words = line.decode(errors="replace").split()
        if words == ["begin"]:
            begin = now
        elif words[:1] == ["end"]:
            end = now
            facts.update((name, float(value)) for name, value in (word.split("=") for word in words[1:]))
        elif words[:1] == ["peak"]:
            facts["peak"] = int(words[1]) / 1024
        elif words:
            said.append(" ".join(words))
    status = process.wait()
    if job.whole:
        begin, end = begun, time.perf_counter()
    if reader:
        reader.join()
        os.close(primary)
        facts["lines"] = b"".join(drained).count(b"\n")

    if status:
        raise Failure(f"ended with {status}: {said[0] if said else 'without a word'}")
    if job.terminal and not 3 <= facts["lines"] <= 100:
        raise Failure(f"showed {facts['lines']} lines, which is not a screen")
    if begin is None or end is None:
        raise Failure("did not mark begin and end")
    return {"seconds": end - begin, **facts}


def run_once(job, contender):
    contender.prepare()
    if job.name == "start":
        return measure_start([str(word) for word in contender.command])
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
            except (Failure, OSError, sqlite3.Error, ValueError, KeyError, StopIteration) as failure:
                contender.error = str(failure) or type(failure).__name__
    show_progress("")
    compare_facts(job)


def show_progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def compare_facts(job):
    """Contenders that computed something else than the limit did are wrong, however fast."""
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


# ---- What was written ----------------------------------------------------------------------------------------------


def remove_output():
    for path in (OUTPUT, TABLE):
        for suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)


def make_indexed_output():
    remove_output()
    with sqlite3.connect(OUTPUT) as db:
        db.executescript("PRAGMA journal_mode = WAL;" + INDEXED_SCHEMA)
    db.close()


def loaded_facts():
    """Rows and total of the loaded store, after its integrity, its uniqueness and its indexes were checked."""
    db = sqlite3.connect(OUTPUT)
    (integrity,) = db.execute("PRAGMA integrity_check").fetchone()
    if integrity != "ok":
        raise Failure(f"the store is damaged: {integrity}")
    leading = {}
    for _, name, unique, *_ in db.execute("PRAGMA index_list(quake)").fetchall():
        column = db.execute(f'PRAGMA index_info("{name}")').fetchone()[2]
        leading[column] = leading.get(column, 0) or unique
    if "time" not in leading or "magnitude" not in leading or not leading.get("code"):
        raise Failure(f"indexes are missing: {leading}")
    rows, total = db.execute("SELECT count(*), round(sum(magnitude), 2) FROM quake").fetchone()
    db.close()
    return {"rows": rows, "total": total}


def updated_facts():
    db = sqlite3.connect(OUTPUT)
    (integrity,) = db.execute("PRAGMA integrity_check").fetchone()
    if integrity != "ok":
        raise Failure(f"the store is damaged: {integrity}")
    rows, total = db.execute("SELECT count(*), round(sum(depth), 2) FROM quake").fetchone()
    db.close()
    return {"rows": rows, "total": total}


def exported_facts():
    with open(TABLE, newline="") as file:
        reader = csv.reader(file)
        column = next(reader).index("magnitude")
        magnitudes = [float(row[column]) for row in reader]
    return {"rows": len(magnitudes), "total": round(sum(magnitudes), 2)}


# ---- The contenders ------------------------------------------------------------------------------------------------


def quietly(*command):
    """Whether a command succeeds; what it says goes to build/log.txt."""
    with open(BUILD / "log.txt", "a") as log:
        print("$", *command, file=log, flush=True)
        try:
            return subprocess.run([str(word) for word in command], stdout=log, stderr=log).returncode == 0
        except OSError:
            return False


class Peers:
    """Where the peers are, and why those that are missing are."""

    def __init__(self, wanted):
        self.python = BUILD / "venv/bin/python"
        self.grdb = BUILD / "grdb-peer/release/grdb-peer"
        self.predicates = BUILD / "predicates-peer/release/predicates-peer"
        self.missing = {}
        self.check("sqlite3", shutil.which("sqlite3"), "the command line of SQLite is not installed")
        luasql = quietly("lua5.4", "-e", "require 'luasql.sqlite3'")
        self.check("luasql", luasql, "Debian's lua-sql-sqlite3 is not installed")
        if wanted & {"read", "update", "import", "link", "related"}:
            if not self.python.exists():
                quietly(sys.executable, "-m", "venv", BUILD / "venv")
            for module, package in (("sqlalchemy", "sqlalchemy"), ("sqlite_utils", "sqlite-utils")):
                there = quietly(self.python, "-c", f"import {module}")
                there = there or quietly(self.python, "-m", "pip", "install", "--quiet", package)
                self.check(module, there, f"pip could not install {package}")
        if wanted & {"predicates", "parse", "format"}:
            built = quietly(
                "swift", "build", "-c", "release", "--package-path", HERE / "predicates-peer", "--scratch-path",
                BUILD / "predicates-peer",
            )  # fmt: skip
            self.check("predicates", built, "its package did not build")
        if wanted & {"update", "create"}:
            built = quietly(
                "swift", "build", "-c", "release", "--package-path", HERE / "grdb-peer", "--scratch-path",
                BUILD / "grdb-peer",
            )  # fmt: skip
            self.check("grdb", built, "its package did not build")

    def check(self, name, there, reason):
        self.missing[name] = None if there else f"{reason} (see Benchmarks/build/log.txt)"


def make_jobs(perilune, rows, peers):
    host = BUILD / "host"
    store, table = DATA / f"quakes-{rows}.sqlite", DATA / f"quakes-{rows}.csv"
    script = HERE / "jobs"
    sqlalchemy = [peers.python, HERE / "peers/sqlalchemy_jobs.py"]
    changed = max(1, rows // 10)
    sqlite = shutil.which("sqlite3") or "sqlite3"

    def copy_store():
        remove_output()
        shutil.copyfile(store, OUTPUT)

    def own(*arguments, **options):
        return Contender("Perilune", [perilune, *arguments], **options)

    def peer(key, name, command, goal=None, **options):
        return Contender(name, command, goal, missing=peers.missing.get(key), **options)

    return [
        Job(
            "read",
            f"first pass over {rows:,} objects",
            [
                own(store, script / "read.lua"),
                peer("luasql", "luasql, row tables", ["lua5.4", HERE / "peers/luasql_read.lua", store], 0.6),
                Contender("Python sqlite3", [sys.executable, HERE / "peers/sqlite3_read.py", store], 0.55),
                peer("sqlalchemy", "SQLAlchemy ORM", [*sqlalchemy, "read", store], 0.1),
                Contender("C host, lazy rows", [host, "read", store], 1.25),
            ],
        ),
        Job(
            "second",
            f"second pass over {rows:,} fetched objects",
            [own(store, script / "second.lua"), Contender("C host, packed rows", [host, "second", store], 1.2)],
        ),
        Job(
            "hold",
            f"bytes for each of {rows:,} objects held with their values",
            [own(store, script / "hold.lua"), Contender("C host, packed rows", [host, "hold", store])],
            metric="bytes",
            limit=240,
        ),
        Job(
            "faults",
            f"bytes for each of {rows:,} objects held as faults",
            [own(store, script / "hold.lua", "faults")],
            metric="bytes",
            limit=120,
        ),
        Job(
            "update",
            f"fetch, change and save {changed:,} objects",
            [
                own(OUTPUT, script / "update.lua", changed, prepare=copy_store),
                peer(
                    "sqlalchemy",
                    "SQLAlchemy ORM",
                    [*sqlalchemy, "update", OUTPUT, changed],
                    0.1,
                    prepare=copy_store,
                ),
                peer("grdb", "GRDB update", [peers.grdb, "update", OUTPUT, changed], 0.1, prepare=copy_store),
                Contender("C host", [host, "update", OUTPUT, changed], 2.0, prepare=copy_store),
            ],
            verify=updated_facts,
        ),
        Job(
            "create",
            f"make and save {rows:,} objects",
            [
                own(script / "create.lua", rows, OUTPUT, prepare=remove_output),
                peer("grdb", "GRDB records", [peers.grdb, "insert", rows, OUTPUT], 0.3, prepare=remove_output),
                Contender("C host, bulk load", [host, "make", rows, OUTPUT], 2.0, prepare=remove_output),
            ],
            verify=loaded_facts,
        ),
        Job(
            "import",
            f"import {rows:,} rows of CSV into a new indexed store",
            [
                own(script / "import.lua", table, OUTPUT, prepare=remove_output),
                peer(
                    "sqlite3",
                    "sqlite3 .import",
                    [
                        sqlite, OUTPUT, "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", INDEXED_SCHEMA,
                        f'.import --csv --skip 1 "{table}" quake',
                    ],
                    0.35,
                    prepare=remove_output,
                ),
                peer(
                    "sqlite_utils",
                    "sqlite-utils insert",
                    [peers.python, HERE / "peers/sqlite_utils_cli.py", "insert", OUTPUT, "quake", table, "--csv"],
                    0.05,
                    prepare=make_indexed_output,
                ),
                Contender("C host, bulk load", [host, "load", table, OUTPUT], 1.4, prepare=remove_output),
            ],
            whole=True,
            verify=loaded_facts,
        ),
        Job(
            "export",
            f"export {rows:,} rows as CSV",
            [
                own(store, script / "export.lua", TABLE, prepare=remove_output),
                peer(
                    "sqlite3",
                    "sqlite3 -csv",
                    [sqlite, "-csv", "-header", store, "SELECT * FROM quake"],
                    1.0,
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
                own(store, script / "query.lua", "count"),
                Contender("the same SQL", [host, "query", store, f"SELECT count(*) {QUERY}"], 1.05),
            ],
        ),
        Job(
            "sum",
            "sum with a predicate, five times",
            [
                own(store, script / "query.lua", "sum"),
                Contender("the same SQL", [host, "query", store, f"SELECT sum(magnitude) {QUERY}"], 1.05),
            ],
        ),
        Job(
            "start",
            f"start to the first expression on a store of {store.stat().st_size >> 20} MB",
            [
                own(store, "-e", "1 + 1"),
                peer("sqlite3", "sqlite3", [sqlite, store, "SELECT count(*) FROM sqlite_schema"], 3.0),
                Contender("C host", [host, "start", store, "1 + 1"]),
            ],
            runs=8,
        ),
        Job(
            "screen",
            f"first screen of a table of {rows:,} rows",
            [own(store, script / "screen.lua")],
            limit=0.05,
            terminal=True,
        ),
    ] + make_graph_jobs(own, peer, host, script, peers, sqlite, changed) + make_predicate_jobs(
        own, peer, host, script, peers, store
    )


def make_graph_jobs(own, peer, host, script, peers, sqlite, count):
    """Objects with relationships, what can be taken back, the history and writers in one another's way."""
    sqlalchemy = [peers.python, HERE / "peers/sqlalchemy_graph.py"]

    def make_linked():
        remove_output()
        subprocess.run([BUILD / "host", "link", str(count), OUTPUT], check=True, stderr=subprocess.DEVNULL)

    def make_noted(mode):
        def prepare():
            remove_output()
            command = [own().command[0], script / "history.lua", str(count), OUTPUT, mode]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

        return prepare

    def sql(name, statement, mode, goal=None):
        command = [sqlite, "-cmd", "PRAGMA synchronous = NORMAL", OUTPUT, statement]
        return peer("sqlite3", name, command, goal, prepare=make_noted(mode))

    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
    insert = numbers + "INSERT INTO note (title, number, time) SELECT 'more ' || i, i, i FROM n"
    update = "UPDATE note SET number = number + 1"
    return [
        Job(
            "link",
            f"make, link and save {count:,} objects",
            [
                own(script / "graph.lua", count, OUTPUT, "link", prepare=remove_output),
                peer(
                    "sqlalchemy", "SQLAlchemy ORM", [*sqlalchemy, "link", count, OUTPUT], 0.15, prepare=remove_output
                ),
                Contender("C host", [host, "link", count, OUTPUT], prepare=remove_output),
            ],
        ),
        Job(
            "undo",
            f"undo and redo making {count:,} linked objects",
            [
                own(script / "graph.lua", count, OUTPUT, "undo", prepare=remove_output),
                Contender("C host, savepoint", [host, "undo", count, OUTPUT], prepare=remove_output),
            ],
        ),
        Job(
            "related",
            f"load {count:,} objects through a relationship, prefetched",
            [
                own(OUTPUT, script / "related.lua", prepare=make_linked),
                peer("sqlalchemy", "SQLAlchemy ORM", [*sqlalchemy, "related", OUTPUT], 0.3, prepare=make_linked),
                Contender("C host, a join", [host, "related", OUTPUT], prepare=make_linked),
            ],
        ),
        Job(
            "history",
            f"save {count:,} new objects and changes to them, with a history",
            [
                own(script / "history.lua", count, OUTPUT, "on", prepare=remove_output),
                Contender(
                    "without a history", own(script / "history.lua", count, OUTPUT, "off").command, 1.5,
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
            [own(script / "conflicts.lua", 2000, OUTPUT, prepare=remove_output)],
        ),
    ]


def make_predicate_jobs(own, peer, host, script, peers, store):
    """Predicates: evaluated in memory, read and printed, and as the SQL that they become."""
    evaluations, texts = 200_000, 40_000

    def memory(name, what, count, goal=None):
        return peer("predicates", name, [peers.predicates, what, count], goal)

    def same_sql(name, query, goal):
        return Contender(name, [host, "query", store, f"SELECT count(*) FROM quake WHERE {query}"], goal)

    return [
        Job(
            "predicates",
            f"three clauses over {evaluations:,} objects in memory, five times",
            [
                memory("Perilune", "ours", evaluations),
                memory("Foundation #Predicate", "foundation", evaluations, 0.1),
            ],
        ),
        Job("parse", f"read {texts:,} predicates", [memory("Perilune", "parse", texts)], limit=texts * 100e-6),
        Job("format", f"print {texts:,} predicates", [memory("Perilune", "format", texts)], limit=texts * 50e-6),
        Job(
            "sql",
            "count with a range, a prefix and OR, five times",
            [
                own(store, script / "predicate.lua", "range"),
                same_sql(
                    "SQL by hand",
                    "(magnitude >= 2 AND depth < 70) OR (place >= '10km' AND place < '10kn')",
                    1.05,
                ),
            ],
        ),
        Job(
            "prefix",
            "count by a prefix of an indexed text, five times",
            [
                own(store, script / "predicate.lua", "prefix"),
                same_sql("a scan of all rows", "+code >= 'us00' AND +code < 'us01'", 0.2),
            ],
        ),
        Job(
            "equal",
            "find by an indexed text, five times",
            [
                own(store, script / "predicate.lua", "equal"),
                same_sql("a scan of all rows", "+code = 'us9e3779b1'", 0.2),
            ],
        ),
    ]


# ---- The table -----------------------------------------------------------------------------------------------------


def shown(metric, value):
    if metric == "bytes":
        return f"{value:.0f} B"
    return f"{value * 1000:.2f} ms" if value < 0.1 else f"{value:.3f} s"


def judged(value, goal):
    return f"≤ {goal:g}", "pass" if value <= goal else "MISS"


def rows_of(job):
    """Lines of the table: name, median, ratio, goal, verdict, peak."""
    own = job.contenders[0].median(job.metric) if not job.contenders[0].error else None
    for contender in job.contenders:
        if contender.missing:
            yield [contender.name, f"missing: {contender.missing}"]
            continue
        if contender.error:
            yield [contender.name, f"FAILED: {contender.error}"]
            continue
        value = contender.median(job.metric)
        ratio = goal = verdict = ""
        if contender is job.contenders[0]:
            if job.limit is not None:
                goal, verdict = judged(value, job.limit)
                goal = "≤ " + shown(job.metric, job.limit)
        elif own is not None:
            ratio = f"{own / value:.2f}"
            if contender.goal is not None:
                goal, verdict = judged(own / value, contender.goal)
        peak = contender.median("peak")
        yield [contender.name, shown(job.metric, value), ratio, goal, verdict, f"{peak:.0f} MB" if peak else ""]


def print_job(job):
    print(f"{job.name}: {job.title}")
    for cells in rows_of(job):
        if len(cells) == 2:
            print(f"  {cells[0]:<22} {cells[1]}")
        else:
            name, value, ratio, goal, verdict, peak = cells
            print(f"  {name:<22} {value:>10} {ratio:>7}  {goal:<10} {verdict:<5} {peak:>8}")
    sys.stdout.flush()


def as_data(job):
    own = job.contenders[0].median(job.metric)
    for contender in job.contenders:
        value = contender.median(job.metric)
        yield {
            "job": job.name,
            "contender": contender.name,
            "metric": job.metric,
            "median": value,
            "ratio": own / value if own and value and contender is not job.contenders[0] else None,
            "goal": job.limit if contender is job.contenders[0] else contender.goal,
            "peakMB": contender.median("peak"),
            "missing": contender.missing,
            "error": contender.error,
            "samples": contender.samples,
        }


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000, metavar="N", help="earthquakes (1000000)")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each contender (5)")
    parser.add_argument("--only", action="append", metavar="JOB", help="only this job; may be repeated")
    return parser.parse_args()


def find_perilune():
    path = Path(os.environ.get("PERILUNE", HERE.parent / ".build/release/perilune")).resolve()
    if not path.exists():
        sys.exit(f"There is no {path}; scripts/bench builds it, or name another by PERILUNE.")
    return path


def main():
    arguments = parse_arguments()
    wanted = set(arguments.only or JOBS)
    if unknown := wanted - set(JOBS):
        sys.exit(f"There is no job {', '.join(sorted(unknown))}; jobs are {', '.join(JOBS)}.")

    perilune = find_perilune()
    BUILD.mkdir(exist_ok=True)
    DATA.mkdir(exist_ok=True)
    subprocess.run(["make", "--silent", "-C", HERE], check=True)
    store, table = DATA / f"quakes-{arguments.rows}.sqlite", DATA / f"quakes-{arguments.rows}.csv"
    if not (store.exists() and table.exists()):
        subprocess.run([BUILD / "gen", str(arguments.rows), store, table], check=True)

    print(f"{arguments.rows:,} earthquakes, medians of {arguments.runs} runs; ratios are Perilune's to the other's\n")
    jobs = [job for job in make_jobs(perilune, arguments.rows, Peers(wanted)) if job.name in wanted]
    for job in jobs:
        run_job(job, arguments.runs)
        print_job(job)
    remove_output()

    results = [line for job in jobs for line in as_data(job)]
    document = {"rows": arguments.rows, "runs": arguments.runs, "results": results}
    (BUILD / "results.json").write_text(json.dumps(document, indent=1))
    verdicts = [cells[4] for job in jobs for cells in rows_of(job) if len(cells) > 2 and cells[4]]
    failed = [f"{line['contender']} in {line['job']}" for line in results if line["error"]]
    missing = sorted({f"{line['contender']} ({line['missing']})" for line in results if line["missing"]})
    print(f"\n{verdicts.count('pass')} goals met, {verdicts.count('MISS')} missed, {len(failed)} contenders failed")
    for line in missing:
        print(f"missing: {line}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
