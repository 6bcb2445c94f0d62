"""Where the peers are, and why those that are missing are. A peer is built when a job first asks for it."""

import shutil
import subprocess
import sys
from functools import cache

from .cluster import is_installed as has_server
from .places import BUILD, HERE

PYTHON = BUILD / "venv/bin/python"
GRDB = BUILD / "grdb-peer/release/grdb-peer"
CONSOLE_HOST = BUILD / "console-host/release/console-host"
PREDICATES = BUILD / "predicates-peer/release/predicates-peer"
SQLITE = shutil.which("sqlite3") or "sqlite3"


def quietly(*command):
    """Whether a command succeeds; what it says goes to build/log.txt."""
    with open(BUILD / "log.txt", "a") as log:
        print("$", *command, file=log, flush=True)
        try:
            return subprocess.run([str(word) for word in command], stdout=log, stderr=log).returncode == 0
        except OSError:
            return False


def is_installed(module, package):
    if not PYTHON.exists():
        quietly(sys.executable, "-m", "venv", BUILD / "venv")
    there = quietly(PYTHON, "-c", f"import {module}")
    return there or quietly(PYTHON, "-m", "pip", "install", "--quiet", package)


def is_built(package):
    return quietly(
        "swift", "build", "-c", "release", "--package-path", HERE / package, "--scratch-path", BUILD / package
    )


# To add a peer, add how to find or to build it, and what is said when that fails.
CHECKS = {
    "sqlite3": (lambda: shutil.which("sqlite3"), "the command line of SQLite is not installed"),
    "sqldiff": (lambda: shutil.which("sqldiff"), "Debian's sqlite3-tools is not installed"),
    "luasql": (
        lambda: quietly("lua5.4", "-e", "require 'luasql.sqlite3'"),
        "Debian's lua-sql-sqlite3 is not installed",
    ),
    "sqlalchemy": (lambda: is_installed("sqlalchemy", "sqlalchemy"), "pip could not install sqlalchemy"),
    "postgres": (has_server, "PostgreSQL's server is not installed"),
    "sqlalchemy_psycopg": (
        lambda: has_server() and is_installed("sqlalchemy", "sqlalchemy") and is_installed("psycopg", "psycopg[binary]"),
        "PostgreSQL's server is not installed, or pip could not install sqlalchemy and psycopg",
    ),
    "sqlite_utils": (lambda: is_installed("sqlite_utils", "sqlite-utils"), "pip could not install sqlite-utils"),
    "litecli": (lambda: is_installed("litecli", "litecli"), "pip could not install litecli"),
    "duckdb": (lambda: is_installed("duckdb", "duckdb"), "pip could not install duckdb"),
    "datasette": (lambda: is_installed("datasette", "datasette"), "pip could not install datasette"),
    "sqlite_web": (lambda: is_installed("sqlite_web", "sqlite-web"), "pip could not install sqlite-web"),
    "uniplot": (lambda: is_installed("uniplot", "uniplot"), "pip could not install uniplot"),
    "grdb": (lambda: is_built("grdb-peer"), "its package did not build"),
    "console_host": (lambda: is_built("console-host"), "its package did not build"),
    "predicates": (lambda: is_built("predicates-peer"), "its package did not build"),
}


@cache
def why_missing(peer):
    """Why a peer cannot be measured, or None."""
    check, reason = CHECKS[peer]
    return None if check() else f"{reason} (see Benchmarks/build/log.txt)"
