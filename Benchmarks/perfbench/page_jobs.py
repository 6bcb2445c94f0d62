"""Pages of a store in the browser: what the server takes for them, without a browser.

Each run serves a copy of the earthquakes that keeps a history, asks for pages as a browser does, and has another process change it.
"""

import html
import http.client
import random
import re
import socket
import sqlite3
import subprocess
import time

from .job import Contender, Failure, Job, Measure
from .live_jobs import KEEPS_HISTORY, LiveContenders
from .peers import PYTHON
from .places import OUTPUT

PASTED = "code,magnitude,place\n" + "".join(f"new{n},{n % 9}.5,Lata\n" for n in range(10_000))
PLACES = 50


class Site:
    """A server that is under way, asked over one connection."""

    def __init__(self, command, port=None):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        path = "/"
        if port is None:
            address = re.search(r"http://127\.0\.0\.1:(\d+)(\S*)", self.process.stdout.readline())
            if not address:
                raise Failure("did not say where it serves")
            port, path = int(address[1]), address[2]
        self.port, self.headers = port, {"Origin": f"http://127.0.0.1:{port}"}
        self.wait()
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        cookie = self.send("GET", path)[1].getheader("Set-Cookie")
        if cookie:
            self.headers["Cookie"] = cookie.split(";")[0]

    def wait(self):
        """Waits until the server listens."""
        for _ in range(1_000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                raise Failure("ended before it served")
            time.sleep(0.02)
        raise Failure("does not serve")

    def send(self, method, path, body=None, **headers):
        """The seconds of an exchange, the response and its text."""
        begun = time.perf_counter()
        self.connection.request(method, path, body, {**self.headers, **headers})
        response = self.connection.getresponse()
        text = response.read().decode()
        seconds = time.perf_counter() - begun
        if response.status >= 400:
            raise Failure(f"{path} has the status {response.status}")
        return seconds, response, text

    def seconds(self, path):
        return self.send("GET", path)[0]

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def commit(key):
    """Changes a row as another process, and returns when that was done."""
    with sqlite3.connect(OUTPUT, timeout=60) as db:
        db.execute("UPDATE quake SET magnitude = 9.25 - magnitude WHERE _pk = ?", (key,))
    db.close()
    return time.perf_counter()


def paste(site):
    """The time of a preview of 10,000 rows."""
    form = re.search(r'<form[^>]*action="/-/paste".*?</form>', site.send("GET", "/-/paste?entity=Quake")[2], re.S)[0]
    fields = {html.unescape(m[1]): html.unescape(m[2]) for m in re.finditer(r'name="([^"]*)"[^>]*value="([^"]*)"', form)}
    fields["text"] = PASTED
    mark = "--rows--"
    body = "".join(f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in fields.items())
    kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
    return site.send("POST", "/-/paste", (body + f"--{mark}--\r\n").encode(), **kind)[0]


def seen(site, key):
    """The time from another process's commit to the event that has pages read their rows again."""
    stream = http.client.HTTPConnection("127.0.0.1", site.port)
    stream.request("GET", "/-/events", headers=site.headers)
    events = stream.getresponse()
    time.sleep(0.5)
    done = commit(key)
    while not events.fp.readline().startswith(b"event: rows"):
        pass
    seconds = time.perf_counter() - done
    stream.close()
    return max(0, seconds)


def own(rows):
    """What the pages of Perilune take."""

    def play(contender):
        site = Site(contender.command)
        try:
            first = site.seconds("/Quake")
            places = [random.randint(1, rows) for _ in range(PLACES)]
            window = sum(site.seconds(f"/Quake?row={place}") for place in places) / PLACES
            facets = site.seconds("/Quake?facet=day")
            commit(rows // 2)
            seen_after = seen(site, rows // 3)
            refreshed = site.seconds("/Quake?facet=day")
            names = site.seconds("/-/names?entity=Station&name=Q+station+1")
            return {
                "seconds": first, "window": window, "facets": facets, "refreshed": refreshed, "seen": seen_after,
                "names": names, "pasted": paste(site),
            }
        finally:
            site.close()

    return play


def other(port, first, window=None, facets=None):
    """What the pages of another program take that can do the same."""

    def play(contender):
        site = Site(contender.command, port)
        try:
            sample = {"seconds": site.seconds(first)}
            if window:
                sample["window"] = sum(site.seconds(window()) for _ in range(PLACES)) / PLACES
            if facets:
                sample["facets"] = site.seconds(facets)
            return sample
        finally:
            site.close()

    return play


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_page_jobs(bench):
    live = LiveContenders(bench, bench.rows)
    prepare = live.copy(KEEPS_HISTORY)
    pages = bench.rows // 50
    datasette, sqlite_web = free_port(), free_port()
    return [
        Job(
            "page",
            f"pages of {bench.rows:,} objects: the first of a table",
            [
                Contender(
                    "Perilune", [bench.program, "serve", "--write", OUTPUT], prepare=prepare, play=own(bench.rows)),
                Contender(
                    "Datasette", [PYTHON, "-m", "datasette", "serve", OUTPUT, "--port", str(datasette)], 1, "datasette",
                    prepare=prepare,
                    play=other(datasette, f"/{OUTPUT.stem}/quake", facets=f"/{OUTPUT.stem}/quake?_facet=day")),
                Contender(
                    "sqlite-web", [PYTHON.parent / "sqlite_web", "-x", "-p", str(sqlite_web), OUTPUT], 1, "sqlite_web",
                    prepare=prepare,
                    play=other(
                        sqlite_web, "/quake/content/",
                        lambda: f"/quake/content/?page={random.randint(1, pages)}")),
            ],
            limit=0.1,
            agrees=False,
            more=(
                Measure("window", "any window", 0.016, {"sqlite-web": 1}),
                Measure("facets", "the values of a column", 0.2, {"Datasette": 1}),
                Measure("refreshed", "the same after commits", 0.005),
                Measure("seen", "another process's commit", 0.05),
                Measure("names", "names that begin with a text", 0.03),
                Measure("pasted", "the preview of 10,000 rows", 0.15),
            ),
        )
    ]
