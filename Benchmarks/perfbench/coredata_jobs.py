"""Core Data stores beside plain tables."""

import sqlite3
import subprocess
import sys

from .job import Contender, Job
from .places import DATA, HERE, SCRIPTS

SECONDS_TO_2001 = 978307200
TYPES = {
    "magnitude": "FLOAT",
    "depth": "FLOAT",
    "time": "TIMESTAMP",
    "place": "VARCHAR",
    "code": "VARCHAR",
    "day": "VARCHAR",
}


def make_app_store(own, path):
    """The earthquakes of `own` as an app of Apple's framework would keep them, without a copy of the model."""
    if path.exists():
        return
    unfinished = path.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    store = sqlite3.connect(unfinished)
    store.execute("ATTACH ? AS own", (str(own),))
    names = [row[1] for row in store.execute("PRAGMA own.table_info(quake)") if row[1] in TYPES]
    columns = ", ".join(f"Z{name.upper()} {TYPES[name]}" for name in names)
    store.executescript(
        f"""
        CREATE TABLE ZQUAKE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, {columns});
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        INSERT INTO Z_METADATA VALUES (1, '6F1D4A5E-7B35-4B0B-9C36-0D0A6C1E5A11', NULL);
        """
    )
    values = ", ".join(f"time - {SECONDS_TO_2001}" if name == "time" else name for name in names)
    store.execute(f"INSERT INTO ZQUAKE SELECT id, 1, 1, {values} FROM own.quake ORDER BY id")
    store.execute("INSERT INTO Z_PRIMARYKEY SELECT 1, 'Quake', 0, max(Z_PK) FROM ZQUAKE")
    store.commit()
    store.execute("DETACH own")
    store.execute("PRAGMA journal_mode = WAL")
    store.close()
    unfinished.rename(path)


def make_recipes(path):
    """The store of Examples/app-store, whose model is in the file."""
    if not path.exists():
        subprocess.run([sys.executable, HERE.parent / "Examples/app-store/make.py", path], check=True)


def make_coredata_jobs(bench):
    app = DATA / f"app-{bench.rows}.sqlite"
    recipes = DATA / "Recipes.sqlite"

    def prepare():
        make_app_store(bench.store, app)

    return [
        Job(
            "coredata-read",
            f"first pass over {bench.rows:,} objects of a Core Data store",
            [
                bench.own(app, SCRIPTS / "read.lua", prepare=prepare),
                Contender("plain tables", [bench.program, bench.store, SCRIPTS / "read.lua"], 1.1),
            ],
        ),
        Job(
            "coredata-open",
            "start, open an app's store by its own model and count",
            [bench.own(recipes, "-e", "print(Step:count())", prepare=lambda: make_recipes(recipes))],
            limit=0.03,
            whole=True,
        ),
    ]
