extension PageScript {
  /// The cards of the objects that links lead to.
  static let cards = #"""
    import { load } from "./events.js";

    export let card = null;
    let cardTimer = null;
    export function hideCard() { clearTimeout(cardTimer); card?.remove(); card = null; }
    export async function showCard(link) {
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

    """#
}
