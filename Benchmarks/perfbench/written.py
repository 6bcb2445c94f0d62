"""Facts about what a contender wrote, which must be equal for all."""

import csv
import sqlite3

from .job import Failure
from .places import OUTPUT, TABLE


def loaded_facts():
    """Rows and total of the loaded store, after its integrity, its uniqueness and its indexes were checked."""
    db = sqlite3.connect(OUTPUT)
    (integrity,) = db.execute("PRAGMA integrity_check").fetchone()
    if integrity != "ok":
        raise Failure(f"the store is damaged: {integrity}")
    leading = {}
    for _, name, unique, *_ in db.execute("PRAGMA index_list(quake)").fetchall():
        column = db.execute(f'PRAGMA index_info("{name}")').fetchone()[2]
        leading[column] = leading.get(column, 0) or unique
    if "time" not in leading or "magnitude" not in leading or not leading.get("code"):
        raise Failure(f"indexes are missing: {leading}")
    rows, total = db.execute("SELECT count(*), round(sum(magnitude), 2) FROM quake").fetchone()
    db.close()
    return {"rows": rows, "total": total}


def updated_facts():
    db = sqlite3.connect(OUTPUT)
    (integrity,) = db.execute("PRAGMA integrity_check").fetchone()
    if integrity != "ok":
        raise Failure(f"the store is damaged: {integrity}")
    rows, total = db.execute("SELECT count(*), round(sum(depth), 2) FROM quake").fetchone()
    db.close()
    return {"rows": rows, "total": total}


def exported_facts():
    with open(TABLE, newline="") as file:
        reader = csv.reader(file)
        column = next(reader).index("magnitude")
        magnitudes = [float(row[column]) for row in reader]
    return {"rows": len(magnitudes), "total": round(sum(magnitudes), 2)}
