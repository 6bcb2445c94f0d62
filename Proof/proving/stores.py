"""Stores on a lying disk: sequences of steps are recorded, and stores are recovered from what crashes may leave."""

import hashlib
import itertools
import shutil
import subprocess
import time
from random import Random

from .bench import WORK, Checker
from .disk import Disk
from .trace import CREATE, MARK, SYNC, UNLINK, read_trace

STEPS = "insert update delete move big batch clear sql undo redo forget reopen checkpoint migrate".split()
KINDS = ("own", "durable", "foreign")
CHUNK = 30


def all_sequences(longest):
    return [s for length in range(1, longest + 1) for s in itertools.product(STEPS, repeat=length)]


class Recording:
    """A sequence that ran: where its calls are, and what was done when."""

    def __init__(self, name, kind, steps, files):
        self.name, self.kind, self.steps, self.files = name, kind, steps, files
        self.calls = []


def make_stores(bench):
    """A store of each kind, with which sequences begin."""
    folder = bench.fresh("begin")
    lines = "".join(f"s.make('{folder}/{kind}.sqlite', '{kind}') " for kind in KINDS)
    script = folder / "make.lua"
    script.write_text(f"package.path = '{WORK}/?.lua'\nlocal s = require 'steps'\n{lines}")
    subprocess.run([bench.program, "-q", script], check=True, env=bench.environment())
    return {kind: folder / f"{kind}.sqlite" for kind in KINDS}


def record(bench, stores, sequences):
    """Runs sequences in one process. `sequences` are pairs of a kind and steps."""
    folder = bench.fresh("run")
    trace, oracle = bench.folder / "trace", bench.folder / "oracle.lua"
    trace.unlink(missing_ok=True)
    recordings, lines = {}, []
    for number, (kind, steps) in enumerate(sequences):
        name = f"s{number}"
        store = folder / name / "store.sqlite"
        store.parent.mkdir()
        shutil.copy(stores[kind], store)
        files = {f"{name}/store.sqlite": (store.stat().st_ino, store.read_bytes())}
        recordings[name] = Recording(name, kind, steps, files)
        lines.append(f"{name} {kind} {' '.join(steps)}\n")
    command = [bench.program, "-q", WORK / "sequences.lua", folder, oracle]
    done = subprocess.run(
        command, input="".join(lines), text=True, capture_output=True, env=bench.watched(folder, PROOF_TRACE=trace))
    if done.returncode != 0:
        raise SystemExit(f"the sequences end with status {done.returncode}: {done.stderr}")
    current = None
    for call in read_trace(trace):
        if call.kind == MARK and call.data.startswith(b"begin "):
            current = recordings[call.data.decode().split()[1]]
        if current is not None:
            current.calls.append(call)
    return list(recordings.values()), oracle


def states(recording, random, budget):
    """Distinct states that crashes may leave, each with the steps that it may hold: files, least, most.

    A killed process loses nothing that was confirmed. After a power cut a durable store has all that was confirmed, another
    one all that was confirmed before the last sync of its log. With a rollback journal the last commit may be taken back,
    as SQLite does not wait for the removal of the journal.
    """
    disk = Disk(recording.files)
    tried = done = safe = 0
    names = {inode: name for name, (inode, _) in recording.files.items()}
    before = {}  # what was confirmed when a journal was removed, with which its step takes effect
    moments = []  # where something changed since the moment before
    for index, call in enumerate(recording.calls):
        if call.kind != MARK:
            moments.append(index)
    # So many states at each moment, more where the sequence is short.
    share = max(1, budget // max(1, len(moments)))
    chosen = set(moments if len(moments) <= budget else random.sample(moments, budget))
    seen = set()
    for index, call in enumerate(recording.calls):
        if call.kind == MARK:
            word, _, number = (call.data.decode() + " 0").split()[:3]
            if word == "try":
                tried = int(number)
            elif word == "done":
                done = int(number)
            continue
        disk.apply(call)
        if call.kind == UNLINK and call.name.endswith("/store.sqlite-journal"):
            before[id(call)] = done
        if call.kind == CREATE:
            names[call.file] = call.name
        if call.kind == SYNC and names.get(call.file, "").endswith(("/store.sqlite", "/store.sqlite-wal")):
            safe = done
        if index not in chosen:
            continue
        for turn in range(share):
            if turn == 0 and random.random() < 0.5:
                files, least = disk.killed(), done
            else:
                files, least = disk.cut(random), done
                if recording.kind == "own":
                    least = safe
                elif recording.kind == "foreign":
                    least = min([done, *(before[id(c)] for c in disk.renamings if id(c) in before)])
            mark = hashlib.blake2b(repr(least).encode(), digest_size=12)
            for name in sorted(files):
                mark.update(name.encode())
                mark.update(files[name])
            key = mark.digest()
            if key not in seen:
                seen.add(key)
                yield files, least, tried


def try_stores(bench, seed, ends, longest=3, jobs=1):
    """Tries every sequence of up to `longest` steps, as many states of each as there is time for.

    Returns how many sequences there are, how many were tried, and in how many states.
    """
    stores = make_stores(bench)
    random = Random(seed)
    check_judgement(bench, stores, random)
    sequences = all_sequences(longest)
    random.shuffle(sequences)
    # The short ones with every kind of store; of the long ones each takes its turn with a kind.
    work = [(kind, s) for s in sequences if len(s) < 3 for kind in KINDS]
    work += [(KINDS[(i + seed) % len(KINDS)], s) for i, s in enumerate(s for s in sequences if len(s) == 3)]

    def part(bench, number):
        return try_sequences(bench, stores, work[number::jobs], Random(seed * 1000 + number), ends)

    done = bench.spread(part, jobs)
    return len(work), sum(tried for tried, _ in done), sum(states for _, states in done)


def check_judgement(bench, stores, random):
    """A disk on which syncs do nothing loses what was confirmed: who does not notice that notices nothing."""
    (recording,), oracle = record(bench, stores, [("durable", ("insert", "update", "reopen", "delete"))])
    recording.calls = [call for call in recording.calls if call.kind != SYNC]
    checker = Checker([bench.program, "-q", WORK / "recovered.lua", oracle], bench.environment())
    place, wrong = bench.fresh("state") / "lie", 0
    for files, least, most in states(recording, random, 200):
        write_files(place, files)
        checker.send(f"{place}/store.sqlite {recording.name} {recording.kind} {least} {most} 0")
        wrong += not checker.receive().startswith("ok")
    checker.close()
    if wrong == 0:
        raise SystemExit("a disk that ignores syncs is not noticed")
    return wrong


def try_sequences(bench, stores, work, random, ends):
    count = tried = 0
    slot = bench.fresh("state")
    began = time.monotonic()
    for start in range(0, len(work), CHUNK):
        if time.monotonic() > ends:
            break
        recordings, oracle = record(bench, stores, work[start : start + CHUNK])
        checker = Checker([bench.program, "-q", WORK / "recovered.lua", oracle], bench.environment())
        for number, recording in enumerate(recordings):
            # As many states as the time allows, at a rate that is measured as it goes.
            rate = count / (time.monotonic() - began) if count > 500 else 400
            budget = max(3, int((ends - time.monotonic()) * rate / (len(work) - start - number)))
            waiting = []
            for files, least, most in states(recording, random, budget):
                place = slot / str(count % 4)
                write_files(place, files)
                depth = 1 if count % 10 == 0 else 0
                checker.send(f"{place}/store.sqlite {recording.name} {recording.kind} {least} {most} {depth}")
                waiting.append((files, least, most, depth))
                count += 1
                if len(waiting) == 3:
                    judge(bench, checker, recording, oracle, *waiting.pop(0))
            while waiting:
                judge(bench, checker, recording, oracle, *waiting.pop(0))
            tried += 1
        checker.close()
    return tried, count


def write_files(place, files):
    """Writes the files of a state, whose names begin with the folder of their sequence."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for name, content in files.items():
        (place / name.split("/", 1)[1]).write_bytes(content)


def judge(bench, checker, recording, oracle, files, least, most, depth):
    answer = checker.receive()
    if answer.startswith("ok"):
        return
    case = bench.fresh("case")
    write_files(case, files)
    bench.fail(
        f"a {recording.kind} store after {' '.join(recording.steps)}: {answer}",
        [f"echo \"$PWD/case/store.sqlite {recording.name} {recording.kind} {least} {most} {depth}\" | "
         f"perilune Proof/work/recovered.lua oracle.lua"],
        [case, oracle])
