"""Damaged files: their bytes, the texts of their schemas, their values."""

import gzip
import json
import plistlib
import shutil
import sqlite3
import subprocess
import sys

from .attack import EXAMPLES, Runner, make_sample
from .stores import make_stores
from .texts import mutate

VALUES = (None, 0, -1, 1, 2**63 - 1, -(2**63), 1e308, float("inf"), -0.0, "", "x", "\x00", "1", "2024-01-01", "9" * 400, b"", b"\xff" * 40,
          b"bplist00\xd4\x01\x02", "[[[[", "{}", 2**31, 0.5, "NaN")
BATCH = 100


def originals(bench):
    """Whole files of each kind of store."""
    stores = dict(make_stores(bench))
    stores["sample"] = make_sample(bench, 20)
    folder = bench.fresh("app")
    made = subprocess.run(
        [sys.executable, EXAMPLES / "app-store" / "make.py", folder / "Recipes.sqlite"], cwd=folder, capture_output=True, text=True)
    if made.returncode == 0:
        stores["app"] = next(folder.glob("*.sqlite"))
    history = bench.fresh("with-history") / "store.sqlite"
    shutil.copy(stores["own"], history)
    subprocess.run(
        [bench.program, "-q", history, "-e",
         "for i = 1, 4 do Box { name = 'n' .. i } for x in Item:all():each() do x.n = x.n + i end save() end store:undoSave()"],
        check=True, capture_output=True, env=bench.environment())
    stores["history"] = history
    return stores | files_of_rows(bench)


def files_of_rows(bench):
    """Whole files of each kind of rows that is packed, or in which rows are within something else."""
    folder = bench.fresh("rows")
    rows = [{"name": f"n{n}", "n": n, "tags": ["a", {"b": n}]} for n in range(40)]
    features = [{"type": "Feature", "id": n, "geometry": {"type": "Point", "coordinates": [n, 1.5]}, "properties": row}
                for n, row in enumerate(rows)]
    (folder / "rows.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 500) * 2)
    (folder / "rows.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    (folder / "rows.json").write_text(json.dumps({"count": 40, "data": {"items": rows}}))
    for name, form in (("binary", plistlib.FMT_BINARY), ("xml", plistlib.FMT_XML)):
        (folder / f"{name}.plist").write_bytes(plistlib.dumps(rows, fmt=form))
    for path in (EXAMPLES.parent / "Tests" / "LuaBindingsTests" / "Transfer" / "Samples").iterdir():
        shutil.copy(path, folder)
    return {path.name: path for path in folder.iterdir()}


def damage_bytes(path, random):
    content = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 1, 2, 10, 100))):
        way = random.randrange(7)
        at = random.randrange(len(content))
        # Half of it in the headers of pages, where the structure is.
        if random.random() < 0.5:
            at = min(len(content) - 1, at // 4096 * 4096 + random.randrange(100))
        if way == 0:
            content[at] ^= 1 << random.randrange(8)
        elif way == 1:
            content[at] = random.choice((0, 255, 127, 128, 1))
        elif way == 2:
            content[at : at + 4] = random.randbytes(4)
        elif way == 3:
            other = random.randrange(len(content)) // 4096 * 4096
            page = at // 4096 * 4096
            content[page : page + 4096] = content[other : other + 4096]
        elif way == 4:
            size = random.choice((16, 512, 4096))
            content[at : at + size] = bytes(len(content[at : at + size]))
        elif way == 5 and random.random() < 0.3:
            del content[max(100, at) :]
        else:
            content[at : at + 8] = b"\xff" * len(content[at : at + 8])
    path.write_bytes(content)


def damage_schema(path, random):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    rows = connection.execute("SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema").fetchall()
    for _ in range(random.choice((1, 1, 2, 4))):
        rowid, *_, sql = random.choice(rows)
        way = random.randrange(6)
        if way <= 2 and sql:
            others = [row[5] for row in rows if row[5]]
            connection.execute("UPDATE sqlite_schema SET sql = ? WHERE rowid = ?", (mutate(sql, random, others), rowid))
        elif way == 3:
            connection.execute("DELETE FROM sqlite_schema WHERE rowid = ?", (rowid,))
        elif way == 4:
            column = random.choice(("name", "tbl_name", "type", "rootpage"))
            value = random.choice((None, "x", "", 0, 1, 2, 99999, -1, random.choice(rows)[2]))
            connection.execute(f"UPDATE sqlite_schema SET {column} = ? WHERE rowid = ?", (value, rowid))
        else:
            other = random.choice(rows)
            connection.execute("UPDATE sqlite_schema SET rootpage = ? WHERE rowid = ?", (other[4], rowid))
    connection.commit()
    connection.close()


def damage_values(path, random):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'") if "sqlite_" not in name]
    for _ in range(random.choice((1, 2, 5, 20))):
        table = random.choice(tables)
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        column = random.choice(columns)
        if random.random() < 0.4:
            old = connection.execute(f'SELECT "{column}" FROM "{table}" ORDER BY random() LIMIT 1').fetchone()
            value = old[0] if old else None
            if isinstance(value, str):
                value = mutate(value, random, [value])
            elif isinstance(value, bytes) and value:
                value = bytearray(value)
                value[random.randrange(len(value))] ^= 1 << random.randrange(8)
                value = bytes(value[: random.choice((len(value), random.randint(0, len(value))))])
            else:
                value = random.choice(VALUES)
        else:
            value = random.choice(VALUES)
        where = random.choice(("", f'WHERE rowid = (SELECT rowid FROM "{table}" ORDER BY random() LIMIT 1)'))
        try:
            connection.execute(f'UPDATE "{table}" SET "{column}" = ? {where}', (value,))
        except (sqlite3.Error, OverflowError, UnicodeEncodeError):
            pass
        if random.random() < 0.1:
            try:
                connection.execute(f'DELETE FROM "{table}" WHERE random() % 2')
            except sqlite3.Error:
                pass
    connection.commit()
    connection.close()


LEVELS = {"bytes": damage_bytes, "schema": damage_schema, "values": damage_values}


def try_damage(bench, stores, sample, random, ends):
    """Looks at damaged files until the time is over; returns how many there were of each level."""
    counts = dict.fromkeys(LEVELS, 0)
    kinds = sorted(stores)
    runner = Runner(bench, sample, "inspect")
    while not bench.is_past(ends) and bench.failures < 20:
        folder = bench.fresh("damaged")
        programs = []
        for number in range(BATCH):
            kind = random.choice(kinds)
            level = random.choice(sorted(LEVELS)) if stores[kind].suffix == ".sqlite" else "bytes"
            path = folder / f"{number}-{level}-{kind}{'' if '.' in kind else '.sqlite'}"
            shutil.copy(stores[kind], path)
            try:
                LEVELS[level](path, random)
            except (sqlite3.Error, OverflowError, UnicodeEncodeError):
                continue
            (folder / "kept").mkdir(exist_ok=True)
            shutil.copy(path, folder / "kept")
            programs.append(f"require 'inspect' '{path}'")
            counts[level] += 1
        runner.run(programs, ends, keeps=lambda code: folder / "kept" / code.split("/")[-1].rstrip("'"))
    return counts
