"""Lets processes write one store at a time, and looks for what could not have happened one after the other."""

import sqlite3
import subprocess
import time

from . import cycles
from .bench import WORK

MODEL = """
local store = open("{path}", {{ create = true, history = true, model = Model {{
  List = Entity {{ key = Int {{ unique = true }}, entries = ToMany "Entry" {{ inverse = "list" }} }},
  Entry = Entity {{ list = ToOne "List" {{ inverse = "entries" }}, place = Int, slot = Int {{ unique = true }}, value = Int }},
  Account = Entity {{ key = Int {{ unique = true }}, balance = Int {{ min = 0 }} }},
  Step = Entity {{ writer = Int, transaction = Int }},
}} }})
for i = 1, 3000 do store.entities.List {{ key = i }} end
for i = 1, 5 do store.entities.Account {{ key = i, balance = 100 }} end
store.context:save()
store:close()
"""


def try_isolation(bench, seconds):
    """Rounds of two, three and five writers, until the time is over; returns how many transactions were committed."""
    self_test()
    ends, total, rounds = time.monotonic() + seconds, 0, 0
    span = max(1, min(20, int(seconds / 3)))
    while (rounds == 0 or time.monotonic() + span < ends) and not bench.failures:
        total += one_round(bench, (2, 3, 5)[rounds % 3], span)
        rounds += 1
    return total, rounds


def self_test():
    """The finder finds what it is there for."""
    lost = [(1, 1, [("r", 1, []), ("a", 1, 10)]), (2, 2, [("r", 1, []), ("a", 1, 20)])]
    assert cycles.check(lost, {1: [10, 20]}), "a lost update is not found"
    skew = [(1, 1, [("r", 1, []), ("a", 2, 10)]), (2, 2, [("r", 2, []), ("a", 1, 20)])]
    assert cycles.check(skew, {1: [20], 2: [10]}), "a write skew is not found"
    good = [(1, 1, [("a", 1, 10)]), (2, 2, [("r", 1, [10]), ("a", 1, 20)]), (3, 1, [("r", 1, [10, 20])])]
    assert not cycles.check(good, {1: [10, 20]}), "a good history is refused"


def one_round(bench, processes, seconds):
    folder = bench.fresh("isolation")
    store, stop = folder / "store.sqlite", folder / "stop"
    script = folder / "make.lua"
    script.write_text(MODEL.format(path=store))
    environment = bench.environment()
    subprocess.run([bench.program, "-q", script], check=True, env=environment)
    observer = subprocess.Popen(
        [bench.program, "-q", WORK / "observer.lua", store, folder / "observed", stop], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if observer.stdout.readline() != "ready\n":
        raise SystemExit(f"the observer does not begin: {observer.stderr.read()}")
    writers = [
        subprocess.Popen(
            [bench.program, "-q", WORK / "writers.lua", store, folder / f"log-{n}", str(n), str(seconds)],
            env=environment, stdout=subprocess.PIPE, text=True)
        for n in range(1, processes + 1)
    ]
    answers = [writer.communicate()[0].split() for writer in writers]
    problems = [f"a writer ends with {w.returncode}" for w in writers if w.returncode != 0]
    stop.touch()
    try:
        _, said = observer.communicate(timeout=60)
        if observer.returncode != 0:
            problems.append(f"the observer ends with {observer.returncode}: {said[-500:]}")
    except subprocess.TimeoutExpired:
        observer.kill()
        observer.communicate()
        problems.append("the observer does not end")
    problems += judge(folder, store, processes)
    if problems:
        bench.fail(f"{processes} processes: {problems[0]}", problems[:50], [folder])
    return sum(int(answer[0]) for answer in answers if answer)


def judge(folder, store, processes):
    problems, transactions, written = [], [], set()
    for process in range(1, processes + 1):
        for line in (folder / f"log-{process}").read_text().splitlines():
            number, _, what = line.partition("\t")
            if what.startswith("ERROR"):
                problems.append(what)
                continue
            number = int(number)
            if what.startswith("sum"):
                _, total, least = what.split()
                if total != "500" or int(least) < 0:
                    problems.append(f"transaction {number} sees {what}")
                continue
            written.add(number)
            parts = []
            for part in filter(None, what.split(";")):
                if part[0] in "ra" and part[1] == " ":
                    kind, key, values = (part + " ").split(" ")[:3]
                    if kind == "r":
                        parts.append(("r", int(key), [int(v) for v in values.split(",") if v]))
                    else:
                        parts.append(("a", int(key), int(values)))
            transactions.append((number, process, parts))
    connection = sqlite3.connect(store)
    final = {}
    for key, value in connection.execute(
        "SELECT l.key, e.value FROM entry e JOIN list l ON l._pk = e.list_pk ORDER BY l.key, e.place"):
        final.setdefault(key, []).append(value)
    problems += cycles.check(transactions, final)
    if connection.execute("SELECT sum(balance) FROM account").fetchone() != (500,):
        problems.append("money was made or lost")
    steps = [n for (n,) in connection.execute('SELECT "transaction" FROM step ORDER BY _pk')]
    if set(steps) != written or len(steps) != len(written):
        problems.append("the steps in the store are not those that were confirmed")
    observed = []
    for line in (folder / "observed").read_text().splitlines():
        if line.startswith("step"):
            observed.append(int(line.split()[1]))
        else:
            problems.append(line)
    if sorted(observed) != sorted(steps):
        twice = len(observed) - len(set(observed))
        problems.append(f"of {len(steps)} steps {len(set(observed))} were observed, {twice} of them twice")
    elif observed != steps:
        at = next(i for i, (a, b) in enumerate(zip(observed, steps)) if a != b)
        problems.append(f"the steps were observed in another order, from step {at} on: {observed[at : at + 4]} for {steps[at : at + 4]}")
    if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
        problems.append("the store is damaged")
    connection.close()
    return problems
