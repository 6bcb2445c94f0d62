"""DuckDB's summary of a CSV file: duckdb_summary.py TABLE.csv"""

import sys

import duckdb

print("begin", file=sys.stderr, flush=True)
rows = duckdb.sql(f"SUMMARIZE SELECT * FROM read_csv('{sys.argv[1]}')").fetchall()
print(f"end lines={len(rows)}", file=sys.stderr, flush=True)
