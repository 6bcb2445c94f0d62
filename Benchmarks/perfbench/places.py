"""Where the data, the programs and what jobs write are."""

import sqlite3
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
BUILD = HERE / "build"
DATA = HERE / "data"
SCRIPTS = HERE / "jobs"
OUTPUT = DATA / "output.sqlite"
TABLE = DATA / "output.csv"

INDEXED_SCHEMA = (
    "CREATE TABLE quake (id INTEGER PRIMARY KEY, magnitude DOUBLE NOT NULL, place TEXT NOT NULL, time DOUBLE NOT NULL,"
    " depth DOUBLE NOT NULL, code TEXT NOT NULL, day TEXT NOT NULL);"
    "CREATE UNIQUE INDEX quake_code ON quake (code);"
    "CREATE INDEX quake_time ON quake (time);"
    "CREATE INDEX quake_magnitude ON quake (magnitude);"
)


def remove_output():
    for path in (OUTPUT, TABLE):
        for suffix in ("", "-wal", "-shm", "-journal", ".stamps"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)


def make_indexed_output():
    remove_output()
    with sqlite3.connect(OUTPUT) as db:
        db.executescript("PRAGMA journal_mode = WAL;" + INDEXED_SCHEMA)
    db.close()
