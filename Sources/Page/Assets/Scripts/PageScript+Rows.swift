extension PageScript {
  /// The rows of a table: a window that scrolls and follows the store, and its keys.
  static let rows = #"""
    import { byID, listeners, load } from "./events.js";
    import { card, hideCard, showCard } from "./cards.js";
    import { editor, openEditor } from "./changes.js";

    export class Rows {
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
        element.addEventListener("paste", (event) => this.paste(event));
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
        this.scrolledTo = this.element.scrollTop;
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
        // Where the reader has scrolled meanwhile, the event of that asks for the next window.
        if (this.wanted !== this.first && this.element.scrollTop === this.scrolledTo) this.element.scrollTop = top;
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

      // Rows that are pasted are shown before they change anything.
      async paste(event) {
        const text = event.clipboardData.getData("text/plain");
        if (!("edits" in this.element.dataset) || !/[\n\t]/.test(text.trim())) return;
        event.preventDefault();
        const address = new URL("/-/paste", location);
        address.searchParams.set("entity", decodeURIComponent(new URL(this.element.dataset.address, location).pathname.slice(1)));
        for (const head of this.table.tHead.rows[0].cells) if (head.dataset.column) address.searchParams.append("column", head.dataset.column);
        const form = (await load(address)).querySelector("form.paste");
        form.hidden = true;
        form.elements.text.value = text;
        document.body.append(form);
        form.submit();
      }

      open() {
        const row = [...this.body.rows].find((row) => row.dataset.key === this.cursor.key);
        (row?.cells[this.cursor.column]?.querySelector("a") ?? row?.cells[0].querySelector("a"))?.click();
      }
    }

    """#
}
