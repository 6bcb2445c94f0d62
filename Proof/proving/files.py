"""The program's own files on a lying disk: exports, backups, preferences, kept blocks and the history of the prompt."""

import hashlib
import os
import pty
import select
import shutil
import sqlite3
import subprocess
import time

from .bench import WORK
from .disk import Disk
from .stores import make_stores
from .trace import MARK, read_trace

FIRST, LAST = 2, 4
# Those that last once they are confirmed. Values of AppStorage are written when a script ends.
CONFIRMED = ("rows.csv", ".config/perilune/kept/block.lua", *(f"rows-{n}.json" for n in range(1, LAST + 1)),
             *(f"backup-{n}.sqlite" for n in range(1, LAST + 1)))
OURS = (*CONFIRMED, ".config/perilune/storage.json")
TYPED = [f"value{n} = {n}" for n in range(1, 13)]


def try_files(bench, random, most):
    """Every file is one of its versions, whole: the last that was confirmed or a later one; returns how many states."""
    stores = make_stores(bench)
    folder = bench.fresh("files")
    trace = bench.folder / "files-trace"
    store = folder / "store.sqlite"
    shutil.copy(stores["own"], store)
    write_versions(bench, folder, 1, 1)  # what is to be replaced
    begin = {
        str(path.relative_to(folder)): (path.stat().st_ino, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }
    write_versions(bench, folder, FIRST, LAST, PROOF_TRACE=trace)
    calls = read_trace(trace)

    # What each file holds when each step is done, and when the program has ended.
    disk, versions = Disk(dict(begin)), []

    def keep():
        held = disk.killed()
        versions.append({name: held.get(name) for name in OURS})

    keep()
    for call in calls:
        if call.kind != MARK:
            disk.apply(call)
        elif call.data.startswith(b"done"):
            keep()
    keep()

    disk, count, least, tried, seen = Disk(dict(begin)), 0, 0, 0, set()
    share = max(1, most // len(calls))
    for call in calls:
        if call.kind == MARK:
            word, _, number = call.data.decode().split()[:3]
            least, tried = (int(number), tried) if word == "done" else (least, int(number))
            continue
        disk.apply(call)
        for turn in range(share):
            files = disk.killed() if turn == 0 else disk.cut(random)
            mine = {name: files.get(name) for name in OURS}
            key = hashlib.blake2b(repr((least, sorted((n, c) for n, c in mine.items() if c))).encode()).digest()
            if key in seen:
                continue
            seen.add(key)
            count += 1
            for name, content in mine.items():
                allowed = versions[least : tried + 1] if name in CONFIRMED else versions
                if content not in [version[name] for version in allowed]:
                    what = "is not there" if content is None else f"has {len(content)} bytes, which are none of its versions"
                    when = "after a kill" if turn == 0 else "after a power cut"
                    case = bench.fresh("case")
                    (case / "found").write_bytes(content or b"")
                    bench.fail(f"{when} in step {tried}, {name} {what}", [f"confirmed was step {least}"], [case])
                    return count
    return count


def write_versions(bench, folder, first, last, **more):
    command = [bench.program, "-q", WORK / "files.lua", folder, str(first), str(last)]
    marks = bench.folder / "files-marks"
    marks.unlink(missing_ok=True)
    environment = bench.watched(folder, HOME=folder, PROOF_MARKS=marks, **more)
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    failed = [line for line in marks.read_text().splitlines() if line.startswith("failed")]
    if done.returncode != 0 or failed:
        raise SystemExit(f"the files cannot be written: {done.stderr} {failed}")


def try_history(bench, random, most):
    """The history of the prompt is a whole database, and what it holds is a beginning of what was typed."""
    folder = bench.fresh("history")
    trace = bench.folder / "history-trace"
    type_lines(bench, folder, trace)
    calls = read_trace(trace)
    disk, count, seen = Disk({}), 0, set()
    share = max(1, most // max(1, len(calls)))
    name = ".local/state/perilune/history.db"
    place = bench.fresh("history-state")
    for call in calls:
        if call.kind == MARK:
            continue
        disk.apply(call)
        for turn in range(share):
            files = disk.killed() if turn == 0 else disk.cut(random)
            files = {n: c for n, c in files.items() if n.startswith(name)}
            key = hashlib.blake2b(repr(sorted(files.items())).encode()).digest()
            if not files.get(name) or key in seen:
                continue
            seen.add(key)
            count += 1
            for old in place.iterdir():
                old.unlink()
            for n, content in files.items():
                (place / n.rsplit("/", 1)[1]).write_bytes(content)
            problem = history_problem(place / "history.db")
            if problem:
                bench.fail(f"the history of the prompt {problem}", [], [place])
                return count
    if count == 0:
        raise SystemExit("nothing was written into the history of the prompt")
    return count


def history_problem(path):
    connection = sqlite3.connect(path)
    try:
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            return "is damaged"
        if not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
            return None
        texts = [text for text, in connection.execute("SELECT text FROM entry ORDER BY id")]
        return None if texts == TYPED[: len(texts)] else f"holds {texts}"
    except sqlite3.Error as error:
        return f"cannot be read: {error}"
    finally:
        connection.close()


def type_lines(bench, folder, trace):
    """Types lines at a prompt whose home is the folder."""
    environment = bench.watched(folder, PROOF_TRACE=trace, HOME=folder, TERM="xterm")
    process, terminal = pty.fork()
    if process == 0:
        os.execve(bench.program, [bench.program, "--no-init", "--plain-editor"], environment)

    def await_prompt():
        read, ends = b"", time.monotonic() + 10
        while time.monotonic() < ends:
            ready, _, _ = select.select([terminal], [], [], 0.05)
            if ready:
                try:
                    read += os.read(terminal, 4096)
                except OSError:
                    return
            elif b"> " in read[-12:]:
                return

    await_prompt()
    for line in TYPED:
        os.write(terminal, line.encode() + b"\n")
        await_prompt()
    os.write(terminal, b"\x04")
    await_prompt()
    os.close(terminal)
    os.waitpid(process, 0)
