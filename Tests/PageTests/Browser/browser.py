"""Drives Chromium through pages of perilune: browser.py PERILUNE STORE FOLDER

Each check is a line of output, "ok NAME" or "failed NAME: WHY"; the test that runs it expects all of them to be ok. Screenshots go
into FOLDER.
"""
import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request


class Browser:
    """Chromium without a window, by the protocol of WebDriver."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        quiet = subprocess.DEVNULL
        # A group of its own, so that no process of the browser outlives the script.
        command = ["chromedriver", f"--port={port}"]
        self.folder = tempfile.TemporaryDirectory(prefix="b", ignore_cleanup_errors=True)
        surroundings = dict(os.environ, TMPDIR=self.folder.name)
        self.process = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True, env=surroundings)
        self.base = f"http://127.0.0.1:{port}"
        wait(lambda: self.call("GET", "/status"))
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,800"]
        wanted = {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.base += "/session/" + made["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        return json.load(urllib.request.urlopen(request, timeout=60))["value"]

    def go(self, address):
        self.call("POST", "/url", {"url": address})

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def type(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def command(self, name, **values):
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": values})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def problems(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            # What was killed may still be writing.
            for _ in range(50):
                self.folder.cleanup()
                if not os.path.exists(self.folder.name):
                    break
                time.sleep(0.1)


class Link:
    """A proxy between the browser and a server. While it sleeps it holds what comes; when it wakes, all connections are cut."""

    def __init__(self, port):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        # The server knows itself by its own port.
        self.names = [f"127.0.0.1:{number}".encode() for number in (self.port, port)]
        self.server = ("127.0.0.1", port)
        self.awake = threading.Event()
        self.awake.set()
        self.connections = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                pair = self.listener.accept()[0], socket.create_connection(self.server)
                self.connections.append(pair)
                for ends in (pair, pair[::-1]):
                    threading.Thread(target=self.forward, args=ends, daemon=True).start()
        except OSError:
            pass

    def forward(self, source, target):
        try:
            while data := source.recv(1 << 16):
                self.awake.wait()
                target.sendall(data.replace(*self.names))
        except OSError:
            pass
        self.cut(source, target)

    def cut(self, *ends):
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def sleep(self):
        self.awake.clear()

    def wake(self):
        pairs, self.connections = self.connections, []
        for pair in pairs:
            self.cut(*pair)
        self.awake.set()

    def close(self):
        self.cut(self.listener)
        self.wake()


def wait(question, seconds=60):
    """The first true answer to a question."""
    end = time.monotonic() + seconds
    answer = None
    while time.monotonic() < end:
        try:
            answer = question()
            if answer:
                return answer
        except OSError:
            pass
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s; the last answer was {answer!r}")


ESCAPE, DELETE = "\ue00c", "\ue017"
ENTER, TAB, DOWN, END, BACKSPACE = "\ue007", "\ue004", "\ue015", "\ue010", "\ue003"
COUNT = "return document.getElementById('count').textContent"
FIRST = "return document.querySelector('#rows tbody').rows[0].cells[0].textContent"
HERE = "return document.querySelector('td.here')?.textContent"
BAR = "return document.querySelector('#changes a').textContent"
FIELD = "return document.activeElement?.name === 'value' && document.activeElement.closest('.editor') !== null"


class Checks:
    def __init__(self, program, store, folder):
        self.program, self.store, self.folder = program, store, folder
        examples = os.path.join(os.path.dirname(__file__), "../../../Examples")
        self.notebook = shutil.copytree(f"{examples}/notebook", f"{folder}/notebook")
        command = [program, "serve", "--write", "--notebook", self.notebook, store]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.server.stdout.readline().strip()
        self.home = self.url.split("?")[0]
        self.browser = Browser()

    def commit(self, lua):
        subprocess.run([self.program, "-q", self.store, "-e", lua], check=True, stdout=subprocess.DEVNULL)

    def the_token_leaves_the_address(self):
        self.browser.go(self.url)
        wait(lambda: self.browser.run("return location.href") == self.home)
        wait(lambda: "Quake" in self.browser.run("return document.body.textContent"))

    def the_numbers_of_objects_follow_other_programs(self):
        self.browser.go(self.home)
        number = "return document.querySelector('[data-key=Report] .number').textContent"
        before = int(self.browser.run(number).replace(",", ""))
        self.commit("Report:sorted('-text'):first():delete() save()")
        wait(lambda: int(self.browser.run(number).replace(",", "")) == before - 1)

    def any_row_is_scrolled_to(self):
        self.browser.go(self.home + "Quake")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.run("const e = document.getElementById('rows'); e.scrollTop = e.scrollHeight")
        wait(lambda: self.browser.run("return [...document.querySelectorAll('#rows tbody tr')].pop().cells[0].textContent") == "4000")

    def keys_move_sort_and_open(self):
        self.browser.go(self.home + "Quake?where=magnitude+%3E+3")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.type(DOWN, DOWN)
        assert wait(lambda: self.browser.run(HERE))
        self.browser.type(END)
        wait(lambda: self.browser.run("return document.querySelector('tr.here')?.cells[0].textContent") == "1652")
        self.browser.type("l", "s")
        wait(lambda: "sort=magnitude" in self.browser.run("return location.search"))
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.type(DOWN)
        wait(lambda: self.browser.run(HERE))
        self.browser.type(ENTER)
        wait(lambda: "key=" in self.browser.run("return location.search"))
        self.browser.type(BACKSPACE)
        wait(lambda: "sort=magnitude" in self.browser.run("return location.search"))

    def sections_are_made_folded_and_opened_by_keys(self):
        self.browser.go(self.home + "Quake?where=magnitude+%3E+3&column=code&column=status")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.type(DOWN, "l", "S")
        wait(lambda: "sections=status" in self.browser.run("return location.search"))
        rows = "return [...document.querySelectorAll('#rows tbody tr')].map((row) => row.cells[1].textContent)"
        headings = wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null") and self.browser.run(rows))
        assert len(headings) == 2 and headings[0].startswith("automatic"), headings
        self.browser.type(DOWN, ENTER)
        wait(lambda: "opened=" in self.browser.run("return location.search"))
        wait(lambda: len(self.browser.run(rows)) > 5)
        self.commit("q = Quake:where('magnitude > 3 AND status == \"automatic\"'):first() q.status = 'reviewed' save()")
        wait(lambda: self.browser.run(rows)[0] != headings[0])

    def a_predicate_is_completed_and_asked(self):
        self.browser.go(self.home + "Quake")
        wait(lambda: self.browser.run("return document.getElementById('completions') !== null"))
        self.browser.type("w", *"magn")
        wait(lambda: self.browser.run("return document.querySelector('.menu li')?.textContent.startsWith('magnitude')"))
        self.browser.type(TAB, *" > 7")
        wait(lambda: "yes" in self.browser.run("return document.getElementById('mistakes').textContent"))
        self.browser.type(ENTER)
        wait(lambda: "where=" in self.browser.run("return location.search"))
        wait(lambda: self.browser.run(COUNT) == "3 Quake")

    def anything_is_found_by_its_name(self):
        self.browser.go(self.home + "Quake")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.type("/", *"us2433")
        wait(lambda: self.browser.run("return document.querySelector('#found li')?.textContent.startsWith('us2433')"))
        self.browser.type(DOWN, ENTER)
        wait(lambda: "us2433" in (self.browser.run("return document.querySelector('h1')?.textContent") or ""))

    def a_mistake_is_underlined(self):
        self.browser.go(self.home + "Quake?where=magnitud+%3E+7")
        assert self.browser.run("return document.querySelector('mark').textContent") == "magnitud"

    def a_commit_of_another_program_is_shown(self):
        self.browser.go(self.home + "Quake?where=magnitude+%3E+7&sort=-magnitude&facet=status")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.type(DOWN, "l", "l")
        place = wait(lambda: self.browser.run(HERE))
        top = "return Math.round(document.querySelector('tr.here').getBoundingClientRect().top)"
        before = self.browser.run("return document.querySelector('tr.here').dataset.key")
        self.commit("Quake { code = 'new', magnitude = 9, place = 'sea', time = Date '2024-01-01', latitude = 0, longitude = 0 } save()")
        wait(lambda: self.browser.run(COUNT) == "4 Quake")
        assert self.browser.run("return document.querySelector('tr.here').dataset.key") == before, place
        assert self.browser.run(top) > 0
        self.commit("q = Quake:find 'us2433' q.place = 'elsewhere' save()")
        wait(lambda: self.browser.run("return document.querySelector('td.changed')?.textContent") == "elsewhere")

    def open_cell(self, code):
        """The place of an earthquake, with the cursor on it."""
        self.browser.go(self.home + f"Quake?where=code+%3D%3D+'{code}'&column=code&column=place")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.type(DOWN, "l")
        wait(lambda: self.browser.run(HERE))

    def edit(self, text):
        self.browser.type("e")
        wait(lambda: self.browser.run(FIELD))
        self.browser.type(*text)

    def press(self, action, scope="#changes"):
        self.browser.run(f"document.querySelector('{scope} form[action=\"/-/{action}\"] button').click()")

    def a_cell_is_edited_saved_and_undone(self):
        self.open_cell("us351")
        before = self.browser.run(HERE)
        self.edit("not this")
        self.browser.type(ESCAPE)
        wait(lambda: not self.browser.run("return document.querySelector('.editor') !== null"))
        assert self.browser.run(HERE) == before
        self.edit("typed here")
        self.browser.type(ENTER)
        wait(lambda: self.browser.run(HERE) == "typed here")
        wait(lambda: self.browser.run(BAR) == "1 change")
        self.press("save")
        wait(lambda: self.browser.run(BAR) == "no changes")
        self.browser.type("u")
        wait(lambda: self.browser.run(HERE) == before)
        wait(lambda: self.browser.run(BAR) == "1 change")
        self.browser.type("U")
        wait(lambda: self.browser.run(HERE) == "typed here")
        wait(lambda: self.browser.run(BAR) == "no changes")

    def a_mistake_stands_at_its_field(self):
        self.browser.go(self.home + "Quake?where=code+%3D%3D+'us351'&column=code&column=magnitude")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.type(DOWN, "l")
        self.edit("much")
        self.browser.type(ENTER)
        wait(lambda: "expected Double" in (self.browser.run("return document.querySelector('.editor .mistake')?.textContent") or ""))
        assert self.browser.run("return document.activeElement.value") == "much"
        self.browser.type(ESCAPE)

    def a_cell_that_is_edited_is_not_overwritten(self):
        self.open_cell("us2433")
        self.edit("mine")
        self.commit("q = Quake:find 'us2433' q.place = 'theirs' save()")
        wait(lambda: self.browser.run("return document.querySelector('.editor .conflict')?.textContent.includes('theirs')"))
        assert self.browser.run("return document.querySelector('.editor [name=value]').value") == "mine"
        self.browser.screenshot(f"{self.folder}/page-conflict.png")
        self.browser.type(ENTER)
        wait(lambda: self.browser.run(HERE) == "mine")
        self.commit("q = Quake:find 'us2433' q.place = 'theirs again' save()")
        self.press("save")
        wait(lambda: self.browser.run("return document.querySelector('table.conflict')?.textContent.includes('theirs again')"))
        self.browser.screenshot(f"{self.folder}/page-save-conflict.png")
        self.browser.run("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Take theirs').click()")
        wait(lambda: "No unsaved" in (self.browser.run("return document.querySelector('h1')?.textContent") or ""))

    def rows_are_pasted_into_the_table(self):
        self.browser.go(self.home + "Quake?where=code+BEGINSWITH+'us1'&column=code&column=place")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        self.browser.run(
            "const data = new DataTransfer(); data.setData('text/plain', 'us10\\tPasted here\\nus11\\tAnd here');"
            "document.getElementById('rows').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))")
        wait(lambda: "2 to update" in self.browser.run("return document.querySelector('form.paste [role=status]')?.textContent ?? ''"))
        self.browser.screenshot(f"{self.folder}/page-paste.png")
        self.browser.run("document.querySelector('form.paste [name=apply]').click()")
        wait(lambda: "2 unsaved changes" in (self.browser.run("return document.querySelector('h1')?.textContent") or ""))
        self.browser.type("u")
        wait(lambda: self.browser.run(BAR) == "no changes")

    def two_tabs_show_the_same(self):
        self.open_cell("us351")
        first = self.browser.call("GET", "/window")
        second = self.browser.call("POST", "/window/new", {"type": "tab"})["handle"]
        self.browser.call("POST", "/window", {"handle": second})
        self.open_cell("us351")
        self.edit("from the second tab")
        self.browser.type(ENTER)
        wait(lambda: self.browser.run(BAR) == "1 change")
        self.browser.call("POST", "/window", {"handle": first})
        wait(lambda: self.browser.run(HERE) == "from the second tab")
        wait(lambda: self.browser.run(BAR) == "1 change")
        self.browser.type("u")
        wait(lambda: self.browser.run(BAR) == "no changes")
        self.browser.call("POST", "/window", {"handle": second})
        self.browser.call("DELETE", "/window")
        self.browser.call("POST", "/window", {"handle": first})

    def a_page_that_slept_has_missed_nothing(self):
        self.nothing_is_blocked_or_fails()
        link = Link(int(self.home.rstrip("/").rsplit(":")[-1]))
        place = "return [...document.querySelectorAll('#rows tbody tr')].map((row) => row.cells[2].textContent)"
        try:
            self.browser.go(f"http://127.0.0.1:{link.port}/Quake?where=magnitude+%3E+6.3&column=code&column=place")
            wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
            # What is committed comes by events.
            self.commit("q = Quake:where('magnitude > 6.3'):first() q.place = 'before' save()")
            wait(lambda: "before" in self.browser.run(place))
            count = len(self.browser.run(place))
            link.sleep()
            self.commit("q = Quake:where('place == \"before\"'):first() q.place = 'asleep' save()")
            self.commit("for q in Quake:where('magnitude > 6.3 AND place != \"asleep\"'):limit(2):each() do q.magnitude = 1 end save()")
            made = "time = Date '2024-01-01', latitude = 0, longitude = 0"
            self.commit(f"for i = 1, 3 do Quake {{ code = 'p{link.port}.' .. i, magnitude = 6.9, place = 'new' .. i, {made} }} end save()")
            link.wake()
            wait(lambda: self.browser.run("return document.getElementById('link').textContent") == "")
            wait(lambda: self.browser.run(COUNT) == f"{count + 1} Quake")
            wait(lambda: {"asleep", "new1", "new2", "new3"} <= set(self.browser.run(place)) and len(self.browser.run(place)) == count + 1)
            rows = self.browser.run("return [...document.querySelectorAll('#rows tbody tr')].map((row) => row.dataset.key)")
            assert len(rows) == len(set(rows)) == count + 1, (count, rows)
            self.commit(f"q = Quake:find 'p{link.port}.1' q.place = 'awake' save()")
            wait(lambda: "awake" in self.browser.run(place))
            self.commit(f"for i = 1, 3 do Quake:find('p{link.port}.' .. i):delete() end save()")
        finally:
            link.close()
            # A connection that was cut is no problem of the page.
            self.browser.problems()

    def forms_work_without_scripts(self):
        self.browser.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.go(self.home + "-/edit?entity=Quake&key=7&property=place")
            field = self.find("[name=value]")
            self.browser.call("POST", f"/element/{field}/clear", {})
            self.browser.call("POST", f"/element/{field}/value", {"text": "by a form"})
            self.click("form.edit button")
            wait(lambda: self.browser.call("GET", "/url").endswith("/Quake?key=7"))
            self.click("#changes form[action='/-/save'] button")
            wait(lambda: self.browser.call("GET", "/url").endswith("/-/changes"))
            assert "No unsaved" in self.browser.call("GET", "/source")
        finally:
            self.browser.command("Emulation.setScriptExecutionDisabled", value=False)

    def a_link_shows_the_card_of_its_object(self):
        self.browser.go(self.home + "Report")
        wait(lambda: self.browser.run("return document.querySelector('.scrolls') !== null"))
        link = "document.querySelector('#rows a.toone')"
        name = self.browser.run(f"return {link}.textContent")
        self.move_over(
            link, lambda: (self.browser.run("return document.querySelector('.card h2')?.textContent") or "").endswith(name))
        self.move_over(
            "document.querySelector('h1, header')", lambda: self.browser.run("return document.querySelector('.card') === null"))

    def run_until(self, script, question):
        """Runs a script until a question is true: the page may not listen yet, or rows are drawn again."""

        def done():
            self.browser.run(script)
            try:
                return wait(question, 2)
            except AssertionError:
                return False

        wait(done)

    def move_over(self, element, question):
        """Moves the pointer over an element until a question is true."""
        self.run_until(f"{element}.dispatchEvent(new MouseEvent('mouseover', {{ bubbles: true }}))", question)

    def plots_are_drawn_again_when_rows_change(self):
        self.browser.go(self.home + "Quake?where=magnitude+%3E+3&facet=magnitude&plot=magnitude")
        picture = "document.querySelector('#plots img')"
        wait(lambda: self.browser.run(f"return {picture}.complete && {picture}.naturalWidth > 0"))
        before = self.browser.run(f"return {picture}.src")
        self.commit("q = Quake:find 'us351' q.magnitude = 7.3 save()")
        wait(lambda: self.browser.run(f"return {picture}.src") != before)
        wait(lambda: self.browser.run(f"return {picture}.complete && {picture}.naturalWidth > 0"))

    def find(self, selector):
        found = self.browser.call("POST", "/element", {"using": "css selector", "value": selector})
        return next(iter(found.values()))

    def click(self, selector):
        self.browser.call("POST", f"/element/{self.find(selector)}/click", {})

    def pages_work_without_scripts(self):
        self.browser.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.go(self.home + "Quake")
            element = self.browser.call("POST", "/element", {"using": "link text", "value": "next ›"})
            self.browser.call("POST", f"/element/{next(iter(element.values()))}/click", {})
            wait(lambda: self.browser.call("GET", "/url").endswith("/Quake?row=51"))
            field = self.browser.call("POST", "/element", {"using": "css selector", "value": "#where"})
            self.browser.call("POST", f"/element/{next(iter(field.values()))}/value", {"text": "magnitude > 7\n"})
            wait(lambda: "where=magnitude" in self.browser.call("GET", "/url"))
        finally:
            self.browser.command("Emulation.setScriptExecutionDisabled", value=False)

    def a_phone_scrolls_no_page_sideways(self):
        self.browser.command("Emulation.setDeviceMetricsOverride", width=390, height=780, deviceScaleFactor=1, mobile=True)
        for path in ["", "Quake?facet=status", "Quake?key=5"]:
            self.browser.go(self.home + path)
            width = self.browser.run("return document.documentElement.scrollWidth")
            assert width <= 390, f"{path} is {width} pixels wide"
        self.browser.go(self.home + "-/add?entity=Quake")
        edges = "return [...document.querySelectorAll('form.add :is(input:not([type=hidden]), select)')].map((i) => i.getBoundingClientRect().right)"
        assert max(self.browser.run(edges)) <= 390
        self.browser.command("Emulation.clearDeviceMetricsOverride")

    def fields_have_names_and_texts_have_contrast(self):
        self.browser.go(self.home + "Quake?where=depth+%3C+900&facet=status")
        for scheme in ["light", "dark"]:
            self.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            faint = self.browser.run(CONTRAST)
            assert not faint, f"{scheme}: {faint}"
            self.browser.screenshot(f"{self.folder}/page-{scheme}.png")
        unnamed = self.browser.run(
            "return [...document.querySelectorAll('input:not([type=hidden])')]"
            ".filter((i) => !i.labels.length && !i.getAttribute('aria-label')).map((i) => i.outerHTML)")
        assert not unnamed, unnamed

    def a_script_is_an_application(self):
        script = os.path.join(os.path.dirname(__file__), "../../../Examples/board.lua")
        board = subprocess.Popen([self.program, self.store, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.browser.go(board.stdout.readline().strip())
            text = "return document.querySelector('main p')?.textContent ?? ''"
            first = wait(lambda: "of" in self.browser.run(text) and self.browser.run(text))
            self.run_until(
                "const place = document.querySelector('[data-input^=\"TextField place\"] [name=value]');"
                "place.value = 'japan'; place.dispatchEvent(new Event('change', { bubbles: true }))",
                lambda: self.browser.run(text) not in ("", first))
            pictures = "return [...document.querySelectorAll('figure img')].filter((p) => p.complete && p.naturalWidth > 0).length"
            wait(lambda: self.browser.run(pictures) == 2)
            self.browser.screenshot(f"{self.folder}/page-board.png")
            self.run_until(
                "document.querySelector('[data-input^=Button] button').click()", lambda: self.browser.run(text) == first)
            self.commit("q = Quake:where('magnitude > 4'):first() q.magnitude = 3 save()")
            wait(lambda: self.browser.run(text) != first)
        finally:
            board.send_signal(signal.SIGINT)
            assert board.wait(60) == 0

    def a_notebook_runs_again_when_its_file_is_saved(self):
        self.browser.go(self.home)
        self.click("a[href='/-/page?page=strongest.lua']")
        text = "return document.querySelector('main')?.textContent ?? ''"
        wait(lambda: "magnitude of 6" in self.browser.run(text))
        self.browser.screenshot(f"{self.folder}/page-notebook.png")
        with open(f"{self.notebook}/strongest.lua", "a") as file:
            file.write("print 'and one more line'\n")
        wait(lambda: "and one more line" in self.browser.run(text))

    def nothing_is_blocked_or_fails(self):
        problems = [text for text in self.browser.problems() if not any(status in text for status in ("422", "409"))]
        assert not problems, problems

    def the_end_is_said(self):
        self.browser.go(self.home + "Quake")
        time.sleep(0.5)
        self.server.send_signal(signal.SIGINT)
        assert self.server.wait(20) == 0
        wait(lambda: self.browser.run("return document.getElementById('link').textContent"))

    def close(self):
        self.server.kill()
        self.server.wait()
        self.browser.close()


CONTRAST = """
const number = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => {
  for (; element; element = element.parentElement) {
    const colour = number(getComputedStyle(element).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
return [...document.querySelectorAll("a, td, th, p, span, strong, code, label, button, h1, h2")].filter((element) => {
  if (!element.textContent.trim() || !element.checkVisibility() || element.classList.contains("off")) return false;
  const [a, b] = [light(number(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05) < 4.5;
}).map((element) => element.outerHTML.slice(0, 80)).slice(0, 5);
"""


HELPERS = ("__init__", "close", "commit", "open_cell", "edit", "press", "find", "click", "run_until", "move_over")


def main():
    # The program and the browser end by signals, which those who started this script may have blocked.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    checks = Checks(*sys.argv[1:4])
    names = [name for name, value in vars(Checks).items() if callable(value) and name not in HELPERS]
    try:
        for name in names:
            # A browser on a loaded machine may miss a key: what fails is tried once more.
            for is_last in [False, True]:
                try:
                    getattr(checks, name)()
                    print("ok", name, flush=True)
                    break
                except Exception as error:
                    if is_last:
                        print(f"failed {name}: {type(error).__name__} {error}", flush=True)
    finally:
        checks.close()


main()
