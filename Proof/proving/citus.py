"""Asks a real Citus what SQLite is asked, and lets processes write to it while workers die and shards move."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from .bench import WORK

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "shared_preload_libraries": "citus",
    "max_worker_processes": 16,
    "max_prepared_transactions": 100,
    "citus.node_conninfo": "sslmode=prefer",
    "fsync": "off",
}
# The server's statements of a program that waits for nothing.
BUSY = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()"


def programs():
    """The folder of a PostgreSQL's programs that has the extension, or None."""
    config = os.environ.get("PERILUNE_CITUS") or shutil.which("pg_config")
    if not config:
        return None
    bin_folder, share = (
        subprocess.run([config, option], capture_output=True, text=True, check=True).stdout.strip()
        for option in ("--bindir", "--sharedir"))
    return bin_folder if (Path(share) / "extension" / "citus.control").exists() else None


class Node:
    """A server on a cluster of its own, as a user that may run one."""

    def __init__(self, folder, programs_folder):
        self.folder, self.programs = folder, Path(programs_folder)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        folder.mkdir()
        self.as_user = {"user": "postgres"} if os.geteuid() == 0 else {}
        if self.as_user:
            shutil.chown(folder, "postgres")
        self.run("initdb", "-D", folder / "data", "-U", "perilune", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()

    def run(self, program, *arguments):
        subprocess.run(
            [self.programs / program, *arguments], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=self.folder, **self.as_user)

    def start(self):
        settings = {**SETTINGS, "port": self.port, "unix_socket_directories": self.folder}
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self.run("pg_ctl", "-w", "-D", self.folder / "data", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-w", "-D", self.folder / "data", "-m", mode, "stop")

    def ask(self, sql, database="proof"):
        """The first column of the rows of a statement, each statement a transaction of its own."""
        answer = subprocess.run(
            [self.programs / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", "perilune", database],
            input=sql, capture_output=True, text=True)
        if answer.returncode:
            raise SystemExit(f"{sql}: {answer.stderr}")
        return answer.stdout.split("\n")[:-1]


class Cluster:
    """A coordinator and two workers, each with a database of the same name; they end with the `with`."""

    def __init__(self):
        # A socket's path is short.
        self.folder = Path(tempfile.mkdtemp(prefix="citus-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.nodes = []

    def __enter__(self):
        return self

    def begin(self, programs_folder):
        for number in range(3):
            self.nodes.append(Node(self.folder / str(number), programs_folder))
        self.coordinator, *self.workers = self.nodes
        for node in self.nodes:
            node.ask("CREATE DATABASE proof TEMPLATE template0", "postgres")
            node.ask("CREATE EXTENSION citus")
        self.coordinator.ask(f"SELECT citus_set_coordinator_host('127.0.0.1', {self.coordinator.port})")
        for worker in self.workers:
            self.coordinator.ask(f"SELECT citus_add_node('127.0.0.1', {worker.port})")

    def __exit__(self, *_):
        for node in self.nodes:
            try:
                node.stop()
            except subprocess.CalledProcessError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def address(self):
        return f"postgres://perilune@127.0.0.1:{self.coordinator.port}/proof"

    def move_shard(self, random):
        """Moves the shards of one range from their worker to the other one."""
        shard, port = random.choice(self.coordinator.ask(
            "SELECT shardid || ' ' || nodeport FROM citus_shards WHERE table_name = 'reading'::regclass")).split()
        # Citus loses rows of a transaction that is in doubt while their shard moves.
        self.coordinator.ask("SELECT recover_prepared_transactions()")
        other = next(worker.port for worker in self.workers if worker.port != int(port))
        self.coordinator.ask(
            f"SELECT citus_move_shard_placement({shard}, '127.0.0.1', {port}, '127.0.0.1', {other}, 'block_writes')")


def try_citus(bench, random, seconds):
    """Returns how many questions were asked, how many readings four writers were confirmed, and how many workers were killed and
    shards moved meanwhile; None without the extension."""
    folder = programs()
    if not folder:
        return None
    with Cluster() as cluster:
        cluster.begin(folder)
        questions = ask(bench, cluster)
        confirmed, killed, moved = write(bench, cluster, random, seconds)
        interrupt(bench, cluster)
        return questions, confirmed, killed, moved


def ask(bench, cluster):
    """The answers are SQLite's, to the last byte."""
    store = bench.fresh("citus") / "store.sqlite"
    answers = []
    for address in (store, cluster.address):
        answer = subprocess.run(
            [bench.program, "-q", WORK / "questions.lua", address, "make"], env=bench.environment(), capture_output=True, text=True)
        if answer.returncode:
            raise SystemExit(f"the questions are not asked: {answer.stderr}")
        answers.append(answer.stdout.splitlines())
    local, spread = answers
    differing = [f"{one}\n  Citus: {other}" for one, other in zip(local, spread) if one != other]
    if differing or len(local) != len(spread) or any("\terror " in line for line in local):
        bench.fail(f"{len(differing)} of {len(local)} answers differ", differing[:50], [store])
    return len(local)


def write(bench, cluster, random, seconds):
    """Four processes write, one observes; workers are killed and shards moved meanwhile."""
    folder = bench.fresh("citus")
    stop, environment = folder / "stop", bench.environment()
    observer = subprocess.Popen(
        [bench.program, "-q", WORK / "shards-observer.lua", cluster.address, folder / "observed", stop], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if observer.stdout.readline() != "ready\n":
        raise SystemExit(f"the observer does not begin: {observer.stderr.read()}")
    seconds = max(8, int(seconds))
    writers = [
        subprocess.Popen(
            [bench.program, "-q", WORK / "shards.lua", cluster.address, folder / f"log-{n}", str(n), str(seconds)], env=environment,
            stdout=subprocess.PIPE, text=True)
        for n in range(1, 5)
    ]
    killed = moved = 0
    ends = time.monotonic() + seconds - 4
    while time.monotonic() < ends:
        time.sleep(1)
        if killed > moved:
            cluster.move_shard(random)
            moved += 1
        else:
            worker = random.choice(cluster.workers)
            worker.stop()
            time.sleep(0.5)
            worker.start()
            killed += 1
    for writer in writers:
        writer.communicate()
    problems = [f"a writer ends with {w.returncode}" for w in writers if w.returncode != 0]
    # What was prepared on a worker that died is committed or not by the coordinator's records.
    cluster.coordinator.ask("SELECT recover_prepared_transactions()")
    stop.touch()
    try:
        _, said = observer.communicate(timeout=120)
        # A live result that cannot be updated for the moment says so, and the status remembers it.
        if observer.returncode not in (0, 75):
            problems.append(f"the observer ends with {observer.returncode}: {said[-500:]}")
    except subprocess.TimeoutExpired:
        observer.kill()
        observer.communicate()
        problems.append("the observer does not end")
    confirmed = judge(cluster, folder, problems)
    if problems:
        bench.fail(f"four processes: {problems[0]}", problems[:50], [folder])
    return confirmed, killed, moved


def judge(cluster, folder, problems):
    stored = [int(n) for n in cluster.coordinator.ask("SELECT number FROM reading WHERE number > 1000000")]
    known = set(stored)
    if len(known) != len(stored):
        problems.append(f"{len(stored) - len(known)} readings are stored twice")
    for number in cluster.coordinator.ask(
        "SELECT r.number FROM reading r LEFT JOIN tag t ON t.tenant = r.tenant AND t.reading_pk = r._pk WHERE r.number > 1000000"
        " GROUP BY r.tenant, r._pk, r.number HAVING count(t._pk) <> 2"):
        problems.append(f"reading {number} is not there with both tags")
    values = dict(map(int, row.split("|")) for row in cluster.coordinator.ask(
        "SELECT number, value::bigint FROM reading WHERE number > 1000000"))
    confirmed = 0
    for log in sorted(folder.glob("log-*")):
        for line in log.read_text().splitlines():
            if line.startswith("ERROR"):
                problems.append(line)
                continue
            numbers, changed = ([int(word) for word in part.split()] for part in line.split("="))
            confirmed += len(numbers)
            problems += [f"reading {number} was confirmed and is not there" for number in numbers if number not in known]
            # Later saves give greater values.
            problems += [
                f"reading {number} has the value {values.get(number)}, and was confirmed with {numbers[-1]}"
                for number in changed if values.get(number, 0) < numbers[-1]]
    observed = []
    for line in (folder / "observed").read_text().splitlines():
        if line.startswith("WRONG"):
            problems.append(line)
        else:
            observed.append(int(line))
    if len(observed) != len(set(observed)):
        problems.append("the observer was notified of a reading twice")
    problems += [f"the observer was not notified of reading {n}" for n in sorted(known - set(observed))[:5]]
    return confirmed


def interrupt(bench, cluster):
    """Ctrl-C ends a statement on the workers, too."""
    script = "store:sql 'SELECT count(*) FROM reading WHERE pg_sleep(20 + 0 * number) IS NOT NULL'"
    program = subprocess.Popen(
        [bench.program, "-q", cluster.address, "-e", script], env=bench.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait(are_busy, patience=30):
        ends = time.monotonic() + patience
        while time.monotonic() < ends:
            if (sum(int(worker.ask(BUSY)[0]) for worker in cluster.workers) > 0) == are_busy:
                return True
            time.sleep(0.05)
        return False

    if not wait(True):
        bench.fail("an interruption: the statement does not begin on a worker", [script])
    program.send_signal(signal.SIGINT)
    began = time.monotonic()
    program.wait()
    if not wait(False):
        bench.fail("an interruption: the workers go on", [script])
    bench.say(f"citus: {(time.monotonic() - began) * 1000:.0f} ms from Ctrl-C to workers that do nothing")
