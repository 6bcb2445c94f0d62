"""One run of one contender: its time, its peak memory and what it told."""

import os
import pty
import struct
import subprocess
import termios
import threading
import time
from fcntl import ioctl

from .job import Failure
from .places import BUILD


def start_environment():
    return dict(os.environ, XDG_CONFIG_HOME=str(BUILD / "no-configuration"), LC_ALL="C.UTF-8", TERM="xterm")


def measure_start(command):
    """The time of a whole process, started with as little around it as Python can."""
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, descriptor) for descriptor in (0, 1, 2)]
    environment = start_environment()
    begin = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=actions)
    _, status = os.waitpid(child, 0)
    seconds = time.perf_counter() - begin
    os.close(null)
    if status:
        raise Failure(f"ended with {os.waitstatus_to_exitcode(status)}")
    return {"seconds": seconds}


def drain_terminal(primary, drained):
    try:
        while chunk := os.read(primary, 65536):
            drained.append(chunk)
    except OSError:  # the other side is closed
        pass


def measure(command, job, output):
    """One run: seconds, peak memory in MB, and what the end mark told."""
    command = [BUILD / "launch", *command]
    drained, reader, primary = [], None, None
    if job.terminal:
        primary, standard_output = pty.openpty()
        ioctl(standard_output, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        reader = threading.Thread(target=drain_terminal, args=(primary, drained))
        reader.start()
    else:
        standard_output = os.open(output or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)

    begun = time.perf_counter()
    begin, end, facts, said = None, None, {}, []
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=standard_output, stderr=subprocess.PIPE, env=start_environment()
    )
    os.close(standard_output)
    for line in process.stderr:
        now = time.perf_counter()
        words = line.decode(errors="replace").split()
        if words == ["begin"]:
            begin = now
        elif words[:1] == ["end"]:
            end = now
            facts.update((name, float(value)) for name, value in (word.split("=") for word in words[1:]))
        elif words[:1] == ["peak"]:
            facts["peak"] = int(words[1]) / 1024
        elif words:
            said.append(" ".join(words))
    status = process.wait()
    if job.whole:
        begin, end = begun, time.perf_counter()
    if reader:
        reader.join()
        os.close(primary)
        facts["lines"] = b"".join(drained).count(b"\n")

    if status:
        raise Failure(f"ended with {status}: {said[0] if said else 'without a word'}")
    if job.terminal and not 3 <= facts["lines"] <= 100:
        raise Failure(f"showed {facts['lines']} lines, which is not a screen")
    if begin is None or end is None:
        raise Failure("did not mark begin and end")
    return {"seconds": end - begin, **facts}
