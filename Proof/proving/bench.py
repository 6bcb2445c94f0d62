"""Where proofs run: the program under test, the preloaded library, a folder in memory, and what is kept of failures."""

import copy
import multiprocessing
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROOF = Path(__file__).resolve().parent.parent
WORK = PROOF / "work"
MOST_KEPT = 20  # failures of one run; more say nothing new


class Bench:
    """One run of one proof.

    Files live in memory, where they are written fast: what a disk would do is computed, not waited for.
    """

    def __init__(self, name, minutes, program=None):
        self.name = name
        self.program = str(program or os.environ["PERILUNE"])
        self.ends = time.monotonic() + minutes * 60
        self.began = time.monotonic()
        memory = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(prefix="proof-", dir=memory if os.access(memory, os.W_OK) else None)).resolve()
        self.failures = 0
        self.most_kept = MOST_KEPT
        self.kept = Path(os.environ.get("PROOF_KEEP", PROOF / "failures"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_over(self):
        return time.monotonic() >= self.ends

    @staticmethod
    def is_past(moment):
        return time.monotonic() >= moment

    def share(self, part):
        """When this part of the time that is left is over."""
        now = time.monotonic()
        return now + max(0, self.ends - now) * part

    def fresh(self, name):
        """An empty folder of that name."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def library(self, name="disk"):
        """A preloaded library, compiled anew."""
        built = self.folder / f"{name}.so"
        if not built.exists():
            source = PROOF / f"{name}.c"
            subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-o", built, source, "-ldl"], check=True)
        return str(built)

    def environment(self, **more):
        """What the program is to find: a home of its own, and no settings of the user's."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PERILUNE", "PROOF", "XDG"))}
        kept.update(HOME=str(home), TZ="UTC", LC_ALL="C.UTF-8", NO_COLOR="1", PERILUNE_PAGER="off")
        kept.update({key: str(value) for key, value in more.items()})
        return kept

    def watched(self, folder, **more):
        """The environment in which the library attends to a folder."""
        return self.environment(**{"LD_PRELOAD": self.library(), "PROOF_FOLDER": folder, **more})

    def spread(self, part, jobs):
        """What `part(bench, number)` returns for each of so many processes, each with a folder of its own."""
        if jobs == 1:
            return [part(self, 0)]
        self.library()
        pipes = []
        for number in range(jobs):
            receiver, sender = multiprocessing.Pipe(False)

            def run(number=number, sender=sender):
                own = copy.copy(self)
                own.folder = self.fresh(f"part-{number}")
                for built in self.folder.glob("*.so"):
                    shutil.copy(built, own.folder)
                own.failures = 0
                answer = part(own, number)
                sender.send((answer, own.failures))

            process = multiprocessing.get_context("fork").Process(target=run)
            process.start()
            sender.close()
            pipes.append((receiver, process))
        answers = []
        for receiver, process in pipes:
            try:
                answer, failures = receiver.recv()
            except EOFError:
                raise SystemExit("a part of the proof has died") from None
            process.join()
            self.failures += failures
            answers.append(answer)
        return answers

    def say(self, text):
        print(text, flush=True)

    def fail(self, title, lines, files=()):
        """Keeps a failure as a numbered case: what was wrong, how to see it again, and the files it takes."""
        self.failures += 1
        if self.failures > self.most_kept:
            return
        number = 1
        while True:
            case = self.kept / f"{self.name}-{number:03}"
            try:
                case.mkdir(parents=True)
                break
            except FileExistsError:
                number += 1
        (case / "about.txt").write_text(title + "\n\n" + "\n".join(lines) + "\n")
        for file in files:
            file = Path(file)
            if file.is_dir():
                shutil.copytree(file, case / file.name, dirs_exist_ok=True)
            elif file.exists():
                shutil.copy(file, case)
        print(f"FAILED: {title}\n  kept in {case}", file=sys.stderr, flush=True)


class Checker:
    """A program that answers each line of questions by one line of its own; begun again where it died."""

    def __init__(self, command, environment):
        self.command, self.environment = [str(part) for part in command], environment
        self.process = None

    def begin(self, patience=None):
        """Starts the program; the line that it says then."""
        self._start()
        return self.receive(patience)

    def _start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment)

    def send(self, line):
        if self.process is None:
            self._start()
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def receive(self, patience=None):
        """The next line; with `patience`, the program is ended if there is none after so many seconds."""
        if patience and not select.select([self.process.stdout], [], [], patience)[0]:
            self.process.kill()
        answer = self.process.stdout.readline()
        if answer:
            return answer.rstrip("\n")
        status = self.process.wait()
        self.process = None
        return f"WRONG the program ended with status {status}"

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
