extension PageScript {
  /// The line of a predicate: completion, and the mistakes of what is typed.
  static let predicate = #"""
    import { byID, load } from "./events.js";

    export class Ask {
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

    """#
}
