#!/usr/bin/env python3
"""Makes a Core Data store of quakes, as Apple's framework would, with no more than Python's own sqlite3.

usage: coredata-store.py ROWS OUT

The model is that of the quakes in the other benchmarks with a network that has many of them. The store has no model
cache: give perilune the model with --model.
"""

import os
import plistlib
import random
import sqlite3
import sys

NETWORKS = 20
EPOCH_2001 = 978_307_200

TABLES = """
CREATE TABLE ZNETWORK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
CREATE TABLE ZQUAKE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNETWORK INTEGER, ZTIME TIMESTAMP,
  ZMAGNITUDE FLOAT, ZDEPTH FLOAT, ZCODE VARCHAR, ZPLACE VARCHAR );
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
"""

INDEXES = """
CREATE INDEX ZQUAKE_ZNETWORK_INDEX ON ZQUAKE (ZNETWORK);
CREATE UNIQUE INDEX Z_Quake_UNIQUE_code ON ZQUAKE (ZCODE COLLATE BINARY ASC);
CREATE INDEX Z_Quake_byMagnitude ON ZQUAKE (ZMAGNITUDE COLLATE BINARY ASC);
"""

MODEL = """return Model {
  Network = Entity { name = String, quakes = ToMany "Quake" { inverse = "network" } },
  Quake = Entity {
    code = String { unique = true }, place = String, time = Date, magnitude = Double { indexed = true }, depth = Double,
    network = ToOne "Network" { inverse = "quakes" },
  },
}
"""


def quakes(rows):
    generator = random.Random(1)
    for key in range(1, rows + 1):
        time = 1_500_000_000 + key * 97 - EPOCH_2001
        yield (key, 2, 1, key % NETWORKS + 1, time, round(generator.uniform(0, 9), 1),
               round(generator.uniform(0, 700), 1), f"us{key:08}", f"place {generator.randrange(5000)}")


def metadata():
    return plistlib.dumps(
        {
            "NSStoreType": "SQLite",
            "NSPersistenceFrameworkVersion": 1344,
            "NSStoreModelVersionHashesVersion": 3,
            "NSStoreModelVersionHashes": {"Network": bytes(32), "Quake": bytes(32)},
            "_NSAutoVacuumLevel": "2",
        },
        fmt=plistlib.FMT_BINARY)


def main():
    if len(sys.argv) != 3 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    rows, path = int(sys.argv[1]), sys.argv[2]
    if os.path.exists(path):
        sys.exit(f"{path} is there already")
    store = sqlite3.connect(path)
    store.execute("PRAGMA auto_vacuum = 2")
    store.execute("PRAGMA journal_mode = WAL")
    store.executescript(TABLES)
    store.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)", ("C0FFEE00-0000-4000-8000-000000000001", metadata()))
    store.executemany("INSERT INTO ZNETWORK VALUES (?, 1, 1, ?)", ((n, f"network {n}") for n in range(1, NETWORKS + 1)))
    store.executemany("INSERT INTO ZQUAKE VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", quakes(rows))
    store.executescript(INDEXES)
    store.executemany("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)", ((1, "Network", NETWORKS), (2, "Quake", rows)))
    store.commit()
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    with open(os.path.splitext(path)[0] + ".lua", "w", encoding="utf-8") as model:
        model.write(MODEL)


if __name__ == "__main__":
    main()
