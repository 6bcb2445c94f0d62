"""Writes a symbol of each section that runs of a program touch, in the order of the first use.

usage: touched-sections.py MAP COMMAND...

MAP is lld's map of the program. Valgrind runs each COMMAND, and tells each access to memory; one that begins with "prompt:"
runs at a terminal, where an expression is typed. Constant data, which would be thousands of names more and
saves a start few pages, is left out.
"""

import bisect
import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ORDERED = (".text", ".data", ".bss")
LINE = re.compile(r" *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+ ( *)(\S.*)$")
GRANULE = 16


class Sections:
    """The input sections of a program by address; a section that has no symbol cannot be ordered."""

    def __init__(self, path):
        found, current = [], None
        with open(path, errors="replace") as lines:
            for line in lines:
                match = LINE.match(line)
                if not match:
                    continue
                address, size, depth, name = int(match[1], 16), int(match[2], 16), len(match[3]), match[4]
                if depth == 8:
                    current = None
                    if size and address and name.rpartition(":(")[2].startswith(ORDERED):
                        current = [address, address + size, None]
                        found.append(current)
                elif depth == 16 and current and current[2] is None and not re.search(r"^\.L| ", name):
                    current[2] = name
        self.sections = sorted(section for section in found if section[2])
        self.starts = [section[0] for section in self.sections]
        self.end = max(section[1] for section in self.sections)

    def symbol(self, address):
        index = bisect.bisect_right(self.starts, address) - 1
        return self.sections[index][2] if index >= 0 and address < self.sections[index][1] else None


def run(command, trace):
    """Runs a command under Valgrind, which writes its accesses to `trace`, and gives its status."""
    words = ["valgrind", "--tool=lackey", "--basic-counts=no", "--trace-mem=yes", f"--log-file={trace}"]
    words += shlex.split(command.removeprefix("prompt:"))
    if not command.startswith("prompt:"):
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(words[0], words)
    os.write(terminal, b"1 + 1\n.exit\n")
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:  # the program has ended
        pass
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def addresses(trace):
    """The addresses of a trace by granules, each once."""
    seen = set()
    with open(trace, "rb") as lines:
        for line in lines:
            if line[:2] in (b"I ", b" L", b" S", b" M"):
                granule = int(line[3:].split(b",")[0], 16) // GRANULE
                if granule not in seen:
                    seen.add(granule)
                    yield granule * GRANULE


def main():
    sections = Sections(sys.argv[1])
    order = {}
    for command in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "trace")
            os.mkfifo(trace)
            with ThreadPoolExecutor(1) as pool:
                status = pool.submit(run, command, trace)
                for address in addresses(trace):
                    for symbol in (sections.symbol(address), sections.symbol(address + GRANULE - 1)):
                        if symbol:
                            order[symbol] = None
                if status.result():
                    sys.exit(f"{command} ended with {status.result()}")
    print("\n".join(order))


main()
