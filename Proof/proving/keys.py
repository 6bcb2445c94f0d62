"""Random keys, typed into the program on a terminal of its own: at its prompt, on its full screens, in its pager."""

import fcntl
import json
import os
import pty
import select
import shutil
import signal
import struct
import tempfile
import termios
import time
from pathlib import Path
from random import Random

from .prompt import Prompt

PATIENCE = 20 * float(os.environ.get("PROOF_PATIENCE", 1))  # seconds for an answer
BURST = 240  # the most keys between two looks
LENGTH = 5000  # the keys of one session
SIZES = [(80, 24), (80, 24), (120, 50), (40, 10), (20, 5), (8, 4), (5, 3), (3, 2), (2, 1), (1, 1)]

# What the model knows: the bytes that are sent, and the method of Prompt.
KNOWN = {
    "left": b"\x1b[D", "right": b"\x1b[C", "start": b"\x01", "end": b"\x05", "word_left": b"\x1bb", "word_right": b"\x1bf",
    "backspace": b"\x7f", "delete": b"\x1b[3~", "kill_to_end": b"\x0b", "kill_to_start": b"\x15", "kill_word": b"\x1bd",
    "kill_word_back": b"\x1b\x7f", "kill_blank_word_back": b"\x17", "up": b"\x1b[A", "down": b"\x1b[B", "older": b"\x10",
    "newer": b"\x0e", "oldest": b"\x1b<", "newest": b"\x1b>",
}
HISTORY = ["up", "down", "older", "newer", "oldest", "newest"]
# What changes the text in a way that is read back instead.
EDITS = [b"\x1f", b"\x1f\x1f\x1f", b"\x18\x15", b"\x14", b"\x1bt", b"\x1bu", b"\x1bl", b"\x1bc", b"\x19", b"\x1by", b"\x1b\\", b"\x1b.",
         b"\x1b\x19", b"\x1b3\x1b[D", b"\x1b2\x04", b"\x1b\r", b"\x16a", b"\x18\x7f", b"\x1b*", b"\t"]
# What goes where the model does not: Ctrl-C leads back.
ASTRAY = [b"\x1br", b"\x12a\x1b", b"\x12b\x12\x12\x07", b"\x12a b\x12\x01", b"\x1bp1\x1b", b"\x1bna\x1b", b"\x18(ab\x1b[A\x18)\x18e", b"\x18\x12",
          b"\x1b-\x10", b"\x1b5\x10", b"\x12", b"\x1b[1;5A", b"\x12a\x12\x1b[A", b"\x12a\x7f\x7f"]
LETTERS = "aabbccde12 = é雪😀"

# The same in vi's way of editing, where fewer keys insert nothing; what is typed behind Escape are commands.
KNOWN_IN_VI = {name: KNOWN[name] for name in ("left", "right", "start", "end", "backspace", "delete", "kill_to_start", "up", "down")} | {
    "word_left": b"\x1b[1;5D", "word_right": b"\x1b[1;5C"}
HISTORY_IN_VI = ["up", "down"]
# Commands of vi, each whole, and what types on behind them: read back.
MOTIONS_OF_VI = ["h", "l", "w", "b", "e", "W", "B", "E", "0", "$", "^", "%", "fa", "F ", "tb", "T1", ";", ",", "5|", "`m", "雪", "é"]
COMMANDS_OF_VI = [*MOTIONS_OF_VI, "x", "X", "p", "P", "u", "U", ".", "~", "rz", "r雪", "D", "Y", "mm", "dd", "yy", "_",
                  "\x15", "\x17", "\x14", "\x0b", "\x19", "\x1f", "\x1b[C", "\x1b[3~", "&"]
TYPING_OF_VI = ["i", "a", "I", "A", "C", "S", "s", "cc", "cw", "c$", "cb", "3i", "Rab\x1ba", "2Rc\x7fd\x1bi"]
ASTRAY_IN_VI = [b"\x1b", b"\x1bk", b"\x1b/a\r", b"\x1b?b\rnN", b"\x1b/", b"\x1b3d", b"\x1bdf", b"\x12a\x1b", b"\x12a\x12\x07", b"\x10", b"\x0e\x0e",
                b"\x1b\\", b"\x1b*", b"\x1b=", b"\x1bkkxjj", b"\x1bkxGx2Gx", b"\x1b-x+xk\x1b[Ax\x1b[Bxi", b"\x1bc3", b"\x1bkcwab", b"\x1bR\x1b[A", b"\x16", b"\x1bq", b"\x1b@a"]
TO_VI, FROM_VI = b"\x18v", b"\x18w"
VI = "".join(f'set keymap {keymap}\n"\\C-xv": vi-editing-mode\n"\\C-xw": emacs-editing-mode\n' for keymap in ("emacs", "vi-insert", "vi-move"))

# Anything, for the rest.
SEQUENCES = [
    "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[1~", "\x1b[2~", "\x1b[3~", "\x1b[4~", "\x1b[5~", "\x1b[6~", "\x1b[1;5C",
    "\x1b[1;5D", "\x1b[1;3C", "\x1b[1;2A", "\x1b[Z", "\x1b[<0;3;3M", "\x1b[<64;3;3M", "\x1b[M !!", "\x1b[99z", "\x1b[?1;2c", "\x1b]0;x\x07", "\x1b",
    "\x1b\x1b", "\x1b[", "\x1b[1;", "\x1bO", "\x18\x05", "\x18\x15", "\x18\x12", "\x18(", "\x18)", "\x18e", "\x18\x18", "\x13\x11", "\r", "\r", "\t",
    "\t\t", "\x1b<", "\x1b>", "\x1b.", "\x1b_", "\x1b#", "\x1b&", "\x1br", "\x12", "\x12a\x12", "\x1bp", "\x1bn", "\x0f", "\x19", "\x1by", "\x1f",
    *(f"\x1bO{letter}" for letter in "PQRSHFABCD"), *(f"\x1b[{number}~" for number in range(11, 35)),
]
WORDS = [
    "x=1", "x", "for i = 1, 3 do", "print(i)", "end", "Quake", "Quake:where \"", "magnitude > 5", "Quake:first()", "store.", ".pre", ".help", ".e",
    "é", "雪", "😀", "e\u0301", "👩\u200d🔬", "\u202e", "{", "}", "(", ")", "\"", "'", "--[[", "]]", "1 2 3", "undo()", "q.code = 'x'", "?where", "42",
    "Quake:first().place = 'x'", "Quake { code = 'new' }", "nil", "/", "n", "g", "G", "j", "k", "h", "l", "c", "f", "s", "+", "-", "u", "i", "I",
    "A", "0", "$", "d", "dd", "cw", "yy", "p", "v", ":", "b", "w", "R", "~", "%",
]
SCREENS = [".browse Quake", ".watch Quake", ".predicate Quake", ".tutorial", ".help", "Quake", "Quake:first()", ".history", "plot(Quake, 'magnitude')",
           "for i = 1, 500 do print(i) end"]


class Ended(Exception):
    """What went wrong."""


class Session:
    """The program on a terminal, what was done to it, and its text on request."""

    def __init__(self, bench, store, settings):
        self.bench, self.settings, self.events = bench, settings, []
        self.folder = Path(tempfile.mkdtemp(prefix="keys-", dir=bench.folder))
        shutil.copy(store, self.folder / "quakes.sqlite")
        self.seen = self.folder / "seen"
        self.seen.mkdir()
        (self.folder / ".inputrc").write_text(settings.get("inputrc", ""))
        environment = bench.environment(
            HOME=self.folder, TMPDIR=self.folder, TERM=settings.get("term", "xterm-256color"), EDITOR=f"! mv -t {self.seen}",
            PERILUNE_PAGER="own", SWIFT_BACKTRACE="enable=no")
        if not settings.get("plain"):
            environment.pop("NO_COLOR")
        self.output = b""
        self.status = None
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(self.folder)
            keep(lambda: os.execve(bench.program, [bench.program, "-q", "--no-init", "quakes.sqlite"], environment))
        os.set_blocking(self.terminal, False)
        self.resize(80, 24, noted=False)

    def close(self):
        try:
            # The whole group: who watches the program, and the program.
            os.kill(self.process, signal.SIGTERM)
            os.waitpid(self.process, 0)
        except OSError:
            pass
        os.close(self.terminal)
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, keys):
        self.events.append(["keys", keys.decode("latin-1")])
        self._write(keys)

    def resize(self, columns, rows, noted=True):
        if noted:
            self.events.append(["size", columns, rows])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait(self, seconds):
        """Reads what comes for so long."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            self._read(left)

    def text(self, marker=""):
        """The text at the prompt, as Ctrl-X Ctrl-E gives it to an editor, with the marker at the cursor."""
        for earlier in os.scandir(self.seen):
            os.unlink(earlier.path)
        self._write(marker.encode() + b"\x18\x05")
        ends = time.monotonic() + PATIENCE
        while not (found := [entry for entry in os.scandir(self.seen)]):
            if time.monotonic() > ends:
                raise Ended(f"gives no answer for {PATIENCE:g} s")
            self._read(0.002)
        text = Path(found[0].path).read_bytes()
        os.unlink(found[0].path)
        # The editor had the terminal as it is outside, where the terminal itself takes such keys.
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON:
            if time.monotonic() > ends:
                raise Ended("does not take the terminal back")
            self._read(0.001)
        if marker:
            self._write(b"\x7f")
        return text.decode(errors="replace").removesuffix("\n")

    def come_back(self):
        """Leaves whatever there is: a paste, completions, a pane, a screen, a search, a block."""
        for keys in (b"\x1b[201~", b"\x1b", b"\x1b", b"q", b"\x1b", b"q", b"n\r", b"\x03", b"\x03", b"\x03"):
            self._write(keys)
            self.wait(0.12)

    def _write(self, keys):
        ends = time.monotonic() + PATIENCE
        while keys:
            try:
                keys = keys[os.write(self.terminal, keys):]
            except BlockingIOError:
                if time.monotonic() > ends:
                    raise Ended(f"reads no keys for {PATIENCE:g} s") from None
                self._read(0.01)
            except OSError:
                self._see_end()

    def _read(self, seconds):
        if select.select([self.terminal], [], [], seconds)[0]:
            try:
                read = os.read(self.terminal, 1 << 16)
            except BlockingIOError:
                return
            except OSError:
                read = b""
            if not read:
                self._see_end()
            self.output = (self.output + read)[-20000:]

    def _see_end(self):
        _, status = os.waitpid(self.process, 0)
        self.status = os.waitstatus_to_exitcode(status)
        raise Ended("leaves" if self.status == 0 else f"ends with status {self.status}")


def keep(begin):
    """Runs the program as a job, and continues it where it was stopped: what a shell does."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for number in (signal.SIGTTOU, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        begin()
    signal.signal(signal.SIGTERM, lambda *_: (os.kill(job, signal.SIGKILL), os._exit(0)))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.tcsetpgrp(0, job)
            os.killpg(job, signal.SIGCONT)
            continue
        code = os.waitstatus_to_exitcode(status)
        os._exit(code if code >= 0 else 128 - code)


class Typist:
    """Types one session from a seed: with the model, or anything anywhere."""

    def __init__(self, session, random, is_over):
        self.session, self.random, self.count, self.is_over = session, random, 0, is_over
        self.marks = 0x4E00

    def send(self, keys):
        self.count += 1
        self.session.send(keys)

    def disturb(self, knows=False):
        """Now and then the window changes, or the program is stopped and goes on."""
        if self.random.random() < 0.02:
            self.session.resize(*self.random.choice(SIZES))
        if self.random.random() < 0.005:
            if knows:
                # What the program has not read yet goes with Ctrl-Z: the terminal drops it.
                self.session.text()
            self.send(b"\x1a")
            self.session.wait(0.02)

    # With the model.

    def type_known(self):
        model = self.model = Prompt()
        self.in_vi = "set editing-mode vi" in self.session.settings.get("inputrc", "")
        self.look()
        while self.count < LENGTH and not self.is_over():
            for _ in range(self.random.randint(1, BURST)):
                self.known_key(model)
            self.disturb(knows=True)
            self.look(model)
            chance = self.random.random()
            if chance < 0.2:
                self.enter(model)
            elif chance < 0.3:
                self.interrupt(model)
                self.look(model)
            elif chance < 0.5:
                self.send(self.commands() if self.in_vi else self.random.choice(EDITS))
                self.read_back(model)
            elif chance < 0.6:
                self.send(self.random.choice(ASTRAY_IN_VI if self.in_vi else ASTRAY))
                self.session.wait(0.05)
                self.interrupt(model)
                self.look(model)
            elif chance < 0.65 and "\\C-xv" in self.session.settings.get("inputrc", ""):
                self.send(FROM_VI if self.in_vi else TO_VI)
                self.in_vi = not self.in_vi
                self.look(model)

    def commands(self):
        """Some of vi's commands, the last of which types on."""
        def one():
            if self.random.random() < 0.3:
                return self.random.choice("dcy") + self.count_of() + self.random.choice(MOTIONS_OF_VI)
            return self.count_of() + self.random.choice(COMMANDS_OF_VI)

        return ("\x1b" + "".join(one() for _ in range(self.random.randint(0, 12))) + self.random.choice(TYPING_OF_VI)).encode()

    def count_of(self):
        return self.random.choice(["", "", "", "2", "9", "99"])

    def interrupt(self, model):
        """Ctrl-C, and a moment for the next prompt."""
        self.send(b"\x03")
        self.session.wait(0.1)
        model.begin()

    def known_key(self, model):
        chance = self.random.random()
        if chance < 0.45:
            letter = self.random.choice(LETTERS)
            model.type(letter)
            self.send(letter.encode())
        elif chance < 0.5:
            pasted = "".join(self.random.choice(LETTERS + "\n") for _ in range(self.random.randint(1, 30)))
            model.type(pasted)
            self.send(b"\x1b[200~" + pasted.replace("\n", self.random.choice("\r\n")).encode() + b"\x1b[201~")
        elif self.in_vi and chance < 0.55:
            self.move_in_vi(model)
        else:
            known, history = (KNOWN_IN_VI, HISTORY_IN_VI) if self.in_vi else (KNOWN, HISTORY)
            name = self.random.choice(history if chance < 0.75 else list(known))
            model.key(name)
            self.send(known[name])

    def move_in_vi(self, model):
        """Some of vi's commands that the model knows, and back to typing."""
        model.leave_typing()
        commands = ""
        for _ in range(self.random.randint(0, 5)):
            command = self.random.choice("hl0$x")
            model.vi(command)
            commands += command
        last = self.random.choice("iaIA")
        model.vi(last)
        self.send(("\x1b" + commands + last).encode())

    def enter(self, model):
        self.send(b"\r")
        text, point = self.seen()
        if text == "":
            model.sent()
        elif text.replace(" ", "").replace("\n", "") == model.text.replace(" ", "").replace("\n", ""):
            model.text, model.point = text, point
        else:
            raise Ended(f"has after Enter the text {text!r} where {model.text!r} was")

    def read_back(self, model):
        model.text, model.point = self.seen()

    def look(self, model=None):
        text, point = self.seen()
        if model and (text, point) != (model.text, model.point):
            raise Ended(f"has the text {text!r} with the cursor at {point} where {model.text!r} and {model.point} are right")

    def seen(self):
        self.marks += 1
        marker = chr(self.marks)
        text = self.session.text(marker)
        if text.count(marker) != 1:
            raise Ended(f"shows the typed {marker} {text.count(marker)} times in {text!r}")
        return text.replace(marker, ""), text.index(marker)

    # Without one.

    def type_anything(self):
        self.session.text()
        while self.count < LENGTH and not self.is_over():
            if self.random.random() < 0.7:
                self.session.send(self.random.choice(SCREENS).encode() + b"\r")
                self.session.wait(0.05)
            for _ in range(self.random.randint(2, 12)):
                keys = b"".join(self.anything() for _ in range(self.random.randint(1, BURST // 4)))
                self.session.send(keys)
                self.disturb()
                self.session.wait(self.random.choice([0, 0.005, 0.12]))
            self.session.come_back()
            try:
                self.session.text()
            except Ended:
                if self.session.status is not None:
                    raise
                # A key may still have waited for another one, which the question was then.
                self.session.come_back()
                self.session.text()

    def anything(self):
        self.count += 1
        random = self.random

        def some(low, high, most):
            # Not what leaves, holds or kills: Ctrl-D, S, Q, Ctrl-\.
            return bytes(byte for byte in (random.randint(low, high) for _ in range(random.randint(1, most))) if byte not in b"\x04\x13\x11\x1c\x1a")

        kind = random.randint(0, 11)
        if kind == 0:
            return some(0x80, 0xFF, 3)
        if kind == 1:
            return some(1, 0x1F, 2)
        if kind == 2:
            return b"\x1b[200~" + some(1, 0xFF, 40) + b"\x1b[201~"
        if kind == 3:
            return b"\x1b" + some(0x20, 0x7E, 1)
        if kind == 4:
            return "雪é😀".encode()[: random.randint(1, 8)]
        if kind < 8:
            return random.choice(WORDS).encode()
        return random.choice(SEQUENCES).encode()


def settings(random, knows):
    """How the program is set up: in which way of editing, and with which keys to change it."""
    inputrc = random.choice(["", "", "set editing-mode vi\n", "set editing-mode vi\n" + VI, VI])
    if knows:
        return {"plain": True, "inputrc": inputrc}
    return {
        "term": random.choice(["xterm-256color"] * 8 + ["dumb", "vt100"]), "plain": random.random() < 0.2,
        "inputrc": inputrc + random.choice(["", "", "", '"\\e[5~": history-search-backward\n"\\e[6~": history-search-forward\n'
                                  '"\\C-o": operate-and-get-next\n"\\e[2~": history-substring-search-backward\n'])}


def try_session(bench, store, seed, ends):
    """The keys that one seed types; a failure is kept."""
    random = Random(seed)
    knows = random.random() < 0.75
    session = Session(bench, store, settings(random, knows))
    typist = Typist(session, random, lambda: bench.is_past(ends))
    try:
        if knows:
            typist.type_known()
        else:
            typist.type_anything()
    except Ended as end:
        # Who asks to leave is let go, and who presses Ctrl-C a third time.
        if knows or session.status not in (0, 130):
            keep_failure(bench, store, session, f"{end}", seed)
    finally:
        session.close()
    return typist.count


def keep_failure(bench, store, session, what, seed):
    file = session.folder / "keys.json"
    file.write_text(json.dumps({"settings": session.settings, "events": session.events}))
    shown = session.output[-1500:].decode(errors="replace")
    bench.fail(
        f"the program {what}",
        [f"seed {seed}", "", "What it printed last:", repr(shown), "", "Again, with the path of the file beside this one:",
         "scripts/fuzz --keys .../keys.json"], [file])


def play(bench, store, path):
    """Types kept keys again; says how it ends."""
    kept = json.loads(Path(path).read_text())
    session = Session(bench, store, kept["settings"])
    try:
        session.text()
        for kind, *rest in kept["events"]:
            if kind == "size":
                session.resize(*rest)
            else:
                session.send(rest[0].encode("latin-1"))
            session.wait(0.03)
        print(repr(session.text()))
        return "lives"
    except Ended as end:
        return str(end)
    finally:
        session.close()
