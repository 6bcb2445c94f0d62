"""A histogram of a column that Python's sqlite3 reads: uniplot_histogram.py STORE.sqlite"""

import sqlite3
import sys

import numpy
from uniplot import histogram

print("begin", file=sys.stderr, flush=True)
db = sqlite3.connect(sys.argv[1])
values = numpy.fromiter((row[0] for row in db.execute("SELECT magnitude FROM quake")), dtype=float)
histogram(values, bins=20)
print("end lines=20", file=sys.stderr, flush=True)
