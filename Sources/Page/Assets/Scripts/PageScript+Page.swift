extension PageScript {
  /// The beginning of the script of pages.
  static let page = #"""
    // What is here adds to a page that works without it, by links and forms.

    import { byID } from "./events.js";
    import { Rows } from "./rows.js";
    import { Ask } from "./predicate.js";
    import "./facets.js";
    import "./jump.js";

    const element = byID("rows");
    const rows = element && element.querySelector("tbody") ? new Rows(element) : null;
    const field = byID("where");
    if (field) new Ask(field);
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
      if (event.key === "w" && field) { event.preventDefault(); field.focus(); field.select(); }
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
