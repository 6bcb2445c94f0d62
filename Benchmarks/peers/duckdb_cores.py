"""DuckDB's count, sum, groups and summary of a CSV file, by all cores: duckdb_cores.py TABLE.csv"""

import statistics
import sys
import time

import duckdb

TABLE = f"read_csv('{sys.argv[1]}')"
QUESTIONS = {
    "counted": f"SELECT count(*) FROM {TABLE} WHERE depth > 300 AND contains(place, 'CA')",
    "summed": f"SELECT fsum(depth) FROM {TABLE}",
    "grouped": f"SELECT day, count(*), max(magnitude) FROM {TABLE} GROUP BY day ORDER BY day",
    "summarized": f"SUMMARIZE SELECT * FROM {TABLE}",
}

print("begin", file=sys.stderr, flush=True)
told, found = {}, {}
for name, question in QUESTIONS.items():
    times = []
    for _ in range(4):
        start = time.perf_counter()
        found[name] = duckdb.sql(question).fetchall()
        times.append(time.perf_counter() - start)
    told[name] = statistics.median(times[1:])
told["rows"] = found["counted"][0][0]
told["total"] = found["summed"][0][0]
told["groups"] = len(found["grouped"])
print("end", *(f"{name}={value:.9f}" for name, value in told.items()), file=sys.stderr, flush=True)
