extension PageScript {
  /// Changes: forms over cells, the bar of unsaved changes, and pages that are read again.
  static let changes = #"""
    // Forms are pages of their own; here they stand over the cell, and what follows is shown at once.

    import { byID, listeners, load } from "./events.js";

    export let editor = null;

    async function send(form, values, submitter) {
      const fields = new FormData(form, submitter);
      for (const [name, value] of Object.entries({ ...values, part: "1" })) fields.set(name, value);
      return fetch(form.action, { method: "POST", body: form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields) });
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
        (this.field ?? this.panel.querySelector("[type=file]"))?.focus();
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

    export function openEditor(address, place, done, values) {
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
    function reloadPage(isForced) {
      const part = document.querySelector("[data-reload]");
      if (!part || document.hidden || reloadTimer || editor) return;
      if (isForced !== true && part.contains(document.activeElement?.closest("input, textarea, select"))) return;
      reloadTimer = setTimeout(async () => {
        reloadTimer = null;
        const name = document.activeElement?.closest("[data-input]")?.dataset.input;
        try { part.replaceWith((await load(location)).querySelector("[data-reload]")); } catch { /* it may be gone */ }
        if (name) document.querySelector(`[data-input="${CSS.escape(name)}"] :is(input:not([type=hidden]), select, button)`)?.focus();
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
      if (!form.closest("#changes, .control")) return;
      event.preventDefault();
      // What is refused is shown by the page that the form leads to.
      if (!(await send(form, {})).ok) form.submit();
      else if (form.matches(".input")) reloadPage(true);
    });

    // Inputs of a script's page are sent as they are set.
    document.addEventListener("change", (event) => event.target.closest("form.input")?.requestSubmit());

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

    """#
}
