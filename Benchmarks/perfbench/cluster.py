"""A PostgreSQL cluster of the jobs' own: in a temporary folder, reached by a Unix socket, ended with the process."""

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from .places import BUILD

USER = "perilune"
SETTINGS = {
    "listen_addresses": "", "shared_buffers": "256MB", "max_wal_size": "4GB", "checkpoint_timeout": "1h",
    "autovacuum": "off", "jit": "off",
}


def program(name):
    """A program of the newest server."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*"), key=lambda path: int(path.name) if path.name.isdigit() else 0)
    found = [path / "bin" / name for path in reversed(versions) if (path / "bin" / name).exists()]
    return str(found[0]) if found else shutil.which(name)


def is_installed():
    return bool(program("initdb") and program("postgres") and program("psql"))


class Cluster:
    """The server never runs as root: PostgreSQL refuses that."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="perilune-bench-pg-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.as_user = []
        if os.getuid() == 0:
            entry = pwd.getpwnam("postgres")
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self.as_user = ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
        data = self.folder / "data"
        log = open(BUILD / "log.txt", "a")
        initdb = [program("initdb"), "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        subprocess.run([*self.as_user, *initdb], check=True, stdout=log, stderr=log, cwd=self.folder)
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        self.server = subprocess.Popen(
            [*self.as_user, program("postgres"), "-D", data, "-k", self.folder, *settings],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
        )
        atexit.register(self.stop)
        state = data / "postmaster.pid"
        for _ in range(600):
            lines = state.read_text().split("\n") if state.exists() else []
            if len(lines) > 7 and lines[7].startswith("ready"):
                return
            time.sleep(0.05)
        raise ChildProcessError("the server does not start (see Benchmarks/build/log.txt)")

    def stop(self):
        self.server.terminate()
        try:
            self.server.wait(20)
        except subprocess.TimeoutExpired:
            self.server.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database):
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def psql_command(self, database, *commands):
        words = [program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.address(database)]
        return words + [word for command in commands for word in ("-c", command)]

    def psql(self, database, *commands):
        """What psql prints, unaligned."""
        words = self.psql_command(database, *commands)
        done = subprocess.run([*words, "-A", "-t"], capture_output=True, text=True)
        if done.returncode:
            raise ChildProcessError(done.stderr.strip())
        return done.stdout.strip()

    def exists(self, database):
        return self.psql("postgres", f"SELECT 1 FROM pg_database WHERE datname = '{database}'") == "1"

    def make(self, database, template="template0"):
        """Makes a database anew, a copy of another or an empty one, and has all of it written before a run begins."""
        self.psql("postgres", f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        self.psql("postgres", f"CREATE DATABASE {database} TEMPLATE {template}")
        self.psql("postgres", "CHECKPOINT")
