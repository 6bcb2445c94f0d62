extension PageScript {
  /// The values of columns and the plots beside rows, which follow the store.
  static let facets = #"""
    import { byID, listeners, load } from "./events.js";

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

    """#
}
