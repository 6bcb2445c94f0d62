extension PageScript {
  /// The line that leads to anything by its name: what it finds while one types, below it.
  static let jump = #"""
    import { byID, load } from "./events.js";

    const field = byID("find");
    const menu = document.createElement("div");
    menu.className = "menu";
    menu.id = "found";
    menu.hidden = true;
    field.form.append(menu);
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-controls", "found");
    let [timer, asked, selected] = [null, 0, -1];

    const links = () => [...menu.querySelectorAll("li")];
    function show(isShown) { menu.hidden = !isShown; field.setAttribute("aria-expanded", String(isShown)); }
    function select(place) {
      const all = links();
      if (!all.length) return;
      selected = (place + all.length) % all.length;
      all.forEach((item, index) => item.setAttribute("aria-selected", String(index === selected)));
      all[selected].scrollIntoView({ block: "nearest" });
    }
    async function find() {
      const number = asked += 1;
      const page = await load("/-/jump?" + new URLSearchParams({ part: 1, find: field.value })).catch(() => null);
      if (!page || number !== asked) return;
      menu.replaceChildren(...page.body.childNodes);
      selected = -1;
      show(true);
    }
    field.addEventListener("focus", find);
    field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(find, 80); });
    field.addEventListener("blur", () => setTimeout(() => { if (!menu.contains(document.activeElement)) show(false); }, 150));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { show(false); field.value = ""; field.blur(); }
      else if (event.key === "ArrowDown") { event.preventDefault(); select(selected + 1); }
      else if (event.key === "ArrowUp") { event.preventDefault(); select(selected - 1); }
      else if (event.key === "Enter" && selected >= 0 && !menu.hidden) { event.preventDefault(); location = links()[selected].querySelector("a").href; }
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
      event.preventDefault();
      field.focus();
      field.select();
    });

    """#
}
