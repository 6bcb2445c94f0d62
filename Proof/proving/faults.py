"""Calls of the system that fail, and processes that die at one: every call of a session in turn."""

import shutil
import subprocess
from pathlib import Path
from random import Random

from .bench import WORK, Checker
from .stores import KINDS, make_stores

SESSION = "insert update big undo redo move batch sql clear delete forget reopen checkpoint migrate insert".split()
FAULTS = ("kill", "torn", "eio", "full", "short", "eintr", "sync")
SECONDS = 20


def run(bench, folder, command, fault=None, program=None, **more):
    marks = folder / "marks"
    variables = {"PROOF_MARKS": marks, "PROOF_COUNT": bench.folder / "count", **more}
    if fault:
        variables["PROOF_FAULT"] = fault
    variables["HOME"] = folder
    try:
        done = subprocess.run(
            [program or bench.program, "-q", *map(str, command)], capture_output=True, text=True, errors="replace", timeout=SECONDS,
            env=bench.watched(folder, **variables))
        status, errors = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        status, errors = "hangs", ""
    lines = marks.read_text(errors="replace").splitlines() if marks.exists() else []
    return status, errors, lines


def calls_of(bench):
    return [int(part) for part in (bench.folder / "count").read_text().split()]


def step_numbers(lines):
    """The last step that was confirmed, and the last that was tried."""
    done = [int(line.split()[2]) for line in lines if line.startswith("done ")]
    tried = [int(line.split()[2]) for line in lines if line.startswith("try ")]
    return max(done, default=0), max(tried, default=0)


def try_store_faults(bench, random, ends, jobs):
    """A session on each kind of store with each fault at each call; returns how many runs there were of how many."""
    stores = make_stores(bench)
    plans, oracles = [], {}
    for kind in KINDS:
        folder = bench.fresh("clean")
        shutil.copy(stores[kind], folder / "store.sqlite")
        status, errors, _ = run(bench, folder, [WORK / "faults.lua", folder, kind, "-", *SESSION])
        if status != 0:
            raise SystemExit(f"the session fails without a fault: {errors}")
        oracles[kind] = bench.folder / f"oracle-{kind}.lua"
        shutil.move(folder / "oracle.lua", oracles[kind])
        calls, syncs = calls_of(bench)
        for fault in FAULTS:
            plans += [(kind, fault, n) for n in range(1, (syncs if fault == "sync" else calls) + 1)]
    random.shuffle(plans)  # so that any time is spent on some of each

    def part(bench, number):
        count = 0
        for kind, fault, n in plans[number::jobs]:
            if bench.is_past(ends):
                break
            count += 1
            try_store_fault(bench, stores, oracles, kind, f"{fault}:{n}")
        return count

    return sum(bench.spread(part, jobs)), len(plans)


def try_store_fault(bench, stores, oracles, kind, fault, **more):
    folder = bench.fresh("fault")
    shutil.copy(stores[kind], folder / "store.sqlite")
    command = [WORK / "faults.lua", folder, kind, oracles[kind], *SESSION]
    status, errors, lines = run(bench, folder, command, fault, **more)
    problems = [line for line in lines if line.startswith("WRONG")]
    kills = fault.startswith(("kill", "torn"))
    if status not in ((0, -9) if kills else (0,)):
        problems.append(f"the process ends with {status}: {errors.strip()[-400:]}")
    if not problems:
        done, tried = step_numbers(lines)
        answer = subprocess.run(
            [bench.program, "-q", WORK / "recovered.lua", oracles[kind]], capture_output=True, text=True, timeout=SECONDS,
            input=f"{folder}/store.sqlite - {kind} {done} {tried} 2\n", env=bench.environment()).stdout.strip()
        if not answer.startswith("ok"):
            problems.append(f"afterwards: {answer or 'the checker dies'}")
    if problems:
        bench.fail(
            f"a session on a {kind} store with {fault}: {problems[0]}",
            [*problems, "", *lines, "", f"Proof/torture.py --store {kind} --fault {fault}"], [folder])


def has_own_sqlite(program):
    """Whether SQLite is a library beside the program, whose allocations can be told from others."""
    return "libsqlite3.so" in subprocess.run(["ldd", program], capture_output=True, text=True).stdout


def allocations(bench, program, kind):
    """The program that lets allocations fail in a session on a kind of store, and how many each step takes."""
    store = bench.fresh(f"memory-{kind}") / "store.sqlite"
    shutil.copy(make_stores(bench)[kind], store)
    environment = bench.environment(LD_PRELOAD=bench.library("memory"))
    checker = Checker([program, "-q", WORK / "memory.lua", store, kind, *SESSION], environment)
    return checker, [int(count) for count in checker.begin(SECONDS).split()]


def try_allocations(bench, program, random, ends, jobs):
    """A session on each kind of store, in which SQLite's allocations fail in turn; returns how many of how many.

    One process tries them one after the other, each on the file that the step before has left.
    """
    bench.library("memory")

    def part(bench, number):
        checkers, plans = {}, []
        for kind in KINDS:
            checkers[kind], counts = allocations(bench, program, kind)
            plans += [(kind, step, n) for step, count in enumerate(counts, 1) for n in range(1, count + 1)]
        # The same for all parts, so that any time is spent on some of each.
        Random(seed).shuffle(plans)
        tried = 0
        for kind, step, n in plans[number::jobs]:
            if bench.is_past(ends):
                break
            tried += 1
            try_allocation(bench, checkers[kind], kind, step, n)
        for checker in checkers.values():
            checker.close()
        return tried, len(plans)

    seed = random.random()
    done = bench.spread(part, jobs)
    return sum(tried for tried, _ in done), done[0][1]


def try_allocation(bench, checker, kind, step, number):
    if checker.process is None:
        checker.begin(SECONDS)
    checker.send(f"{step} {number}")
    answer = checker.receive(SECONDS)
    if answer != "ok":
        bench.fail(
            f"{SESSION[step - 1]} on a {kind} store without allocation {number}: {answer}",
            [f"Proof/torture.py --store {kind} --fault memory:{step}:{number}"])


def try_file_faults(bench, random, ends, jobs):
    """The program's own files, with each fault at each call; returns how many runs there were of how many."""
    stores = make_stores(bench)
    folder = bench.fresh("clean")
    shutil.copy(stores["own"], folder / "store.sqlite")
    status, errors, lines = run(bench, folder, [WORK / "files.lua", folder, 1, 2])
    if status != 0 or any(line.startswith("failed") for line in lines):
        raise SystemExit(f"the files fail without a fault: {errors} {lines}")
    calls, syncs = calls_of(bench)
    plans = [(fault, n) for fault in FAULTS for n in range(1, (syncs if fault == "sync" else calls) + 1)]
    whole = own_files(folder)
    random.shuffle(plans)  # so that any time is spent on some of each

    def part(bench, number):
        count = 0
        for fault, n in plans[number::jobs]:
            if bench.is_past(ends):
                break
            count += 1
            try_file_fault(bench, stores, whole, f"{fault}:{n}")
        return count

    return sum(bench.spread(part, jobs)), len(plans)


def own_files(folder):
    """The program's own files below a folder, by name. A temporary one may be left by a process that died."""
    names = ("rows.csv", "rows-1.json", "rows-2.json", ".config/perilune/storage.json", ".config/perilune/kept/block.lua")
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def try_file_fault(bench, stores, whole, fault):
    folder = bench.fresh("fault")
    shutil.copy(stores["own"], folder / "store.sqlite")
    status, errors, lines = run(bench, folder, [WORK / "files.lua", folder, 1, 2], fault)
    problems = []
    kills = fault.startswith(("kill", "torn"))
    if status not in ((0, -9, 1, 74) if kills else (0, 1, 74)):
        problems.append(f"the process ends with {status}: {errors.strip()[-400:]}")
    for name, content in own_files(folder).items():
        if not is_whole(name, content, whole.get(name)):
            problems.append(f"{name} is neither of its versions: {content[:100]!r}... of {len(content)} bytes")
    for number in (1, 2):
        problems += backup_problems(folder / f"backup-{number}.sqlite", number, lines)
    if not kills:
        left = [p for p in Path(folder).glob("*.*") if p.name.count(".") > 1 and "sqlite" not in p.name]
        # The first name of a file that is there under its own, too, stays where its removal is what fails.
        left = [p.name for p in left if p.stat().st_nlink == 1]
        if left:
            problems.append(f"a failure leaves {left} behind")
    if problems:
        bench.fail(
            f"the program's own files with {fault}: {problems[0]}",
            [*problems, "", *lines, "", f"Proof/torture.py --files --fault {fault}"], [folder])


def is_whole(name, content, last):
    """Whether it is one of the versions, which differ in one digit or two."""
    if last is None:
        return False
    versions = {last, last.replace(b"version 2", b"version 1"), last.replace(b"2", b"1")}
    # After a save that failed, the rows are those of the version before, which the store began with.
    return content in versions or (name.startswith("rows") and content.endswith(last[-1:]) and b"version" not in content)


def backup_problems(path, number, lines):
    """What is wrong with a backup: it is the whole store, or it is not there."""
    import sqlite3

    if not path.exists():
        if f"done files {number * 6 - 2}" in lines:
            return [f"{path.name} was confirmed and is not there"]
        return []
    if path.with_name(path.name + "-journal").exists():
        return [f"{path.name} has a journal beside it: it was under way and bears its name already"]
    connection = sqlite3.connect(path)
    try:
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            return [f"{path.name} is damaged"]
        if connection.execute("SELECT count(*) FROM item").fetchone()[0] != 4:
            return [f"{path.name} lacks rows"]
    except sqlite3.Error as error:
        return [f"{path.name}: {error}"]
    finally:
        connection.close()
    return []
