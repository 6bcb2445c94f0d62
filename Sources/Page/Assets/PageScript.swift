/// The script of pages: it adds to what works without it.
enum PageScript {
  static let text = #"""
    // Rows that scroll and follow the store, keys, and completion. Without this script the page has links and forms.

    const byID = (id) => document.getElementById(id);

    // MARK: Events. One tab of the browser holds the stream, and passes on what comes.

    const channel = new BroadcastChannel("perilune");
    const listeners = new Set();
    const tell = (message) => { for (const listener of listeners) listener(message); };
    channel.onmessage = (event) => tell(event.data);
    const publish = (message) => { channel.postMessage(message); tell(message); };

    function openStream() {
      return new Promise(() => {
        const stream = new EventSource("/-/events");
        stream.addEventListener("rows", (event) => publish({ kind: "rows", ...JSON.parse(event.data) }));
        stream.addEventListener("changes", () => publish({ kind: "changes" }));
        stream.addEventListener("end", () => { stream.close(); publish({ kind: "end" }); });
        // What happened while there was no stream is read by reading again.
        stream.onopen = () => publish({ kind: "open" });
        stream.onerror = () => publish({ kind: "lost" });
      });
    }
    navigator.locks.request("perilune-events", openStream);

    listeners.add(({ kind }) => {
      const link = byID("link");
      if (!link) return;
      const words = { end: "perilune has ended", lost: "not connected", open: "" };
      if (kind in words) { link.textContent = words[kind]; link.classList.toggle("off", kind !== "open"); }
    });

    async function load(address) {
      const response = await fetch(address);
      if (!response.ok) throw new Error(response.statusText);
      return new DOMParser().parseFromString(await response.text(), "text/html");
    }

    // MARK: Rows

    class Rows {
      constructor(element) {
        this.element = element;
        this.table = element.querySelector("table");
        this.body = this.table.tBodies[0];
        this.list = element.dataset.list;
        this.count = Number(this.body.dataset.count);
        this.first = Number(this.body.dataset.first);
        this.rowHeight = this.body.rows[0]?.offsetHeight || 28;
        this.cursor = { key: null, index: -1, column: 1 };
        this.seen = new Map();
        this.isLoading = false;
        this.makeRoom();
        this.note(this.body);
        element.addEventListener("scroll", () => this.request());
        element.addEventListener("keydown", (event) => this.key(event));
        element.addEventListener("click", (event) => this.click(event));
        element.addEventListener("dblclick", (event) => { if (!event.target.closest("a")) { this.click(event); this.edit(); } });
        listeners.add((message) => {
          if (message.kind === "rows" && String(message.list) === this.list) this.follow();
          if (message.kind === "open") this.follow();
        });
        document.addEventListener("visibilitychange", () => { if (!document.hidden && this.isStale) this.follow(); });
        const start = this.first;
        if (start > 0) this.element.scrollTop = this.top(start);
      }

      get visible() { return Math.max(1, Math.floor((this.element.clientHeight - this.head) / this.rowHeight)); }
      get head() { return this.table.tHead.offsetHeight; }

      // Browsers cut elements at some 17 million pixels: beyond 16 million a pixel stands for several rows.
      makeRoom() {
        this.element.classList.add("scrolls");
        document.querySelector(".pager")?.setAttribute("hidden", "");
        this.room = document.createElement("div");
        this.room.className = "room";
        this.element.append(this.room);
        this.sizeRoom();
      }
      sizeRoom() {
        const whole = this.count * this.rowHeight + this.head;
        this.room.style.height = Math.min(whole, 16000000) + "px";
        this.range = Math.max(1, Math.min(whole, 16000000) - this.element.clientHeight);
      }
      get last() { return Math.max(0, this.count - this.visible); }
      top(index) { return Math.round(Math.min(index, this.last) / Math.max(1, this.last) * this.range); }
      get wanted() { return Math.round(this.element.scrollTop / this.range * this.last); }

      request() {
        if (this.isLoading) { this.isWanted = true; return; }
        const first = Math.min(this.wanted, this.last);
        if (first === this.first && !this.isStale && this.body.rows.length >= Math.min(this.visible, this.count)) return;
        this.fetch(first);
      }

      address(first) {
        const address = new URL(this.element.dataset.address, location);
        address.searchParams.set("row", first + 1);
        address.searchParams.set("rows", this.visible + 2);
        address.searchParams.set("part", "rows");
        if (this.anchor) { address.searchParams.set("anchor", this.anchor.key); address.searchParams.set("offset", this.anchor.offset); }
        return address;
      }

      async fetch(first) {
        this.isLoading = true;
        this.isStale = false;
        try {
          const page = await load(this.address(first));
          this.show(page.querySelector("tbody"));
        } catch { this.isStale = true; }
        this.anchor = null;
        this.isLoading = false;
        if (this.isWanted) { this.isWanted = false; this.request(); }
      }

      show(body) {
        const count = Number(body.dataset.count);
        this.first = Number(body.dataset.first);
        this.list = body.dataset.list;
        if (count !== this.count) {
          this.count = count;
          this.sizeRoom();
        }
        this.sayCount(Number(body.dataset.total));
        this.compare(body);
        this.body.replaceWith(body);
        this.body = body;
        const top = this.top(this.first);
        if (this.wanted !== this.first) this.element.scrollTop = top;
        this.mark();
        editor?.check();
      }

      sayCount(total) {
        const element = byID("count");
        if (element) element.textContent = total.toLocaleString("en-US") + " " + element.textContent.split(" ").pop();
      }

      // Rows change under their reader: cells with another text than before glow, and stay marked until the cursor is on them.
      compare(body) {
        for (const row of body.rows) {
          const old = this.seen.get(row.dataset.key);
          if (!old) continue;
          [...row.cells].slice(1).forEach((cell, place) => {
            if (old.texts[place] !== cell.textContent) { cell.classList.add("glow"); old.changed.add(place); }
            if (old.changed.has(place)) cell.classList.add("changed");
          });
        }
        this.note(body);
      }
      note(body) {
        const seen = new Map();
        for (const row of body.rows) {
          const changed = this.seen.get(row.dataset.key)?.changed ?? new Set();
          seen.set(row.dataset.key, { texts: [...row.cells].slice(1).map((cell) => cell.textContent), changed });
        }
        this.seen = seen;
      }

      // Reads the window again; the row of the cursor, or else the first, stays where it is.
      follow() {
        this.isStale = true;
        if (document.hidden) return;
        const place = this.cursor.key ? [...this.body.rows].findIndex((row) => row.dataset.key === this.cursor.key) : -1;
        if (place >= 0 && !this.row.classList.contains("section")) this.anchor = { key: this.cursor.key, offset: place };
        else if (this.first > 0) {
          const place = [...this.body.rows].findIndex((row) => !row.classList.contains("section"));
          if (place >= 0) this.anchor = { key: this.body.rows[place].dataset.key, offset: place };
        }
        this.request();
      }

      // MARK: Keys, which are those of `browse`

      mark() {
        for (const cell of this.element.querySelectorAll(".here")) cell.classList.remove("here");
        let row = [...this.body.rows].find((row) => row.dataset.key === this.cursor.key);
        if (!row && this.cursor.index >= 0) row = this.body.rows[this.cursor.index - this.first];
        if (!row) return;
        this.cursor.key = row.dataset.key;
        this.cursor.index = this.first + row.sectionRowIndex;
        row.classList.add("here");
        const cell = row.cells[this.cursor.column];
        cell?.classList.add("here");
        cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
        this.seen.get(row.dataset.key)?.changed.clear();
      }

      move(index) {
        index = Math.max(0, Math.min(index, this.count - 1));
        this.cursor = { key: null, index, column: this.cursor.column };
        const rows = this.visible;
        if (index < this.first) this.element.scrollTop = this.top(index);
        else if (index >= this.first + rows) this.element.scrollTop = this.top(index - rows + 1);
        if (this.body.rows[index - this.first]) { this.cursor.key = this.body.rows[index - this.first].dataset.key; this.mark(); }
        else this.request();
      }

      click(event) {
        const cell = event.target.closest("td");
        if (!cell || event.target.closest("a")) return;
        this.cursor = { key: cell.parentElement.dataset.key, index: -1, column: cell.cellIndex };
        this.mark();
      }

      key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const { index } = this.cursor;
        const width = this.table.tHead.rows[0].cells.length;
        const moves = { ArrowDown: index + 1, j: index + 1, ArrowUp: index - 1, k: index - 1, Home: 0, g: 0, End: this.count - 1,
          G: this.count - 1, PageDown: index + this.visible, PageUp: index - this.visible };
        if (event.key in moves) { event.preventDefault(); return this.move(moves[event.key]); }
        if (event.key === "ArrowRight" || event.key === "l") { this.cursor.column = Math.min(width - 1, this.cursor.column + 1); }
        else if (event.key === "ArrowLeft" || event.key === "h") { this.cursor.column = Math.max(1, this.cursor.column - 1); }
        else if (event.key === "Enter") return this.open();
        else if (event.key === " ") {
          event.preventDefault();
          const link = this.row?.cells[this.cursor.column]?.querySelector("a.toone");
          return card || !link ? hideCard() : showCard(link);
        } else if (event.key === "e" || event.key === "F2") { event.preventDefault(); return this.edit(); }
        else if (event.key === "x" || event.key === "Delete") { event.preventDefault(); return this.edit({ empty: "1", value: "" }); }
        else if (event.key === "s") return this.table.tHead.rows[0].cells[this.cursor.column]?.querySelector("a:not(.facet, .sections)")?.click();
        else if (event.key === "S") return this.table.tHead.rows[0].cells[this.cursor.column]?.querySelector("a.sections")?.click();
        else if (event.key === "v") return this.table.tHead.rows[0].cells[this.cursor.column]?.querySelector("a.facet")?.click();
        else return;
        event.preventDefault();
        this.mark();
      }

      get row() { return [...this.body.rows].find((row) => row.dataset.key === this.cursor.key); }

      // Edits the cell of the cursor in its place; `values` are sent at once.
      edit(values) {
        const { row } = this;
        if (!row || row.classList.contains("section") || !("edits" in this.element.dataset)) return;
        const object = new URL(row.cells[0].querySelector("a").href);
        const address = new URL("/-/edit" + object.search, location);
        address.searchParams.set("entity", decodeURIComponent(object.pathname.slice(1)));
        address.searchParams.set("property", this.table.tHead.rows[0].cells[this.cursor.column].dataset.column);
        const { key, column } = this.cursor;
        const place = () => [...this.body.rows].find((row) => row.dataset.key === key)?.cells[column];
        openEditor(address, place, () => this.element.focus(), values);
      }

      open() {
        const row = [...this.body.rows].find((row) => row.dataset.key === this.cursor.key);
        (row?.cells[this.cursor.column]?.querySelector("a") ?? row?.cells[0].querySelector("a"))?.click();
      }
    }

    // MARK: Facets, whose counts follow the store

    let facetTimer = null;
    function refreshFacets() {
      const facets = byID("facets");
      if (!facets || !facets.children.length || facetTimer) return;
      facetTimer = setTimeout(async () => {
        const address = new URL(location);
        address.searchParams.set("part", "facets");
        try { facets.replaceChildren(...(await load(address)).querySelector("#facets").children); } catch { /* the next change asks again */ }
        facetTimer = null;
      }, 50);
    }
    listeners.add(({ kind, list }) => {
      if (kind === "open" || (kind === "rows" && document.querySelector(`#facets [data-list="${list}"]`))) refreshFacets();
    });

    // Plots are pictures of the rows as they are.
    let plotCount = 0;
    listeners.add(({ kind, list }) => {
      if (kind !== "open" && (kind !== "rows" || String(list) !== byID("rows")?.dataset.list)) return;
      for (const picture of document.querySelectorAll("#plots img")) {
        const address = new URL(picture.src);
        address.searchParams.set("at", String(plotCount += 1));
        picture.src = address;
      }
    });

    // MARK: Cards of the objects that links lead to

    let card = null;
    let cardTimer = null;
    function hideCard() { clearTimeout(cardTimer); card?.remove(); card = null; }
    async function showCard(link) {
      hideCard();
      const address = new URL(link.href);
      address.searchParams.set("part", "card");
      try { card = (await load(address)).querySelector(".card"); } catch { return; }
      if (!link.isConnected) return;
      const box = link.getBoundingClientRect();
      document.body.append(card);
      card.style.left = Math.max(8, Math.min(box.left, innerWidth - card.offsetWidth - 8)) + scrollX + "px";
      const below = box.bottom + card.offsetHeight + 8 < innerHeight;
      card.style.top = (below ? box.bottom + 4 : Math.max(8, box.top - card.offsetHeight - 4)) + scrollY + "px";
    }
    document.addEventListener("mouseover", (event) => {
      const link = event.target.closest("a.toone");
      clearTimeout(cardTimer);
      if (link) cardTimer = setTimeout(() => showCard(link), 350);
      else if (card && !event.target.closest(".card")) hideCard();
    });
    document.addEventListener("scroll", hideCard, true);

    // MARK: The predicate

    class Ask {
      constructor(input) {
        this.input = input;
        this.form = input.form;
        this.menu = document.createElement("ul");
        this.menu.className = "menu";
        this.menu.id = "completions";
        this.menu.setAttribute("role", "listbox");
        this.menu.hidden = true;
        this.form.append(this.menu);
        input.setAttribute("role", "combobox");
        input.setAttribute("aria-controls", "completions");
        input.setAttribute("aria-expanded", "false");
        input.addEventListener("input", () => this.changed());
        input.addEventListener("keydown", (event) => this.key(event));
        input.addEventListener("blur", () => setTimeout(() => this.hide(), 150));
        this.menu.addEventListener("mousedown", (event) => {
          event.preventDefault();
          const item = event.target.closest("li");
          if (item) this.take([...this.menu.children].indexOf(item));
        });
        if (input.value) this.read();
      }

      get query() {
        const query = new URLSearchParams(new FormData(this.form));
        query.set("entity", this.input.dataset.entity);
        return query;
      }

      changed() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => { this.read(); this.complete(); }, 120);
      }

      async read() {
        const number = this.reading = (this.reading ?? 0) + 1;
        try {
          const page = await load("/-/reading?" + this.query);
          if (number === this.reading) byID("mistakes").replaceChildren(...page.body.childNodes);
        } catch { /* the rows say what is wrong */ }
      }

      async complete() {
        const number = this.completing = (this.completing ?? 0) + 1;
        const query = this.query;
        query.set("where", this.input.value.slice(0, this.input.selectionStart));
        const response = await fetch("/-/complete?" + query);
        if (!response.ok || number !== this.completing) return;
        const { start, candidates } = await response.json();
        Object.assign(this, { start, candidates, selected: -1 });
        this.menu.replaceChildren(...candidates.map(({ text, remark }) => {
          const item = document.createElement("li");
          item.setAttribute("role", "option");
          item.textContent = text;
          const note = document.createElement("small");
          note.textContent = remark;
          item.append(note);
          return item;
        }));
        this.menu.hidden = candidates.length === 0;
        this.input.setAttribute("aria-expanded", String(!this.menu.hidden));
      }

      hide() { this.menu.hidden = true; this.input.setAttribute("aria-expanded", "false"); }

      select(place) {
        this.selected = (place + this.candidates.length) % this.candidates.length;
        [...this.menu.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.selected)));
        this.menu.children[this.selected].scrollIntoView({ block: "nearest" });
      }

      take(place) {
        const { text } = this.candidates[place];
        const end = this.input.selectionStart;
        this.input.setRangeText(text, this.start, end, "end");
        this.input.focus();
        this.hide();
        this.changed();
      }

      key(event) {
        if (event.key === "Escape") return this.hide();
        if (event.key === "Tab" && this.menu.hidden && this.input.value && !event.shiftKey) { event.preventDefault(); return this.complete(); }
        if (this.menu.hidden) return;
        if (event.key === "ArrowDown") { event.preventDefault(); this.select(this.selected + 1); }
        else if (event.key === "ArrowUp") { event.preventDefault(); this.select(this.selected - 1); }
        else if (event.key === "Tab" && !event.shiftKey) { event.preventDefault(); this.take(Math.max(0, this.selected)); }
        else if (event.key === "Enter" && this.selected >= 0) { event.preventDefault(); this.take(this.selected); }
      }
    }

    // MARK: Changes. Forms are pages of their own; here they stand over the cell, and what follows is shown at once.

    let editor = null;

    async function send(form, values, submitter) {
      const fields = new URLSearchParams(new FormData(form, submitter));
      for (const [name, value] of Object.entries({ ...values, part: "1" })) fields.set(name, value);
      return fetch(form.action, { method: "POST", body: fields });
    }

    const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

    class Editor {
      constructor(address, place, done) {
        Object.assign(this, { address, place, done });
        this.panel = document.createElement("div");
        this.panel.className = "editor";
        this.panel.setAttribute("role", "dialog");
        this.panel.setAttribute("aria-label", address.searchParams.get("property"));
        this.panel.addEventListener("submit", (event) => { event.preventDefault(); this.submit({}, event.submitter); });
        this.panel.addEventListener("keydown", (event) => {
          event.stopPropagation();
          if (event.key === "Escape") { event.preventDefault(); this.close(); }
          if (event.key === "Enter" && event.ctrlKey) this.panel.querySelector("form")?.requestSubmit();
        });
      }

      get field() { return this.panel.querySelector("[name=value]"); }

      async read(query) {
        const address = new URL(this.address);
        for (const [name, value] of Object.entries({ ...query, part: "1" })) address.searchParams.set(name, value);
        const page = parsed(await (await fetch(address)).text());
        return page.querySelector("form.edit") ?? page.querySelector(".problem");
      }

      async open(values) {
        const form = await this.read({});
        // A to-many has a page of its own.
        if (!form || (form.action && !form.action.endsWith("/-/set"))) { location = this.address; return; }
        this.show(form);
        if (values && form.action) return this.submit(values);
        if (!form.action) setTimeout(() => this.close(), 4000);
        this.field?.focus();
        this.field?.select?.();
      }

      show(content) {
        this.panel.replaceChildren(content);
        if (!this.panel.isConnected) document.body.append(this.panel);
        this.move();
      }

      move() {
        const box = this.place()?.getBoundingClientRect();
        if (!box || box.width === 0) return;
        const width = Math.min(Math.max(box.width, 280), innerWidth - 16);
        this.panel.style.width = width + "px";
        this.panel.style.left = Math.max(8, Math.min(box.left, innerWidth - width - 8)) + scrollX + "px";
        this.panel.style.top = Math.max(8, Math.min(box.top, innerHeight - this.panel.offsetHeight - 8)) + scrollY + "px";
      }

      async submit(values, submitter) {
        if (this.isSending) return;
        this.isSending = true;
        try {
          const response = await send(this.panel.querySelector("form"), values, submitter);
          if (response.ok) return this.close();
          const page = parsed(await response.text());
          this.show(page.querySelector("form.edit") ?? page.querySelector(".problem"));
          this.field?.focus();
          this.field?.select?.();
        } finally { this.isSending = false; }
      }

      // Another program may have changed what is typed into: then base, mine and theirs stand here.
      async check() {
        const { field } = this;
        this.move();
        if (!field || this.isChecking) return;
        this.isChecking = true;
        const form = await this.read({ typed: field.value, base: this.panel.querySelector("[name=base]").value });
        this.isChecking = false;
        if (editor !== this || !form?.querySelector(".conflict")) return;
        const { value, selectionStart, selectionEnd } = this.field;
        this.show(form);
        this.field.value = value;
        this.field.focus();
        if (selectionStart !== null) this.field.setSelectionRange?.(selectionStart, selectionEnd);
      }

      close() {
        this.panel.remove();
        if (editor === this) editor = null;
        this.done();
      }
    }

    function openEditor(address, place, done, values) {
      editor?.close();
      editor = new Editor(address, place, done);
      editor.open(values);
    }

    // The number of changes, and the buttons beside it.
    async function refreshChanges() {
      const bar = byID("changes");
      if (bar) try { bar.replaceChildren(...(await load("/-/changes?part=1")).body.childNodes); } catch { /* the next change asks again */ }
    }

    // Pages that are read again when something has changed, unless one types there.
    let reloadTimer = null;
    function reloadPage() {
      const part = document.querySelector("[data-reload]");
      if (!part || document.hidden || reloadTimer || editor || part.contains(document.activeElement?.closest("input, textarea, select"))) return;
      reloadTimer = setTimeout(async () => {
        reloadTimer = null;
        try { part.replaceWith((await load(location)).querySelector("[data-reload]")); } catch { /* it may be gone */ }
      }, 100);
    }

    document.addEventListener("visibilitychange", reloadPage);
    listeners.add((message) => {
      if (message.kind === "changes" || message.kind === "open") refreshChanges();
      if (message.kind === "open") reloadPage();
      const list = document.querySelector("[data-reload]")?.dataset.reload;
      if (message.kind === "changes" || (message.kind === "rows" && (!list || String(message.list) === list))) reloadPage();
      if (message.kind === "changes" || message.kind === "rows") editor?.check();
    });

    document.addEventListener("submit", async (event) => {
      const form = event.target;
      if (!form.closest("#changes")) return;
      event.preventDefault();
      // What is refused is shown by the page that the form leads to.
      if (!(await send(form, {})).ok) form.submit();
    });

    document.addEventListener("click", (event) => {
      const link = event.target.closest("a.editing");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const row = link.closest("tr");
      const key = row.dataset.key;
      openEditor(new URL(link.href), () => [...document.querySelectorAll(".object tr")].find((row) => row.dataset.key === key)?.cells[1], reloadPage);
    });

    // Names of objects that begin with what is typed.
    let nameTimer = null;
    document.addEventListener("input", (event) => {
      const field = event.target;
      const entity = field.dataset?.search;
      if (!entity) return;
      clearTimeout(nameTimer);
      nameTimer = setTimeout(async () => {
        const response = await fetch("/-/names?" + new URLSearchParams({ entity, name: field.value }));
        if (!response.ok) return;
        let list = byID("names");
        if (!list) { list = document.createElement("datalist"); list.id = "names"; document.body.append(list); }
        field.setAttribute("list", "names");
        list.replaceChildren(...(await response.json()).names.map((name) => Object.assign(document.createElement("option"), { value: name })));
      }, 120);
    });

    // MARK: The page

    const element = byID("rows");
    const rows = element && element.querySelector("tbody") ? new Rows(element) : null;
    const field = byID("where");
    if (field) new Ask(field);
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
      if ((event.key === "w" || event.key === "/") && field) { event.preventDefault(); field.focus(); field.select(); }
      else if (event.key === "u") document.querySelector("#changes form[action='/-/undo']")?.requestSubmit();
      else if (event.key === "U") document.querySelector("#changes form[action='/-/redo']")?.requestSubmit();
      else if (event.key === "Backspace") { event.preventDefault(); history.back(); }
      else if (rows && ["j", "k", "ArrowDown", "ArrowUp"].includes(event.key) && document.activeElement !== element) {
        element.focus();
        rows.key(event);
      }
    });

    """#
}
