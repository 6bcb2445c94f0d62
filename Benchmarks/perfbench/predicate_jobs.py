"""Predicates: evaluated in memory, read and printed, and as the SQL that they become."""

from .job import Contender, Job, peer
from .peers import PREDICATES
from .places import SCRIPTS


def make_predicate_jobs(bench):
    evaluations, texts = 200_000, 40_000

    def memory(name, what, count, goal=None):
        return peer("predicates", name, [PREDICATES, what, count], goal)

    def same_sql(name, query, goal):
        return Contender(name, [bench.host, "query", bench.store, f"SELECT count(*) FROM quake WHERE {query}"], goal)

    return [
        Job(
            "predicates",
            f"three clauses over {evaluations:,} objects in memory, five times",
            [
                memory("Perilune", "ours", evaluations),
                memory("Foundation #Predicate", "foundation", evaluations, 0.1),
            ],
        ),
        Job("parse", f"read {texts:,} predicates", [memory("Perilune", "parse", texts)], limit=texts * 100e-6),
        Job("format", f"print {texts:,} predicates", [memory("Perilune", "format", texts)], limit=texts * 50e-6),
        Job(
            "sql",
            "count with a range, a prefix and OR, five times",
            [
                bench.own(bench.store, SCRIPTS / "predicate.lua", "range"),
                same_sql(
                    "SQL by hand",
                    "(magnitude >= 2 AND depth < 70) OR (place >= '10km' AND place < '10kn')",
                    1.05,
                ),
            ],
        ),
        Job(
            "prefix",
            "count by a prefix of an indexed text, five times",
            [
                bench.own(bench.store, SCRIPTS / "predicate.lua", "prefix"),
                same_sql("a scan of all rows", "+code >= 'us00' AND +code < 'us01'", 0.2),
            ],
        ),
        Job(
            "equal",
            "find by an indexed text, five times",
            [
                bench.own(bench.store, SCRIPTS / "predicate.lua", "equal"),
                same_sql("a scan of all rows", "+code = 'us9e3779b1'", 0.2),
            ],
        ),
    ]
