#!/usr/bin/env python3
"""Says which parts of the layers the tests run: regions, which are the compiler's pieces between branches, and lines.

Swift's compiler writes down no branches.
"""

import argparse
import json
import os
import subprocess
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAYERS = [
    "Modeling", "Queries", "SQLite", "Postgres", "Layouts", "Stores", "RelationalStorage", "Records", "SQLiteStorage",
    "PostgresStorage", "Transfer", "ObjectGraph", "Reactive", "LiveQueries"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", help="show what is not run in these files, or in files below these folders")
    parser.add_argument("--binary", required=True, help="the tests")
    parser.add_argument("--profile", required=True, help="what they have counted")
    arguments = parser.parse_args()
    if arguments.files:
        show(arguments)
    else:
        summarize(arguments)


def export(arguments, *more):
    done = subprocess.run(
        [os.environ.get("LLVM_COV", "llvm-cov"), "export", arguments.binary, "-instr-profile", arguments.profile, *more],
        capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["data"][0]["files"]


def summarize(arguments):
    totals = defaultdict(lambda: defaultdict(int))
    for file in export(arguments, "-summary-only"):
        path = Path(file["filename"])
        if not path.is_relative_to(ROOT / "Sources"):
            continue
        layer = path.relative_to(ROOT / "Sources").parts[0]
        for kind in ("regions", "lines"):
            for part in ("count", "covered"):
                totals[layer][kind, part] += file["summary"][kind][part]
    print(f"{'layer':16} {'regions':>8} {'run':>7}   {'lines':>7} {'run':>7}")
    for layer in LAYERS:
        if layer in totals:
            line = [f"{layer:16}"]
            for kind, width in (("regions", 8), ("lines", 9)):
                count, covered = totals[layer][kind, "count"], totals[layer][kind, "covered"]
                line.append(f"{count:{width}} {covered / count:7.1%}")
            print(" ".join(line))


def show(arguments):
    """The regions that no test runs, each with its first line."""
    wanted = [(ROOT / name).resolve() for name in arguments.files]
    for file in export(arguments):
        path = Path(file["filename"])
        if not any(path == one or path.is_relative_to(one) for one in wanted):
            continue
        lines = path.read_text().splitlines()
        for row, column, count, has_count, is_entry, *_ in file["segments"]:
            if has_count and is_entry and count == 0 and row <= len(lines):
                text = lines[row - 1][column - 1 :].strip() or lines[row - 1].strip()
                print(f"{path.relative_to(ROOT)}:{row}:{column}: {text}")


if __name__ == "__main__":
    main()
