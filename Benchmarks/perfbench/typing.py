"""A program at a terminal of its own, typed at as a person does, and timed from the key to what is shown."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time

from .job import Failure
from .stopwatch import start_environment

CONTROLS = re.compile(rb"\x1b(\[[0-9;?]*[A-Za-z]|[=>()][0B]?|[P_\]][^\x1b]*\x1b\\)|\r|\x07")


class Session:
    """One run of a program on a terminal of 120 columns and 40 lines."""

    def __init__(self, command):
        self.begun = time.perf_counter()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(str(command[0]), [str(word) for word in command], start_environment())
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.printed = b""
        self.position = 0

    def send(self, text):
        os.write(self.terminal, text.encode())

    def read(self, seconds):
        """Reads what comes within a time; tells whether anything came."""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        if not ready:
            return False
        try:
            chunk = os.read(self.terminal, 1 << 16)
        except OSError:
            raise Failure(f"ended after {self.text[-200:]!r}")
        self.printed += chunk
        return True

    @property
    def text(self):
        return CONTROLS.sub(b"", self.printed).decode(errors="replace")

    def expect(self, wanted, seconds=60):
        """Waits until a text is shown after what was expected before; gives the time when it came."""
        deadline = time.perf_counter() + seconds
        while True:
            place = self.text.find(wanted, self.position)
            if place >= 0:
                self.position = place + len(wanted)
                return time.perf_counter()
            if time.perf_counter() > deadline or not self.read(deadline - time.perf_counter()):
                raise Failure(f"expected {wanted!r}, found {self.text[self.position:][-200:]!r}")

    def rest(self, seconds):
        """Reads for a time; gives the number of pieces that came, as far as a frame apart."""
        pieces, last, deadline = 0, 0.0, time.perf_counter() + seconds
        while (left := deadline - time.perf_counter()) > 0:
            if self.read(left):
                now = time.perf_counter()
                pieces += now - last > 0.01
                last = now
        return pieces

    @property
    def cpu_seconds(self):
        with open(f"/proc/{self.process}/stat") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        os.close(self.terminal)
        try:
            os.kill(self.process, 9)
        except ProcessLookupError:
            pass
        os.waitpid(self.process, 0)
