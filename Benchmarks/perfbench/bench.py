"""What the jobs of one run share: the program that is measured, and its data."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .job import Contender
from .places import BUILD, DATA, HERE, OUTPUT, remove_output


def quakes(rows):
    """The store and the table of so many earthquakes."""
    return DATA / f"quakes-{rows}.sqlite", DATA / f"quakes-{rows}.csv"


def make_quakes(rows):
    store, table = quakes(rows)
    if not (store.exists() and table.exists()):
        subprocess.run([BUILD / "gen", str(rows), store, table], check=True)


class Bench:
    """The program, the data of so many rows, and contenders that work on them."""

    def __init__(self, rows):
        self.rows = rows
        self.changed = max(1, rows // 10)
        self.host = BUILD / "host"
        self.live = BUILD / "live"
        self.store, self.table = quakes(rows)
        self.program = Path(os.environ.get("PERILUNE", HERE.parent / ".build-release/release/perilune")).resolve()
        if not self.program.exists():
            sys.exit(f"There is no {self.program}; scripts/bench builds it, or name another by PERILUNE.")

    def make_data(self):
        BUILD.mkdir(exist_ok=True)
        DATA.mkdir(exist_ok=True)
        subprocess.run(["make", "--silent", "-C", HERE], check=True)
        make_quakes(self.rows)

    def copy_store(self):
        remove_output()
        shutil.copyfile(self.store, OUTPUT)

    def own(self, *arguments, **options):
        return Contender("Perilune", [self.program, *arguments], **options)
