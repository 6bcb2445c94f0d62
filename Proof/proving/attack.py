"""Programs that are meant to fail, made from what help shows, and whether the process outlives them."""

import os
import queue
import re
import shutil
import subprocess
import threading
import time

from .bench import PROOF, WORK

EXAMPLES = PROOF.parent / "Examples"
# These wait for a person or for events, leave the program, or start another one; the tests of the shell drive them.
LEFT_OUT = {"runLoop", "serve", "stopLoop", "repl", "watch", "browse", "test", "expect", "quit", "exit", "edit", "shell", "system"}
# What no message for people holds: names from within, unwrapped values of Swift, crashes told as errors.
INTERNAL = re.compile(
    r"Optional\(|Swift\.|Fatal error|internal error|StoreError\(|unexpectedly|TOSTRING FAILS|DISAGREE|error in error handling|"
    r"\bnil while unwrapping|__C\.|LuaError\(|this cannot happen", re.IGNORECASE)
SLOW = 15 * float(os.environ.get("PROOF_PATIENCE", 1))  # seconds for one program
SANITIZER = 99  # the status with which a sanitizer ends a program, also one that has done all it was given
BATCH = 4000


class Catalog:
    """What help lists: functions, methods and properties, with their options and examples."""

    def __init__(self, bench, store):
        types = bench_run(bench, ["types", "--lua", store])
        self.options, members, owner = {}, {}, None
        for line in types.splitlines():
            if found := re.match(r"---@class perilune\.([\w.]+)", line):
                owner = found[1]
            elif found := re.match(r"---@field (\w+)\?? ", line):
                if owner.endswith(".options"):
                    self.options.setdefault(owner[: -len(".options")], []).append(found[1])
                else:
                    members.setdefault(found[1], set()).add(owner)
            elif found := re.match(r"function (\w+)\(", line):
                members.setdefault(found[1], set()).add("")
        names = sorted(name for name in members if name not in LEFT_OUT)
        calls = [part for name in names for part in ("-e", f"pcall(help, '{name}')")]
        told = bench_run(bench, ["-q", store, *calls])
        self.names = len(names)
        self.examples = sorted(set(re.findall(r"^ +> (.*)$", told, re.MULTILINE)))
        self.examples = [code for code in self.examples if not re.match(rf"({'|'.join(LEFT_OUT)})\b", code)]
        missing = [n for n in names if not any(re.search(rf"\b{n}\b", code) for code in self.examples)]
        self.without_example = missing


def bench_run(bench, arguments):
    done = subprocess.run(
        [bench.program, *map(str, arguments)], capture_output=True, text=True, env=bench.environment(), cwd=bench.fresh("help"))
    return done.stdout


TOKEN = re.compile(
    r"""\s+|(?P<literal>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\d+(?:\.\d+)?|\btrue\b|\bfalse\b|\bnil\b)|(?P<name>[A-Za-z_]\w*)|(?P<other>.)""",
    re.VERBOSE)
WORDS = set("and break do else elseif end for function goto if in local not or repeat return then until while".split())


def places(code):
    """Where in an example a value stands that another can replace: literals, tables, names that are no called function."""
    tokens = [(m.start(), m.end(), m.lastgroup) for m in TOKEN.finditer(code)]
    found = []
    depth = []
    for index, (start, end, kind) in enumerate(tokens):
        before = code[:start].rstrip()[-1:] or ""
        after = code[end:].lstrip()[:1]
        text = code[start:end]
        if kind == "literal":
            found.append((start, end))
        elif kind == "name" and text not in WORDS and before not in (".", ":") and after not in ("(", "{", '"'):
            # A key of a table is no value.
            if not (after == "=" and before in ("{", ",")) and not re.match(r"\s*=[^=]", code[end:]):
                found.append((start, end))
        elif text in "{(":
            depth.append(start)
        elif text in "})" and depth:
            opened = depth.pop()
            if text == "}":
                found.append((opened, end))
    return found


def calls(code):
    """The calls of an example with parentheses: where their arguments begin and end, and the name that is called."""
    found, depth = [], []
    for match in TOKEN.finditer(code):
        text = match[0]
        if text == "(":
            name = re.search(r"(\w+)\s*$", code[: match.start()])
            depth.append((match.end(), name[1] if name and name[1] not in WORDS else None))
        elif text == ")" and depth:
            start, name = depth.pop()
            if name:
                found.append((start, match.start(), name))
    return found


def assemble(catalog, count):
    """Programs, each with one extreme value in one place of one example."""
    for code in catalog.examples:
        code = code.replace("\n", " ")
        spots = places(code)
        for value in range(1, count + 1):
            for start, end in spots:
                yield code[:start] + f"X[{value}]" + code[end:]
        for start, end, name in calls(code):
            given = code[start:end].strip()
            for value in range(1, count + 1):
                # As the only argument, and as one more.
                yield code[:start] + f"X[{value}]" + code[end:]
                if given:
                    yield code[:start] + given + f", X[{value}]" + code[end:]
                # As each option: options come last.
            for option in sorted(catalog.options.get(name, ())):
                for value in range(1, count + 1):
                    table = f"{{ {option} = X[{value}] }}"
                    yield code[:start] + table + code[end:]
                    if given and not given.startswith("{"):
                        yield code[:start] + given + f", {table}" + code[end:]
        # A property takes a value, too.
        if re.fullmatch(r".*\.\w+", code):
            for value in range(1, count + 1):
                yield f"{code} = X[{value}]"


def runnable(code):
    """A program of an example: its value is shown as the prompt would, if it has one."""
    return f"local it = {code}; local _ = tostring(it), pcall(function() return #it end)" if not re.match(
        r"(local|for|if|function|while|require|Date)\b|.*[^=<>~]=[^=]", re.sub(r"\{.*\}|\(.*\)|\".*?\"", "", code)) else code


class Runner:
    """Runs programs in a process, and finds those that it does not outlive."""

    def __init__(self, bench, store, name="attack"):
        self.bench, self.store, self.folder = bench, store, bench.fresh(name)
        self.done = self.failed = 0
        self.kinds = {}

    def run(self, programs, ends, keeps=None):
        """Runs all that there is time for; `keeps` gives the file that belongs to a program."""
        self.keeps = keeps
        waiting = list(programs)
        while waiting and time.monotonic() < ends:
            batch, waiting = waiting[:BATCH], waiting[BATCH:]
            while batch and time.monotonic() < ends:
                batch = self._run_batch(batch, ends)

    def _run_batch(self, programs, ends):
        """Returns those that are left."""
        for entry in self.folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        command = [self.bench.program, "-q", WORK / "attack.lua", self.store, self.folder / "copy"]
        errors = open(self.bench.folder / "errors", "w+b")
        process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=self.folder,
            env=self.bench.environment())
        lines = queue.Queue()

        def feed():
            try:
                for number, code in enumerate(programs):
                    process.stdin.write(f"{number}\t{runnable(code)}\n".encode(errors="surrogateescape"))
                process.stdin.close()
            except (BrokenPipeError, OSError):
                pass

        def read():
            for line in process.stdout:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=feed, daemon=True).start()
        threading.Thread(target=read, daemon=True).start()
        current, over = -1, False
        while True:
            try:
                line = lines.get(timeout=SLOW)
            except queue.Empty:
                process.kill()
                process.wait()
                self._fail(programs[max(0, current)], f"takes more than {SLOW} seconds", b"")
                return programs[current + 1 :]
            if line is None:
                break
            if line.startswith(b"\1begin "):
                current = int(line[7:])
                if time.monotonic() > ends:
                    process.kill()
                    process.wait()
                    return []
            elif line.startswith(b"\1end "):
                self.done += 1
                _, _, kind, text = line[1:].decode(errors="replace").split(" ", 3)
                self.kinds[kind] = self.kinds.get(kind, 0) + 1
                if INTERNAL.search(text):
                    self._fail(programs[current], f"answers {text.strip()[:300]}", b"")
            elif line.startswith(b"\1over"):
                over = True
        status = process.wait()
        errors.seek(0)
        said = errors.read()[-2000:]
        if over and 0 <= status != SANITIZER:
            return []
        self._fail(programs[max(0, current)], f"ends the process with status {status}" + (", at the end" if over else ""), said)
        return programs[current + 1 :]

    def _fail(self, code, what, said):
        self.failed += 1
        self.bench.fail(
            f"{code[:160]} {what}",
            [runnable(code), "", said.decode(errors="replace")[-1500:], "",
             "The values of X are in Proof/work/extremes.lua. Again, with a store of Examples/quakes.lua:",
             "printf '0\\t%s\\n' '" + runnable(code).replace("'", "'\\''") + "' | perilune -q Proof/work/attack.lua quakes.sqlite copy"],
            [self.keeps(code)] if self.keeps else [])


def make_sample(bench, objects=60):
    """The sample store of the documentation, with fewer objects."""
    folder = bench.fresh("sample")
    text = (EXAMPLES / "quakes.lua").read_text()
    script = folder / "quakes.lua"
    script.write_text(text.replace("total, step = 4000", f"total, step = {objects}"))
    store = folder / "quakes.sqlite"
    subprocess.run([bench.program, "-q", script, store], check=True, env=bench.environment(), stdout=subprocess.DEVNULL)
    return store
