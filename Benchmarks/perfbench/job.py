"""What is measured: a job, and who does it."""

import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Optional

from .peers import why_missing


class Failure(Exception):
    pass


@dataclass
class Contender:
    name: str
    command: list
    goal: Optional[float] = None  # Perilune's median may be this many times the contender's
    peer: Optional[str] = None  # what must be there for it, a name of peers.CHECKS
    output: Optional[Path] = None  # a file for standard output
    prepare: Callable[[], None] = lambda: None
    play: Optional[Callable] = None  # measures a run at a terminal, for programs that are typed at
    samples: list = field(default_factory=list)
    error: Optional[str] = None

    @property
    def missing(self):
        """Why it cannot be measured, or None."""
        return why_missing(self.peer) if self.peer else None

    def median(self, metric):
        values = [sample[metric] for sample in self.samples if metric in sample]
        return statistics.median(values) if values else None


@dataclass
class Measure:
    """One number of every run, and what it is held against."""

    metric: str = "seconds"
    label: str = ""  # what it is called below the job's own number
    limit: Optional[float] = None  # an absolute goal for Perilune
    goals: dict = field(default_factory=dict)  # Perilune's median may be so many times that of the contender named


@dataclass
class Job:
    name: str
    title: str
    contenders: list  # Perilune first
    metric: str = "seconds"
    limit: Optional[float] = None  # an absolute goal for the metric
    whole: bool = False  # the whole process is measured, not the part it marks
    terminal: bool = False  # standard output is a terminal
    agrees: bool = True  # whether all contenders must tell the same facts
    runs: int = 1  # times as many runs as the others
    verify: Callable[[], dict] = dict  # facts about what was written, equal for all contenders
    more: tuple = ()  # measures of the same runs

    @property
    def measures(self):
        goals = {contender.name: contender.goal for contender in self.contenders[1:]}
        return [Measure(self.metric, "", self.limit, goals), *self.more]


def peer(key, name, command, goal=None, **options):
    """A contender that is measured where it can be had."""
    return Contender(name, command, goal, peer=key, **options)
