"""Python's own sqlite3: sqlite3_read.py STORE"""

import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
print("begin", file=sys.stderr, flush=True)
total, count = 0.0, 0
for _, magnitude, place, _, _, _, _ in db.execute("SELECT id, magnitude, place, time, depth, code, day FROM quake"):
    total += magnitude
    if "CA" in place:
        count += 1
print(f"end sum={total:.2f} count={count}", file=sys.stderr, flush=True)
