"""What a script at the console of a program costs the program: its saves with and without one that never ends."""

import shutil

from .job import Job, Measure, peer
from .peers import CONSOLE_HOST
from .places import DATA

FOLDER = DATA / "console"
SCRIPTS = {
    "console-loop": ("computes", "while true do end"),
    "console-read": ("reads", "while true do Order:where('number > 10'):limit(100):fetch() end"),
}


def empty_folder():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)


def make_console_jobs(bench):
    def saves(name, *script, goal=None):
        return peer("console_host", name, [CONSOLE_HOST, FOLDER, *script], goal, prepare=empty_folder)

    return [
        Job(
            name, f"the slowest hundredth of a program's saves while a script {what} without end",
            [saves("beside it", bench.program, script), saves("alone", goal=1.1)], metric="p99", agrees=False,
            more=(Measure("p50", "the median", goals={"alone": 1.1}),))
        for name, (what, script) in SCRIPTS.items()
    ]
