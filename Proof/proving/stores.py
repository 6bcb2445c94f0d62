"""Stores on a lying disk: sequences of steps are recorded, and stores are recovered from what crashes may leave."""

import hashlib
import itertools
import os
import shutil
import sqlite3
import subprocess
import time
from random import Random

from .bench import WORK, Checker
from .disk import Disk
from .trace import CREATE, MARK, SYNC, UNLINK, read_trace

STEPS = "insert update delete move big batch clear sql undo redo forget reopen checkpoint migrate".split()
KINDS = ("own", "durable", "foreign")
CHUNK = 30
# Of the states whose content the program has judged already it opens one in so many, and looks deeper into one in so many.
EVERY, DEEPER = 20, 8


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
            key = hash((least, *sorted(files.items())))
            if key not in seen:
                seen.add(key)
                yield files, least, tried


def try_stores(bench, seed, ends, longest=3, jobs=1):
    """Tries every sequence of up to `longest` steps, as many states of each as there is time for.

    Returns how many sequences there are, how many were tried, in how many states, and how many of these the program opened.
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
    return len(work), *map(sum, zip(*done))


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
    """Returns how many sequences were tried, in how many states, and how many of these the program opened."""
    trial = Trial(bench)
    tried, began = 0, time.monotonic()
    for start in range(0, len(work), CHUNK):
        if time.monotonic() > ends:
            break
        recordings, oracle = record(bench, stores, work[start : start + CHUNK])
        trial.begin(oracle)
        for number, recording in enumerate(recordings):
            # As many states as the time allows, at a rate that is measured as it goes.
            rate = trial.count / (time.monotonic() - began) if trial.count > 500 else 500
            budget = max(3, int((ends - time.monotonic()) * rate / (len(work) - start - number)))
            trial.judge(recording, states(recording, random, budget))
            tried += 1
        trial.checker.close()
    return tried, trial.count, trial.opened


class Trial:
    """Judges states. SQLite recovers each of them; the program opens each content that this leads to, and some again."""

    def __init__(self, bench):
        self.bench, self.slot, self.recovery = bench, bench.fresh("state"), bench.fresh("recovery")
        self.count = self.opened = 0

    def begin(self, oracle):
        self.oracle = oracle
        self.checker = Checker([self.bench.program, "-q", WORK / "recovered.lua", oracle], self.bench.environment())

    def judge(self, recording, states):
        self.recording = recording
        self.steps = {}  # the step that each content is of, by the judgement of the program
        self.asked = []  # what the program has been asked and has not answered
        self.held = {}  # states of a content that it is being asked about
        for files, least, most in states:
            self.count += 1
            write_files(self.recovery, files)
            content = recovered(self.recovery / "store.sqlite")
            if content is None or self.count % EVERY == 0:
                self._ask(None, files, least, most)
            elif content in self.held:
                self.held[content].append((files, least, most))
            else:
                self._judge(content, files, least, most)
        while self.asked:
            self._receive()

    def _judge(self, content, files, least, most):
        # Steps that change nothing lead to the same content: then the program tells which of them it may be.
        if not least <= self.steps.get(content, -1) <= most:
            self.held[content] = []
            self._ask(content, files, least, most)

    def _ask(self, content, files, least, most):
        while len(self.asked) >= 3:
            self._receive()
        place = self.slot / str(self.opened % 4)
        write_files(place, files)
        depth = 1 if self.opened % DEEPER == 0 else 0
        self.checker.send(f"{place}/store.sqlite {self.recording.name} {self.recording.kind} {least} {most} {depth}")
        self.opened += 1
        self.asked.append((content, files, least, most, depth))

    def _receive(self):
        content, *state = self.asked.pop(0)
        step = judge(self.bench, self.checker, self.recording, self.oracle, *state)
        if content is None:
            return
        if step is not None:
            self.steps[content] = step
        for files, least, most in self.held.pop(content):
            if content in self.held:
                self.held[content].append((files, least, most))
            else:
                self._judge(content, files, least, most)


def recovered(path):
    """What a database file holds after SQLite has recovered it, as a digest; nothing where that is not all in the file."""
    try:
        connection = sqlite3.connect(path, isolation_level=None)
        # The first page is read, for which a journal is rolled back or the log is read; the schema is not.
        connection.execute("PRAGMA user_version").fetchall()
        connection.close()
    except sqlite3.Error:
        return None
    if [entry.name for entry in path.parent.iterdir()] != [path.name]:
        return None
    return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()


def write_files(place, files):
    """Writes the files of a state, whose names begin with the folder of their sequence, into a folder of its own."""
    place.mkdir(parents=True, exist_ok=True)
    for entry in os.scandir(place):
        shutil.rmtree(entry) if entry.is_dir() else os.unlink(entry)
    for name, content in files.items():
        with open(os.path.join(place, name.split("/", 1)[1]), "wb") as file:
            file.write(content)


def judge(bench, checker, recording, oracle, files, least, most, depth):
    """The step that a store holds, as the program has judged it; nothing where that is wrong, which is kept."""
    answer = checker.receive()
    if answer.startswith("ok"):
        return int(answer.split()[1])
    case = bench.fresh("case")
    write_files(case, files)
    bench.fail(
        f"a {recording.kind} store after {' '.join(recording.steps)}: {answer}",
        [f"echo \"$PWD/case/store.sqlite {recording.name} {recording.kind} {least} {most} {depth}\" | "
         f"perilune Proof/work/recovered.lua oracle.lua"],
        [case, oracle])
    return None
